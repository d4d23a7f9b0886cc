#include "app/session/step_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <utility>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"
#include "search/runs/needed_faults.h"
#include "search/runs/run_record.h"
#include "search/runs/streamwise_choices.h"

namespace lockstep::app {
namespace {

constexpr std::size_t events_shown_max = 200;  // by one command

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (const char character : line) {
    const bool is_blank = character == ' ' || character == '\t' || character == '\r';
    if (!is_blank) {
      word += character;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::optional<std::uint64_t> whole_number(std::string_view word) {
  std::uint64_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc{} || stopped_at != end || word.empty()) return std::nullopt;
  return number;
}

/// All words behind the first, joined by single blanks.
std::string rest_of(const std::vector<std::string>& words) {
  std::string rest;
  for (std::size_t i = 1; i < words.size(); ++i) rest += (i > 1 ? " " : "") + words[i];
  return rest;
}

}  // namespace

StepSession::StepSession(SteppedRun run, model::Engine& engine)
    : run_(std::move(run)), engine_(engine), words_(run_.example.trace) {}

const std::vector<StepSession::Form>& StepSession::forms() {
  static const std::vector<Form> all = {
      {"next", "n", "[N]", "go on by N events (1)", &StepSession::next},
      {"back", "b", "[N]", "go back by N events (1)", &StepSession::back},
      {"go", "g", "N|TIME", "go to event N, or to the first at or after a time: go 5.2s",
       &StepSession::go},
      {"first", "", "", "go to the first event", &StepSession::first},
      {"last", "", "", "go to the last event", &StepSession::last},
      {"violation", "v", "", "go to where the property broke", &StepSession::violation},
      {"actor", "a", "NAME", "go on to the next event of somebody: actor n1", &StepSession::actor},
      {"find", "f", "TEXT", "go on to the next event that says so", &StepSession::find},
      {"state", "s", "[NAME]", "show the state here, of all or of one", &StepSession::state},
      {"clocks", "c", "", "show every clock here", &StepSession::clocks},
      {"where", "w", "", "show the event again where you stand", &StepSession::where},
      {"faults", "", "", "list the interventions", &StepSession::faults},
      {"without", "", "N", "run again without intervention N, and say what changes",
       &StepSession::without},
      {"help", "?", "", "list the commands", &StepSession::help},
      {"quit", "q", "", "end", &StepSession::quit},
  };
  return all;
}

StepSession::Answer StepSession::answer(std::string_view line) {
  const Words words = words_of(line);
  if (words.empty()) return {};
  for (const Form& form : forms()) {
    if (words.front() == form.word || (!form.letter.empty() && words.front() == form.letter)) {
      return (this->*form.handler)(words);
    }
  }
  std::vector<std::string_view> known;
  for (const Form& form : forms()) known.push_back(form.word);
  return refuse(fmt::format("there is no command {}{}; help lists them",
                            scenario::in_quotes(words.front()),
                            scenario::did_you_mean(words.front(), known)));
}

StepSession::Answer StepSession::refuse(std::string_view why) const {
  return {Reply::not_understood, fmt::format("error: {}\n", reports::sanitized(why))};
}

std::string StepSession::prompt() const { return fmt::format("({}) ", at_); }

std::string StepSession::greeting() const {
  std::string text = fmt::format("{}\n{} ({} events)\n", reports::brief(run_.scenario.title, 200),
                                 reports::made_by(run_.example), event_count());
  bool is_violated = false;
  for (const checker::Verdict& verdict : run_.example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    is_violated = true;
    text += fmt::format("  {} is violated: {}\n", checker::to_string(verdict.property),
                        reports::sanitized(verdict.summary));
  }
  if (!is_violated) text += "  no property is violated\n";
  return text;
}

std::string StepSession::event_line(reports::EventIndex event) const {
  const sim::TimeNs at_ns = run_.example.trace.events[event].at;
  return fmt::format("Event {} of {} at {} ms: {}\n", event, event_count() - 1,
                     reports::milliseconds_number(at_ns), words_.of(event));
}

std::string StepSession::event_and_changes(reports::EventIndex event) const {
  std::string text = event_line(event);
  for (const reports::StateLine& line : run_.states.changed_at(event)) {
    text += fmt::format("    {}: {}\n", line.subject, state_line(line));
  }
  return text;
}

StepSession::Answer StepSession::stand_at(reports::EventIndex event) {
  at_ = event;
  return {Reply::done, event_and_changes(event)};
}

std::optional<std::uint64_t> StepSession::count_from(const Words& words) {
  if (words.size() == 1) return 1;
  const auto number = words.size() == 2 ? whole_number(words[1]) : std::nullopt;
  return number && *number > 0 ? number : std::nullopt;
}

StepSession::Answer StepSession::next(const Words& words) {
  const auto count = count_from(words);
  if (!count) return refuse("expected how many events, from 1 on: next 3");
  if (at_ + 1 >= event_count()) return {Reply::done, "this is the last event\n"};
  const std::size_t end = at_ + std::min<std::uint64_t>(*count, event_count() - 1 - at_);
  std::string text;
  if (end - at_ > events_shown_max) {
    text = fmt::format("… {} events\n", end - at_ - events_shown_max);
    at_ = end - events_shown_max;
  }
  while (at_ < end) text += event_and_changes(++at_);
  return {Reply::done, std::move(text)};
}

StepSession::Answer StepSession::back(const Words& words) {
  const auto count = count_from(words);
  if (!count) return refuse("expected how many events, from 1 on: back 3");
  if (at_ == 0) return {Reply::done, "this is the first event\n"};
  return stand_at(at_ - std::min<std::uint64_t>(*count, at_));
}

StepSession::Answer StepSession::go(const Words& words) {
  constexpr std::string_view expected =
      "expected an event's number or a time: go 12, go 5.2s, go 300ms";
  if (words.size() != 2) return refuse(expected);
  if (const auto number = whole_number(words[1])) {
    if (*number >= event_count()) {
      return refuse(
          fmt::format("there is no event {}; the last is {}", *number, event_count() - 1));
    }
    return stand_at(*number);
  }
  const scenario::ParsedNumber time = scenario::parse_duration(words[1]);
  if (!time.ok() || time.value < 0) return refuse(expected);
  const auto& events = run_.example.trace.events;
  const auto found = std::lower_bound(
      events.begin(), events.end(), time.value,
      [](const model::RecordedEvent& event, sim::TimeNs at_ns) { return event.at < at_ns; });
  if (found == events.end()) return refuse("the run has ended by then");
  return stand_at(static_cast<std::size_t>(found - events.begin()));
}

StepSession::Answer StepSession::first(const Words& /*words*/) { return stand_at(0); }

StepSession::Answer StepSession::last(const Words& /*words*/) {
  return stand_at(event_count() - 1);
}

StepSession::Answer StepSession::violation(const Words& /*words*/) {
  const auto event = reports::violation_event(run_.example);
  if (!event) return {Reply::done, "no property is violated in this run\n"};
  return stand_at(*event);
}

StepSession::Answer StepSession::actor(const Words& words) {
  if (words.size() != 2) return refuse("expected whose event: actor n1");
  const auto& actors = run_.example.trace.actors;
  const bool is_known = std::any_of(actors.begin(), actors.end(), [&words](const auto& each) {
    return each.name == words[1] || each.group == words[1];
  });
  if (!is_known) {
    std::vector<std::string_view> names;
    for (const sim::Actor& each : actors) names.push_back(each.name);
    return refuse(fmt::format("there is nobody called {}{}", scenario::in_quotes(words[1]),
                              scenario::did_you_mean(words[1], names)));
  }
  for (std::size_t i = at_ + 1; i < event_count(); ++i) {
    const sim::ActorId id = run_.example.trace.events[i].actor;
    if (id == sim::no_actor) continue;
    const sim::Actor& who = actors[static_cast<std::uint32_t>(id)];
    if (who.name == words[1] || (who.group == words[1] && who.kind == "client-thread")) {
      return stand_at(i);
    }
  }
  return {Reply::done, fmt::format("{} has no further event\n", reports::brief(words[1]))};
}

StepSession::Answer StepSession::find(const Words& words) {
  const std::string wanted = rest_of(words);
  if (wanted.empty()) return refuse("expected what to look for: find acquire");
  for (std::size_t i = at_ + 1; i < event_count(); ++i) {
    if (words_.of(i).find(wanted) != std::string::npos) return stand_at(i);
  }
  return {Reply::done, fmt::format("no further event says \"{}\"\n", reports::brief(wanted))};
}

StepSession::Answer StepSession::where(const Words& /*words*/) { return stand_at(at_); }

StepSession::Answer StepSession::help(const Words& /*words*/) {
  std::string text;
  for (const Form& form : forms()) {
    const std::string usage =
        fmt::format("{}{}{}", form.word, form.arguments.empty() ? "" : " ", form.arguments);
    text += fmt::format("  {:<3}{:<16}{}\n", form.letter, usage, form.summary);
  }
  return {Reply::done, std::move(text)};
}

StepSession::Answer StepSession::quit(const Words& /*words*/) { return {Reply::quit, {}}; }

// The commands of a session about states and clocks, and about the run without one of its faults.

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
