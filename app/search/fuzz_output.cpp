#include "app/search/fuzz_output.h"

#include <CLI/CLI.hpp>
#include <array>
#include <string_view>

namespace lockstep::app {

void add_fuzz_output(CLI::App& command, FuzzOutput& output) {
  command
      .add_option("-o,--out", output.folder,
                  "Write what is found here: scenarios, traces, timelines (lockstep-out)")
      ->type_name("DIR");
  add_word(
      command, "--junit", "FILE", [&output](const std::string& path) { output.junit = path; },
      "Write the results as JUnit XML");
  add_word(
      command, "--html", "FILE", [&output](const std::string& path) { output.html = path; },
      "Write an HTML report, in which findings can be stepped through");
  add_word(
      command, "--annotations", "WORD",
      [&output](const std::string& word) {
        constexpr std::array<std::string_view, 1> words = {"github"};
        (void)read_choice("--annotations", word, words);
        output.annotations = FuzzOutput::Annotations::github;
      },
      "github: say findings so that they show in a pull request");
  add_format(command, output.format);
}

void add_survival_output(CLI::App& command, FuzzOutput& output) {
  add_word(
      command, "--markdown", "FILE", [&output](const std::string& path) { output.markdown = path; },
      "Write what locks survive as Markdown, for a review");
  add_word(
      command, "--against", "FILE", [&output](const std::string& path) { output.against = path; },
      "Tell what got worse since this survival table (--format json), and end with 1 if so");
}

}  // namespace lockstep::app
