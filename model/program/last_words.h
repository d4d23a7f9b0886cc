// What a program said last, of all that it wrote: the line that says what went wrong.
//
// It knows how Python, node, Java and Go tell of an error that nobody caught. Not covered: messages
// of several lines, of which it takes the last.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::model {

/// With what Lockstep's library refused the program ("lockstep: …"), which may be why.
[[nodiscard]] std::string last_words_of(std::string_view output);

}  // namespace lockstep::model
