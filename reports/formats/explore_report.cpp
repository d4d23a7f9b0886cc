#include "reports/formats/explore_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"
#include "search/explore/fault_menu.h"
#include "sim/versions.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;
using Status = search::PropertyCertificate::Status;

constexpr std::size_t certificate_characters_max = 100;
constexpr int explore_json_indentation = 2;

Json number(std::uint64_t value) { return json_number(value); }

/// "12,345"
std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t i = digits.size(); i > 3;) digits.insert(i -= 3, 1, ',');
  return digits;
}

std::string with_noun(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

void add_lines(std::string& text, std::string_view words) {
  bool is_first = true;
  for (const std::string& line : wrapped(words, certificate_characters_max - 4)) {
    text += fmt::format("{}{}\n", is_first ? "  " : "    ", line);
    is_first = false;
  }
}

/// Empty where there are none.
std::string names_of(const search::Certificate& certificate, Status status) {
  std::vector<std::string_view> names;
  for (const search::PropertyCertificate& each : certificate.properties) {
    if (each.status == status) names.push_back(checker::to_string(each.property));
  }
  return names.empty() ? std::string() : scenario::listed(names, "and");
}

std::string kinds_in_words(const std::vector<scenario::FaultKind>& kinds) {
  std::vector<std::string_view> words;
  for (const scenario::FaultKind kind : kinds) words.push_back(scenario::to_string(kind));
  return scenario::listed(words, "or");
}

/// "in 2 steps (the least and the most)"
std::string steps_in_words(std::uint32_t steps) {
  if (steps == 1) return "the least";
  if (steps == 2) return "the least and the most";
  return fmt::format("{} values, from the least to the most", steps);
}

std::string faults_in_words(const search::Certificate& certificate) {
  const std::size_t written = certificate.scenario.faults.size();
  std::string words;
  if (written > 0) words = fmt::format("{} as the file has them", with_noun(written, "fault"));
  if (certificate.faults_max == 0) return words.empty() ? "no faults" : words;
  if (!words.empty()) words += ", and ";
  const bool are_timed = std::any_of(
      certificate.kinds.begin(), certificate.kinds.end(),
      [](scenario::FaultKind kind) { return search::is_timed(scenario::form_of(kind)); });
  const std::string durations =
      are_timed
          ? fmt::format("; by or for {} or {}", scenario::format_duration(certificate.short_ns),
                        scenario::format_duration(certificate.long_ns))
          : std::string();
  words += fmt::format(
      "at most {} of {} ({}{}), each just before the first step of an instant{}",
      with_noun(certificate.faults_max, "fault"), certificate.menu_size,
      kinds_in_words(certificate.kinds), durations,
      certificate.bounds.places == search::FaultPlaces::own ? ", one of whom it strikes" : "");
  if (!certificate.kinds_left_out.empty()) {
    words += fmt::format("; without {}", kinds_in_words(certificate.kinds_left_out));
  }
  return words;
}

std::string bounds_in_words(const search::Certificate& certificate) {
  const scenario::Scenario& scenario = certificate.scenario;
  std::string words = fmt::format(
      "{} doing what the file says, {} with {} each; {}; of each delay {}; of what else is drawn "
      "{}, or all where there are {} at most",
      with_noun(scenario.clients.size(), "client"), with_noun(scenario.redis.masters, "master"),
      with_noun(scenario.redis.replicas, "replica"), faults_in_words(certificate),
      steps_in_words(certificate.bounds.delay_steps),
      steps_in_words(certificate.bounds.range_steps), search::alternatives_max);
  if (certificate.bounds.deviations_max) {
    words += fmt::format("; at most {} of a run other than the first alternative",
                         with_noun(*certificate.bounds.deviations_max, "choice"));
  }
  const search::ExploreCounts& counts = certificate.counts;
  if (counts.out_of_time > 0) {
    words += fmt::format("; {} of true time ({})", scenario::format_duration(scenario.horizon_ns),
                         with_noun(counts.out_of_time, "run") + " came to it");
  }
  if (counts.out_of_events > 0) {
    words += fmt::format("; {} ({})", with_noun(scenario.events_max, "event"),
                         with_noun(counts.out_of_events, "run") + " came to it");
  }
  return words;
}

std::string headline(const search::Certificate& certificate) {
  const bool is_broken = !certificate.found.empty();
  switch (certificate.end) {
    case search::ExploreEnd::exhausted:
      return is_broken ? "all was searched" : "no violation within these bounds";
    case search::ExploreEnd::found:
      return "found; not all was searched";
    case search::ExploreEnd::interrupted:
      return "interrupted; not all was searched";
    case search::ExploreEnd::out_of_memory:
      return "out of memory; not all was searched";
  }
  return "";
}

std::string hash_of(const search::Certificate& certificate) {
  return fmt::format("{:016x}{:016x}", certificate.hash.high, certificate.hash.low);
}

void add_statuses(std::string& text, const search::Certificate& certificate) {
  const auto add = [&](Status status, std::string_view what) {
    const std::string names = names_of(certificate, status);
    if (!names.empty()) add_lines(text, fmt::format("{}: {}", what, names));
  };
  add(Status::holds, "holds in every run within the bounds");
  add(Status::untested, "held, but was put to the test in none of the paths");
  add(Status::violated, "violated");
  add(Status::unknown, "not violated in what was searched");
  add(Status::undecided, "this says nothing of");
}

std::string reductions_in_words(const search::Certificate& certificate) {
  if (!certificate.bounds.looks_ahead()) return "none";
  std::string words =
      "states between instants only; other delays of an instant looked at ahead, without a run";
  for (const std::vector<std::string>& group : certificate.symmetric_clients) {
    const std::vector<std::string_view> names(group.begin(), group.end());
    words += fmt::format(
        "; {} are alike: a run in which a later one is the faster to begin is one of the same file "
        "with them in another order",
        sanitized(scenario::listed(names, "and")));
  }
  return words;
}

void add_counts(std::string& text, const ExploreReport& report) {
  const search::Certificate& certificate = report.certificate;
  const search::ExploreCounts& counts = certificate.counts;
  if (certificate.bounds.merging == search::Merging::states) {
    add_lines(text,
              fmt::format("counted: {}, {} ({} of them known ahead), {} ({} of them merged)",
                          with_noun(certificate.states, "state"),
                          with_noun(counts.transitions, "transition"), grouped(counts.foreseen),
                          with_noun(counts.runs, "run"), with_noun(counts.merged, "run")));
    add_lines(text, fmt::format("reductions: {}", reductions_in_words(certificate)));
    add_lines(text, fmt::format("hash of the states: {} (model {})", hash_of(certificate),
                                model_version));
  } else {
    add_lines(text,
              fmt::format("counted: {}, each made to its end", with_noun(counts.runs, "run")));
  }
  add_lines(text, fmt::format("depth: {}, {}", with_noun(counts.steps_max, "step"),
                              with_noun(counts.decisions_max, "choice")));
  if (certificate.paths_left > 0) {
    add_lines(text, fmt::format("left: {} at least", with_noun(certificate.paths_left, "run")));
  }
  add_lines(text,
            fmt::format("time: {}.{} s", report.elapsed_ms / 1000, report.elapsed_ms % 1000 / 100));
}

std::string counterexample_in_words(const search::Counterexample& found) {
  return fmt::format(
      "{} with {} and {} that {} not the least (run {}): none breaks it with fewer of both "
      "together",
      checker::to_string(found.property), with_noun(found.faults, "fault"),
      with_noun(found.deviations, "choice"), found.deviations == 1 ? "is" : "are", found.run);
}

void add_saved(std::string& text, const SavedFinding& saved, Style style) {
  if (saved.scenario_path.empty()) return;
  add_lines(text, fmt::format("saved: {}{}", sanitized(saved.scenario_path),
                              saved.found_trace.empty()
                                  ? ""
                                  : fmt::format(" (as found: {})", sanitized(saved.found_trace))));
  text += '\n';
  text += console_report(saved.shrunk, style, saved.artifacts);
}

Json words_of(const std::vector<scenario::FaultKind>& kinds) {
  Json list = Json::array();
  for (const scenario::FaultKind kind : kinds) list.push_back(scenario::to_string(kind));
  return list;
}

std::string_view word_of(search::Expected expected) {
  switch (expected) {
    case search::Expected::nothing:
      return "nothing";
    case search::Expected::holds:
      return "holds";
    case search::Expected::violated:
      return "violated";
  }
  return "nothing";
}

std::string_view word_of(search::ExploreEnd end) {
  switch (end) {
    case search::ExploreEnd::exhausted:
      return "exhausted";
    case search::ExploreEnd::found:
      return "found";
    case search::ExploreEnd::interrupted:
      return "interrupted";
    case search::ExploreEnd::out_of_memory:
      return "out-of-memory";
  }
  return "exhausted";
}

/// What spared runs without leaving any out.
Json reductions_of(const search::Certificate& certificate) {
  Json words = Json::array();
  if (certificate.bounds.looks_ahead()) {
    words.push_back("instants");
    words.push_back("delays-ahead");
  }
  if (!certificate.symmetric_clients.empty()) words.push_back("alike-clients");
  return words;
}

/// A list for each group of clients that are alike.
Json alike_of(const search::Certificate& certificate) {
  Json groups = Json::array();
  for (const std::vector<std::string>& group : certificate.symmetric_clients) {
    Json names = Json::array();
    for (const std::string& name : group) names.push_back(sanitized(name));
    groups.push_back(std::move(names));
  }
  return groups;
}

Json bounds_of(const search::Certificate& certificate) {
  const search::ExploreBounds& bounds = certificate.bounds;
  const scenario::Scenario& scenario = certificate.scenario;
  return Json::object(
      {{"clients", number(scenario.clients.size())},
       {"masters", number(scenario.redis.masters)},
       {"replicas", number(scenario.redis.replicas)},
       {"faults_of_the_file", number(scenario.faults.size())},
       {"faults", number(certificate.faults_max)},
       {"fault_menu", number(certificate.menu_size)},
       {"fault_kinds", words_of(certificate.kinds)},
       {"fault_kinds_left_out", words_of(certificate.kinds_left_out)},
       {"fault_durations_ns",
        Json::array({number(static_cast<std::uint64_t>(certificate.short_ns)),
                     number(static_cast<std::uint64_t>(certificate.long_ns))})},
       {"fault_places", bounds.places == search::FaultPlaces::own ? "own" : "every"},
       {"delay_steps", number(bounds.delay_steps)},
       {"range_steps", number(bounds.range_steps)},
       {"deviations", bounds.deviations_max ? Json(number(*bounds.deviations_max)) : Json()},
       {"merging", bounds.merging == search::Merging::states},
       {"reductions", reductions_of(certificate)},
       {"alike", alike_of(certificate)},
       {"horizon_ns", number(static_cast<std::uint64_t>(scenario.horizon_ns))},
       {"events_max", number(scenario.events_max)}});
}

Json explore_counts_of(const search::Certificate& certificate) {
  const search::ExploreCounts& counts = certificate.counts;
  return Json::object({{"states", number(certificate.states)},
                       {"transitions", number(counts.transitions)},
                       {"foreseen", number(counts.foreseen)},
                       {"runs", number(counts.runs)},
                       {"merged", number(counts.merged)},
                       {"at_rest", number(counts.at_rest)},
                       {"out_of_time", number(counts.out_of_time)},
                       {"out_of_events", number(counts.out_of_events)},
                       {"steps_max", number(counts.steps_max)},
                       {"choices_max", number(counts.decisions_max)},
                       {"paths_left", number(certificate.paths_left)}});
}

Json file_of(const ExploreReport& report) {
  const search::Certificate& certificate = report.certificate;
  Json properties = Json::array();
  for (const search::PropertyCertificate& each : certificate.properties) {
    properties.push_back(Json::object({{"property", checker::to_string(each.property)},
                                       {"expected", word_of(each.expected)},
                                       {"status", search::to_string(each.status)}}));
  }
  Json found = Json::array();
  for (std::size_t i = 0; i < certificate.found.size(); ++i) {
    const search::Counterexample& each = certificate.found[i];
    Json entry = Json::object({{"property", checker::to_string(each.property)},
                               {"faults", number(each.faults)},
                               {"deviations", number(each.deviations)},
                               {"run", number(each.run)}});
    if (i < report.saved.size()) {
      entry["scenario"] = sanitized(report.saved[i].scenario_path);
      entry["found_trace"] = sanitized(report.saved[i].found_trace);
    }
    found.push_back(std::move(entry));
  }
  Json complaints = Json::array();
  for (const std::string& each : certificate.complaints)
    complaints.push_back(sanitized_lines(each));
  return Json::object(
      {{"file", sanitized(report.name)},
       {"title", sanitized(certificate.scenario.title)},
       {"outcome", search::to_string(certificate.outcome)},
       {"end", word_of(certificate.end)},
       {"bounds", bounds_of(certificate)},
       {"properties", std::move(properties)},
       {"counts", explore_counts_of(certificate)},
       {"hash", hash_of(certificate)},
       {"found", std::move(found)},
       {"complaints", std::move(complaints)},
       {"resume", report.resume_file.empty() ? Json() : Json(sanitized(report.resume_file))},
       {"elapsed_ms", number(report.elapsed_ms)}});
}

}  // namespace

