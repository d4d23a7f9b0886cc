// The commands of a session about states and clocks, and about the run without one of its faults.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>

#include "app/session/step_session.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/text.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"
#include "search/runs/minimal_faults.h"
#include "search/runs/run_record.h"
#include "search/runs/streamwise_choices.h"

namespace lockstep::app {
namespace {

/// The time left of a state: ", 20 ms left".
std::string left_of(sim::TimeNs ends_ns, sim::TimeNs now_ns) {
  if (ends_ns == sim::never_ns) return {};
  if (ends_ns <= now_ns) return ", expired";
  return fmt::format(", {} ms left", reports::milliseconds_number(ends_ns - now_ns));
}

/// "2 ms ahead", "right".
std::string off_in_words(sim::DurationNs ahead_ns, std::int64_t rate_ppm) {
  std::string words;
  if (ahead_ns != 0) {
    words = fmt::format("{} ms {}", reports::milliseconds_number(std::abs(ahead_ns)),
                        ahead_ns > 0 ? "ahead" : "behind");
  }
  if (rate_ppm != 0) {
    if (!words.empty()) words += ", ";
    words += rate_ppm == -1'000'000 ? std::string("stands still")
                                    : fmt::format("drifts by {} ppm", rate_ppm);
  }
  return words.empty() ? "right" : words;
}

}  // namespace

std::string StepSession::state_line(const reports::StateLine& line) const {
  if (line.value.empty()) return fmt::format("{} is gone", line.name);
  return fmt::format("{}: {}{}", line.name, line.value,
                     left_of(line.ends_ns, run_.example.trace.events[at_].at));
}

std::vector<std::string> StepSession::subjects() const {
  std::vector<std::string> names;
  for (const reports::StateItem& item : run_.states.items) {
    if (names.empty() || names.back() != item.subject) names.push_back(item.subject);
  }
  return names;
}

StepSession::Answer StepSession::state(const Words& words) {
  if (words.size() > 2) return refuse("expected one name, or none: state n1");
  const std::string wanted = words.size() == 2 ? reports::brief(words[1]) : std::string();
  const std::vector<std::string> known = subjects();
  const auto is_wanted = [&wanted](const std::string& subject) {
    return wanted.empty() || subject == wanted || subject == "lock " + wanted ||
           subject.starts_with(wanted + "/");
  };
  if (std::none_of(known.begin(), known.end(), is_wanted)) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    return refuse(fmt::format("there is nobody called {}{}", scenario::in_quotes(words[1]),
                              scenario::did_you_mean(words[1], names)));
  }
  std::string text;
  std::string subject;
  for (const reports::StateLine& line : run_.states.at(at_)) {
    if (!is_wanted(line.subject)) continue;
    if (line.subject != subject) text += line.subject + '\n';
    subject = line.subject;
    text += fmt::format("  {} {}\n", line.is_new ? '*' : ' ', state_line(line));
  }
  return {Reply::done, std::move(text)};
}

StepSession::Answer StepSession::clocks(const Words& /*words*/) {
  const sim::TimeNs now_ns = run_.example.trace.events[at_].at;
  std::string text = fmt::format("true time {} ms\n", reports::milliseconds_number(now_ns));
  std::set<std::string> told;
  for (const reports::ClockChange& change : run_.states.clocks) {
    if (!told.insert(change.host).second) continue;
    const reports::ClockChange* const clocks = run_.states.clocks_at(change.host, at_);
    if (clocks == nullptr) continue;
    const auto say = [&](const model::ClockView& clock) {
      return off_in_words(reports::ahead_at(*clocks, clock, now_ns), clock.rate_ppm);
    };
    text += fmt::format("  {}: wall clock {}; monotonic clock {}\n", change.host, say(clocks->wall),
                        say(clocks->monotonic));
  }
  return {Reply::done, std::move(text)};
}

StepSession::Answer StepSession::faults(const Words& /*words*/) {
  std::string text;
  const std::vector<scenario::FaultSpec>& all = run_.scenario.faults;
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += fmt::format("  {} {}\n", i + 1, reports::brief(all[i].describe(), 200));
  }
  return {Reply::done, text.empty() ? std::string("there are no interventions\n") : text};
}

StepSession::Answer StepSession::without(const Words& words) {
  const std::size_t count = run_.scenario.faults.size();
  const auto number = words.size() == 2 ? count_from(words) : std::nullopt;
  if (count == 0) return refuse("there are no interventions");
  if (!number || *number > count) {
    return refuse(
        fmt::format("expected which intervention, from 1 to {}; faults lists them", count));
  }
  return {Reply::done, run_without(*number - 1)};
}

std::string StepSession::run_without(std::size_t fault) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < run_.scenario.faults.size(); ++i) {
    if (i != fault) kept.push_back(i);
  }
  const std::unique_ptr<model::Simulation> simulation =
      engine_.prepare(search::with_faults(run_.scenario, kept));
  search::StreamwiseChoices choices;
  choices.reset(run_.example.trace.choices, run_.example.seed);
  const search::RunRecord other = search::record_run(*simulation, choices);
  std::string text =
      fmt::format("without: {}\n", reports::brief(run_.scenario.faults[fault].describe(), 200));
  for (std::size_t i = 0; i < other.verdicts.size(); ++i) {
    const checker::VerdictKind before = run_.example.verdicts[i].kind;
    const checker::Verdict& now = other.verdicts[i];
    if (before == now.kind && now.kind == checker::VerdictKind::holds) continue;
    text += fmt::format("  {} is {}{}\n", checker::to_string(now.property),
                        now.kind == checker::VerdictKind::holds ? "held" : to_string(now.kind),
                        before == now.kind
                            ? fmt::format(", as before: {}", reports::sanitized(now.summary))
                            : fmt::format(" (it was {})", to_string(before)));
  }
  const auto& events = run_.example.trace.events;
  const auto& others = other.trace.events;
  std::size_t alike = 0;
  while (alike < events.size() && alike < others.size() &&
         events[alike].hash == others[alike].hash) {
    ++alike;
  }
  if (alike == events.size() && alike == others.size()) return text + "  nothing changes\n";
  const reports::EventWords other_words(other.trace);
  text += fmt::format("  the first {} events are the same; then\n", alike);
  if (alike < events.size()) text += "    with it:    " + event_line(alike);
  if (alike < others.size()) {
    text += fmt::format("    without it: Event {} of {} at {} ms: {}\n", alike, others.size() - 1,
                        reports::milliseconds_number(others[alike].at), other_words.of(alike));
  }
  return text;
}

}  // namespace lockstep::app
