#include "app/output/annotation_output.h"

#include <CLI/CLI.hpp>
#include <array>
#include <iterator>
#include <ostream>
#include <string_view>
#include <utility>

#include "app/context.h"
#include "app/options.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"

namespace lockstep::app {

void add_annotation_options(CLI::App& command, AnnotationOptions& options) {
  add_word(
      command, "--annotations", "WORD",
      [&options](const std::string& word) {
        constexpr std::array<std::string_view, 1> words = {"github"};
        (void)read_choice("--annotations", word, words);
        options.shown = AnnotationOptions::Shown::github;
      },
      "github: say what is not as expected so that it shows in a pull request");
  writes_to(
      add_word(
          command, "--sarif", "FILE", [&options](const std::string& path) { options.sarif = path; },
          "Write what is not as expected as SARIF 2.1.0, for code scanning"),
      OutputPlace::file);
  writes_to(add_word(
                command, "--code-quality", "FILE",
                [&options](const std::string& path) { options.code_quality = path; },
                "Write what is not as expected as GitLab's code quality report"),
            OutputPlace::file);
}

AnnotationOutput::AnnotationOutput(const AnnotationOptions& options, const Context& context)
    : options_(options), context_(context) {}

void AnnotationOutput::add(std::vector<reports::Annotation> annotations) {
  if (options_.shown == AnnotationOptions::Shown::github) {
    context_.errors << reports::github_commands(annotations);
  }
  annotations_.insert(annotations_.end(), std::make_move_iterator(annotations.begin()),
                      std::make_move_iterator(annotations.end()));
}

void AnnotationOutput::finish() const {
  if (options_.sarif) {
    write_file(*options_.sarif, [this](std::ostream& stream) {
      stream << reports::sarif(annotations_, LOCKSTEP_VERSION);
    });
  }
  if (options_.code_quality) {
    write_file(*options_.code_quality,
               [this](std::ostream& stream) { stream << reports::code_quality(annotations_); });
  }
}

}  // namespace lockstep::app
