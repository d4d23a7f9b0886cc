// Results as GitHub's workflow commands: a line each, which a pull request shows beside the file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenario/text/input_error.h"

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

enum class AnnotationPart : std::uint8_t { property, message };

/// As workflow commands want it: no line feeds, and their own signs escaped.
[[nodiscard]] std::string escaped_for_github(std::string_view text, AnnotationPart part);

/// "::error file=…,title=…::…" and a line feed; without a file where that is empty. Any text.
[[nodiscard]] std::string workflow_command(std::string_view command, std::string_view file,
                                           std::string_view title, std::string_view message);

/// What is not as expected, with the cause; a warning where the outcome is unknown. Empty where all
/// is as expected.
[[nodiscard]] std::string github_annotation(const search::ScenarioOutcome& outcome);

/// What is wrong with a file, at its place.
[[nodiscard]] std::string github_annotation(const scenario::InputError& error);

}  // namespace lockstep::reports
