#include "app/shrink/finding_options.h"

#include <string>
#include <string_view>
#include <vector>

#include "app/option_words.h"

namespace lockstep::app {
namespace {

checker::Property read_property(const std::string& word) {
  std::vector<std::string_view> words;
  for (const checker::Property each : checker::all_properties()) {
    words.push_back(checker::to_string(each));
  }
  if (const auto property = checker::property_from(word)) return *property;
  refuse_word("--property", word, "a property (lockstep list properties)", words);
}

void add_count(CLI::App& command, const std::string& name, std::uint64_t& number,
               const std::string& summary) {
  command
      .add_option_function<std::string>(
          name,
          [&number, name](const std::string& word) { number = read_whole_number(name, word); },
          summary)
      ->type_name("N");
}

}  // namespace

void ShrinkOptions::add_to(CLI::App& command) {
  command
      .add_option("TARGET", arguments_.targets,
                  "Scenario files in which something breaks, and traces of runs in which it did")
      ->required()
      ->type_name("");
  command
      .add_option_function<std::string>(
          "--property",
          [this](const std::string& word) { arguments_.property = read_property(word); },
          "What is to break (the first that breaks of those that the scenario names)")
      ->type_name("WORD");
  add_count(command, "--runs", arguments_.runs,
            "Look for a run of a scenario that breaks it in so many (1000)");
  add_count(command, "--seed", arguments_.seed, "The first seed, or the search's (1)");
  command
      .add_option("--out", arguments_.output_folder,
                  "Write the small scenario, its trace and its timeline here (lockstep-out)")
      ->type_name("DIR");
}

const ShrinkArguments& ShrinkOptions::arguments() const {
  if (arguments_.runs == 0) throw CLI::ValidationError("--runs: expected at least 1");
  if (arguments_.seed > UINT64_MAX - (arguments_.runs - 1)) {
    throw CLI::ValidationError("--runs: there are no so many seeds after --seed");
  }
  return arguments_;
}

void KeepOptions::add_to(CLI::App& command) {
  command
      .add_option("SCENARIO", arguments_.scenarios,
                  "Small scenarios of findings, as fuzz and shrink wrote them")
      ->required()
      ->type_name("");
  command
      .add_option("--to", arguments_.folder, "Write them into this folder (scenarios/regressions)")
      ->type_name("DIR");
  add_count(command, "--seeds", arguments_.seeds,
            "See that they are as expected with so many (50)");
  command.add_flag_callback(
      "--mended", [this] { arguments_.kept_as = KeptAs::fixed; },
      "The lock was mended: what they violate is to hold from now on");
}

const KeepArguments& KeepOptions::arguments() const {
  if (arguments_.seeds == 0) throw CLI::ValidationError("--seeds: expected at least 1");
  return arguments_;
}

}  // namespace lockstep::app
