#include "app/run/run_options.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/option_words.h"

namespace lockstep::app {
namespace {

constexpr std::array<std::string_view, 1> run_annotation_words = {"github"};

scenario::ParameterSetting read_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) refuse_word("--set", word, "NAME=VALUE");
  return {word.substr(0, equals), word.substr(equals + 1)};
}

void add_seeds(CLI::App& command, RunArguments& arguments) {
  const auto add = [&command](const std::string& name, std::uint64_t& number,
                              const std::string& summary) {
    command
        .add_option_function<std::string>(
            name,
            [&number, name](const std::string& word) { number = read_whole_number(name, word); },
            summary)
        ->type_name("N");
  };
  add("--seed", arguments.first_seed, "The first seed (1)");
  add("--seeds", arguments.seeds, "Run each scenario with so many seeds (1)");
}

void add_files(CLI::App& command, RunArguments& arguments) {
  CLI::Option* out = command.add_option_function<std::string>(
      "--out",
      [&arguments](const std::string& folder) {
        arguments.output_folder = folder;
        arguments.files = FilesWanted::all;
      },
      "Write traces, timelines and junit.xml here (lockstep-out, what is worth a look)");
  out->type_name("DIR");
  command
      .add_flag_callback(
          "--no-files", [&arguments] { arguments.files = FilesWanted::none; },
          "Write no trace and no timeline")
      ->excludes(out);
  command
      .add_option_function<std::string>(
          "--junit", [&arguments](const std::string& path) { arguments.junit = path; },
          "Write the results as JUnit XML")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--html", [&arguments](const std::string& path) { arguments.html = path; },
          "Write an HTML report, in which runs can be stepped through")
      ->type_name("FILE");
}

void add_output_options(CLI::App& command, RunArguments& arguments) {
  command
      .add_option_function<std::string>(
          "--annotations",
          [&arguments](const std::string& word) {
            (void)read_choice("--annotations", word, run_annotation_words);
            arguments.annotations = RunArguments::Annotations::github;
          },
          "github: say what is not as expected so that it shows in a pull request")
      ->type_name("WORD");
  CLI::Option* verbose = command.add_flag_callback(
      "-v,--verbose", [&arguments] { arguments.detail = Detail::all; },
      "Tell all of each scenario, and how the lock's server scripts were rewritten");
  command
      .add_flag_callback(
          "-q,--quiet", [&arguments] { arguments.detail = Detail::quiet; },
          "Tell only what is not as expected")
      ->excludes(verbose);
}

}  // namespace

void add_run_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("PATH", arguments.paths, "Scenario files, or folders of them")
      ->required()
      ->type_name("");
  add_seeds(command, arguments);
  add_files(command, arguments);
  command
      .add_flag_callback(
          "--dry-run", [&arguments] { arguments.work = RunMode::tell; },
          "Say in words what would be run, and run nothing")
      ->excludes("--html")
      ->excludes("--junit");
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&arguments](const std::vector<std::string>& words) {
            for (const std::string& word : words) arguments.set.push_back(read_setting(word));
          },
          "Give a parameter of the files this value")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  add_output_options(command, arguments);
}

void require_seeds(const RunArguments& arguments) {
  if (arguments.seeds == 0) throw CLI::ValidationError("--seeds: expected at least 1");
  if (arguments.first_seed > UINT64_MAX - (arguments.seeds - 1)) {
    throw CLI::ValidationError("--seeds: there are no so many seeds after --seed");
  }
}

}  // namespace lockstep::app
