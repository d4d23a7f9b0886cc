// A strict reader of the Mermaid sequence diagrams that we write: GitHub's own is not at hand in a
// test. It knows only the statements that we use, and refuses any character in a text that
// Mermaid, Markdown or HTML could take for their own.
#pragma once

#include <string>

namespace lockstep::reports::test {

/// What is wrong with it, with its line; empty: nothing.
[[nodiscard]] std::string mermaid_problem(const std::string& text);

/// How many messages and notes it has between its head and its foot.
[[nodiscard]] std::size_t mermaid_items(const std::string& text);

}  // namespace lockstep::reports::test
