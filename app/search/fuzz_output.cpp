#include "app/search/fuzz_output.h"

#include <CLI/CLI.hpp>

#include "app/output/output_place.h"

namespace lockstep::app {

void add_fuzz_output(CLI::App& command, FuzzOutput& output) {
  writes_to(command
                .add_option("-o,--out", output.folder,
                            "Write what is found here: scenarios, traces, timelines (lockstep-out)")
                ->type_name("DIR"),
            OutputPlace::folder);
  writes_to(
      add_word(
          command, "--junit", "FILE", [&output](const std::string& path) { output.junit = path; },
          "Write the results as JUnit XML"),
      OutputPlace::file);
  writes_to(
      add_word(
          command, "--html", "FILE", [&output](const std::string& path) { output.html = path; },
          "Write an HTML report, in which findings can be stepped through"),
      OutputPlace::file);
  add_annotation_options(command, output.annotations);
  add_format(command, output.format);
}

void add_survival_output(CLI::App& command, FuzzOutput& output) {
  writes_to(add_word(
                command, "--markdown", "FILE",
                [&output](const std::string& path) { output.markdown = path; },
                "Write what locks survive as Markdown, for a review"),
            OutputPlace::file);
  add_word(
      command, "--against", "FILE", [&output](const std::string& path) { output.against = path; },
      "Tell what got worse since this survival table (--format json), and end with 1 if so");
}

}  // namespace lockstep::app
