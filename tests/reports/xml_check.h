// Whether a text is well-formed XML: a check for tests, strict where reports could go wrong.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::reports::test {

/// Empty where the text is well-formed: one root, tags that match, quoted attributes without "<",
/// known entities only, characters that XML 1.0 allows. Otherwise what is wrong, and where.
[[nodiscard]] std::string xml_problem(std::string_view text);

/// The text between tags, entities resolved: what a reader sees.
[[nodiscard]] std::string xml_text(std::string_view text);

}  // namespace lockstep::reports::test
