#include "reports/formats/shrink_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "checker/property.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/scenario.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t shrunk_characters_max = 92;

void add_entry(std::string& text, std::string_view words) {
  for (const std::string& line : wrapped(words, shrunk_characters_max)) {
    text += fmt::format("    {}\n", line);
  }
}

nlohmann::ordered_json place_of(const std::string& text) {
  return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(sanitized(text));
}

std::string_view word_of(search::Need need) {
  switch (need) {
    case search::Need::always:
      return "always";
    case search::Need::sometimes:
      return "sometimes";
    case search::Need::never:
      return "never";
    case search::Need::untried:
      return "untried";
  }
  return "never";
}

/// What can't be said of every fault: that nothing breaks without it.
void add_doubts(std::string& text, const SavedShrunk& saved) {
  for (std::size_t i = 0; i < saved.needs.size(); ++i) {
    const bool is_known =
        saved.needs[i] == search::Need::sometimes || saved.needs[i] == search::Need::never;
    if (!is_known) continue;
    add_entry(text, fmt::format("without {}, it breaks in {} too",
                                sanitized(saved.shrunk.scenario->faults[i].describe()),
                                saved.needs[i] == search::Need::never ? "every run" : "some runs"));
  }
}

}  // namespace

std::string when_it_breaks(const SavedShrunk& saved) {
  if (saved.breaks_always) return {};
  if (saved.is_unconfirmed) return "it was tried with seed 1 only";
  const auto& properties = saved.shrunk.properties;
  const auto its = std::find_if(properties.begin(), properties.end(),
                                [&](const auto& each) { return each.property == saved.property; });
  const std::string seeds = fmt::format("the seeds 1 to {}", saved.shrunk.runs);
  if (its == properties.end() || its->violated == 0) {
    return fmt::format(
        "it breaks with none of {}, only as its messages came in the run of its "
        "trace",
        seeds);
  }
  return fmt::format(
      "it breaks with {} of {}; its trace is of the run that was found",
      its->violated == saved.shrunk.runs ? std::string("each") : std::to_string(its->violated),
      seeds);
}

std::string shrunk_in_words(const SavedShrunk& saved, Style style) {
  std::string text;
  add_entry(text, fmt::format("shrunk in {} run{}: {}{}", saved.shrink_runs,
                              saved.shrink_runs == 1 ? "" : "s", sanitized(saved.scenario_path),
                              saved.breaks_always ? std::string() : "; " + when_it_breaks(saved)));
  if (saved.is_cut_short) {
    add_entry(text,
              "the time was over before it was as small as it can be: lockstep shrink goes on");
  }
  add_doubts(text, saved);
  if (!saved.passing.change.empty()) {
    add_entry(text, fmt::format("passes {}: {}", sanitized(saved.passing.change),
                                sanitized(saved.passing.scenario_path)));
  }
  text += '\n';
  text += console_report(saved.shrunk, style, saved.artifacts);
  return text;
}

void add_shrunk(const SavedShrunk& saved, nlohmann::ordered_json& object) {
  auto faults = nlohmann::ordered_json::array();
  for (const scenario::FaultSpec& fault : saved.shrunk.scenario->faults) {
    faults.push_back(sanitized(fault.describe()));
  }
  auto needs = nlohmann::ordered_json::array();
  for (const search::Need need : saved.needs) needs.push_back(word_of(need));
  object["faults"] = std::move(faults);
  object["needs"] = std::move(needs);
  object["breaks_always"] = saved.breaks_always;
  object["cut_short"] = saved.is_cut_short;
  object["shrink_runs"] = json_number(saved.shrink_runs);
  object["shrink_elapsed_ms"] = json_number(saved.shrink_ms);
  object["rows"] = saved.rows;
  object["scenario"] = place_of(saved.scenario_path);
  object["trace"] = place_of(saved.artifacts.trace);
  object["timeline"] = place_of(saved.artifacts.timeline);
  object["replay"] = place_of(saved.artifacts.replay_command);
  object["passing"] =
      saved.passing.change.empty()
          ? nlohmann::ordered_json()
          : nlohmann::ordered_json::object({{"change", sanitized(saved.passing.change)},
                                            {"scenario", place_of(saved.passing.scenario_path)},
                                            {"trace", place_of(saved.passing.trace)}});
}

std::string shrink_json(const std::vector<SavedShrunk>& all) {
  auto shrunk = nlohmann::ordered_json::array();
  for (const SavedShrunk& saved : all) {
    auto one = nlohmann::ordered_json::object({{"property", checker::to_string(saved.property)}});
    add_shrunk(saved, one);
    shrunk.push_back(std::move(one));
  }
  const auto document = nlohmann::ordered_json::object({{"schema", shrink_document_version},
                                                        {"model_version", model_version},
                                                        {"shrunk", std::move(shrunk)}});
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
