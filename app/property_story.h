// What each property says, on one line, for people.
#pragma once

#include <string_view>

#include "checker/verdict.h"

namespace lockstep::app {

[[nodiscard]] std::string_view story_of(checker::Property property);

}  // namespace lockstep::app
