// What a result has to say about a file, as data, and the formats in which continuous integration
// shows it beside the file: GitHub's workflow commands, SARIF 2.1.0, GitLab's code quality report.
//
// Fuzz and survival reports have functions of their own that make annotations (fuzz_report.h,
// survival_report.h). Texts may hold anything; the formats escape them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/text/input_error.h"

namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

enum class AnnotationLevel : std::uint8_t { error, warning, notice };

struct Annotation {
  AnnotationLevel level = AnnotationLevel::error;
  std::string rule;  ///< what kind of statement it is: "mutual-exclusion", "bad-input", a lint rule
  std::string file;  ///< as the caller named it; empty: about no file
  std::size_t line = 0;    ///< from 1; 0: about the whole file
  std::size_t column = 0;  ///< from 1; 0: about the whole line
  std::string title;
  std::string message;  ///< lines
};

/// What is not as expected, with the cause; a warning where the outcome is unknown. None where all
/// is as expected.
[[nodiscard]] std::vector<Annotation> annotations_of(const search::ScenarioOutcome& outcome);

/// What is wrong with a file, at its place, and what else was found with it.
[[nodiscard]] std::vector<Annotation> annotations_of(const scenario::InputError& error);

/// "::error file=…,title=…::…", a line each:
/// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
[[nodiscard]] std::string github_commands(std::span<const Annotation> annotations);

/// One run of a tool in SARIF 2.1.0 (OASIS), which code scanning takes. Paths become relative URIs.
[[nodiscard]] std::string sarif(std::span<const Annotation> annotations,
                                std::string_view program_version);

/// GitLab's code quality report: a list of issues, each with a fingerprint that stays the same
/// while rule, file and text do.
[[nodiscard]] std::string code_quality(std::span<const Annotation> annotations);

}  // namespace lockstep::reports