std::string explore_console(const ExploreReport& report, Style style) {
  const search::Certificate& certificate = report.certificate;
  std::string text = fmt::format("{}\n", sanitized(certificate.scenario.title));
  text += fmt::format("  {}: {}  {}\n", search::to_string(certificate.outcome),
                      headline(certificate), sanitized(report.name));
  for (const std::string& complaint : certificate.complaints) {
    add_lines(text, sanitized_lines(complaint));
  }
  add_statuses(text, certificate);
  add_lines(text, fmt::format("bounds: {}", bounds_in_words(certificate)));
  add_counts(text, report);
  if (!report.resume_file.empty()) {
    add_lines(text, fmt::format("to go on from here: --resume {}", sanitized(report.resume_file)));
  }
  for (std::size_t i = 0; i < certificate.found.size(); ++i) {
    text += '\n';
    add_lines(text, fmt::format("✗ {}", counterexample_in_words(certificate.found[i])));
    if (i < report.saved.size()) add_saved(text, report.saved[i], style);
  }
  return text;
}

std::string explore_json(const std::vector<ExploreReport>& reports) {
  Json files = Json::array();
  for (const ExploreReport& report : reports) files.push_back(file_of(report));
  const Json document = Json::object({{"schema", explore_document_version},
                                      {"model_version", model_version},
                                      {"files", std::move(files)}});
  return document.dump(explore_json_indentation, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::reports
