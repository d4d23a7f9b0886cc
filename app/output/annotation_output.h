// Where annotations go: to standard error as they come (--annotations github), into a SARIF file
// (--sarif), into a code quality report (--code-quality). Options and collector for run, fuzz and
// lint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/formats/annotations/annotation.h"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::app {

struct Context;

struct AnnotationOptions {
  enum class Shown : std::uint8_t { none, github };
  Shown shown = Shown::none;
  std::optional<std::string> sarif;
  std::optional<std::string> code_quality;
};

/// Adds the options, which write to `options` while parsing.
void add_annotation_options(CLI::App& command, AnnotationOptions& options);

class AnnotationOutput {
 public:
  /// Both must outlive it.
  AnnotationOutput(const AnnotationOptions& options, const Context& context);

  void add(std::vector<reports::Annotation> annotations);
  /// Writes the files that were asked for. Throws scenario::InputError if one can't be written.
  void finish() const;

 private:
  const AnnotationOptions& options_;
  const Context& context_;
  std::vector<reports::Annotation> annotations_;
};

}  // namespace lockstep::app
