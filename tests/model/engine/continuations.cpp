#include "tests/model/engine/continuations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "checker/property.h"
#include "model/engine/run_listeners.h"
#include "sim/mixing.h"

namespace lockstep::model::test {
namespace {

constexpr std::size_t events_compared_max = 4'000;
constexpr std::size_t states_compared_max = 150;

/// Asks at each step.
class AtSteps final : public StepListener {
 public:
  explicit AtSteps(std::function<Next()> ask) : ask_(std::move(ask)) {}
  Next before_step() override { return ask_(); }

 private:
  std::function<Next()> ask_;
};

/// Writes events so that those of two futures can be compared.
class FutureEvents final : public sim::TraceSink {
 public:
  explicit FutureEvents(const std::vector<sim::Actor>& actors) : actors_(actors) {}

  void begin(sim::TimeNs now) { begins_ = now; }
  [[nodiscard]] std::vector<std::string>& texts() { return texts_; }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  void on_event(const sim::EventView& event) override {
    hash_ = event.hash;
    if (!begins_ || texts_.size() == events_compared_max) return;
    std::string text = fmt::format(
        "+{} {} {}", event.at - *begins_, event.kind,
        event.actor == sim::no_actor ? "-" : actors_[static_cast<std::uint32_t>(event.actor)].name);
    for (const sim::Field& field : event.fields) text += ' ' + text_of(field);
    texts_.push_back(std::move(text));
  }

 private:
  std::string text_of(const sim::Field& field) {
    const auto* const number = std::get_if<std::int64_t>(&field.value);
    if (number == nullptr) {
      return fmt::format("{}={}", field.name, std::get<std::string_view>(field.value));
    }
    constexpr std::array<std::string_view, 3> named = {"connection", "message", "operation"};
    if (std::find(named.begin(), named.end(), field.name) != named.end()) {
      const auto next = static_cast<std::int64_t>(names_[field.name].size());
      return fmt::format("{}={}", field.name,
                         names_[field.name].emplace(*number, next).first->second);
    }
    if (field.name == "lease_ends_ns" && *number > 0) {
      return fmt::format("{}=+{}", field.name, std::max<std::int64_t>(*number - *begins_, 0));
    }
    if (field.name == "offset") {
      if (!first_offset_) first_offset_ = *number;
      return fmt::format("{}=+{}", field.name, *number - *first_offset_);
    }
    return fmt::format("{}={}", field.name, *number);
  }

  const std::vector<sim::Actor>& actors_;
  std::optional<sim::TimeNs> begins_;
  std::optional<std::int64_t> first_offset_;
  std::map<std::string_view, std::map<std::int64_t, std::int64_t>> names_;
  std::vector<std::string> texts_;
  std::uint64_t hash_ = 0;
};

/// Tells the hash of each moment.
class Hash final : public sim::TraceSink {
 public:
  void on_event(const sim::EventView& event) override { value = event.hash; }
  std::uint64_t value = 0;
};

std::vector<checker::VerdictKind> kinds_of(const RunResult& result) {
  std::vector<checker::VerdictKind> kinds;
  for (const checker::Verdict& verdict : *result.verdicts) kinds.push_back(verdict.kind);
  return kinds;
}

/// Those that look at how things came about, not only at what is believed and true.
bool needs_history(checker::Property property) {
  switch (property) {
    case checker::Property::mutual_exclusion:
    case checker::Property::valid_grant:
    case checker::Property::harm:
    case checker::Property::no_leak:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::uint64_t SparseChoices::draw(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t value =
      given_.size() < prefix_.size() ? prefix_[given_.size()] % count : answer(stream, count);
  given_.push_back(value);
  return value;
}

std::uint64_t SparseChoices::answer(sim::Stream stream, std::uint64_t count) {
  const std::uint64_t nth = asked_[{stream.purpose, stream.owner}]++;
  const std::uint64_t whose = sim::mixed(static_cast<std::uint64_t>(stream.purpose),
                                         (std::uint64_t{stream.owner} << 20) + nth);
  const std::uint64_t bits = sim::mixed(seed_, whose);
  if (stream.purpose == sim::Purpose::token) {
    return (prefix_.empty() ? sim::mix(whose) : bits) % count;  // clients are who they are
  }
  return bits % rarely_ == 0 ? count - 1 : 0;
}

MergedStates find_merged_states(Simulation& simulation, const Search& search) {
  struct Seen {
    std::uint64_t history;
    std::uint64_t seed;
    std::size_t step;
    std::size_t answers;
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Seen> seen;
  struct Met {
    Seen one;
    Seen other;
  };
  std::vector<Met> met;
  MergedStates meetings;
  std::map<std::uint64_t, std::vector<std::uint64_t>> answers;  // by seed
  for (std::uint64_t seed = 1; seed <= search.ways; ++seed) {
    SparseChoices choices({}, seed, search.rarely);
    Hash hash;
    std::size_t step = 0;
    AtSteps listener([&] {
      if (step == search.steps_max) return StepListener::Next::end_run;
      const StateDigest digest = simulation.digest();
      const Seen here{hash.value, seed, step, choices.given().size()};
      const auto [place, is_new] = seen.emplace(std::pair(digest.high, digest.low), here);
      ++meetings.steps;
      if (!is_new && place->second.history != here.history) {
        ++meetings.merged;
        met.push_back({place->second, here});
      }
      ++step;
      return StepListener::Next::go_on;
    });
    simulation.set_step_listener(&listener);
    static_cast<void>(simulation.run(choices, &hash));
    answers[seed] = choices.given();
  }
  simulation.set_step_listener(nullptr);
  meetings.states = seen.size();
  const auto way_of = [&](const Seen& found) {
    const auto& all = answers[found.seed];
    return RunPrefix{{all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found.answers)},
                     found.step,
                     found.history};
  };
  const std::size_t stride = std::max<std::size_t>(met.size() / search.places_max, 1);
  for (std::size_t i = 0; i < met.size() && meetings.places.size() < search.places_max;
       i += stride) {
    meetings.places.push_back({way_of(met[i].one), way_of(met[i].other)});
  }
  return meetings;
}

Continuation continuation_of(Simulation& simulation, const RunPrefix& way, std::uint64_t seed,
                             const std::optional<ContinuationFault>& fault) {
  Continuation future;
  {
    std::size_t step = 0;
    SparseChoices choices(way.answers, seed, 4);
    AtSteps listener([&] {
      return step++ == way.step ? StepListener::Next::end_run : StepListener::Next::go_on;
    });
    simulation.set_step_listener(&listener);
    future.before = kinds_of(simulation.run(choices));
  }
  std::size_t step = 0;
  SparseChoices choices(way.answers, seed, 4);
  FutureEvents events(simulation.actors());
  AtSteps listener([&] {
    const std::size_t at = step++;
    if (at < way.step) return StepListener::Next::go_on;
    if (at == way.step) events.begin(simulation.next_step().at);
    if (fault && at == way.step + fault->before_event) simulation.strike(fault->fault);
    if (future.states.size() < states_compared_max) {
      future.states.push_back(simulation.digest());
      future.parts.push_back(simulation.digest_parts());
    }
    return StepListener::Next::go_on;
  });
  simulation.set_step_listener(&listener);
  const RunResult& result = simulation.run(choices, &events);
  simulation.set_step_listener(nullptr);
  future.after = kinds_of(result);
  future.end = result.end;
  future.events = std::move(events.texts());
  return future;
}

std::string difference(const Simulation& simulation, const Continuation& one,
                       const Continuation& other) {
  // One of them may come to its horizon first.
  const bool both_end = one.end == RunEnd::at_rest && other.end == RunEnd::at_rest;
  const std::size_t last_words = both_end ? 0 : 1;
  const std::size_t common = std::min(one.events.size(), other.events.size());
  for (std::size_t i = 0; i + last_words < common; ++i) {
    if (one.events[i] == other.events[i]) continue;
    std::string before;
    for (std::size_t j = i > 3 ? i - 3 : 0; j < i; ++j) before += "    " + one.events[j] + "\n";
    return fmt::format("event {}:\n{}  one:   {}\n  other: {}", i, before, one.events[i],
                       other.events[i]);
  }
  for (std::size_t i = 0; i < std::min(one.states.size(), other.states.size()); ++i) {
    if (one.states[i] == other.states[i]) continue;
    std::string parts;
    for (std::size_t j = 0; j < std::min(one.parts[i].size(), other.parts[i].size()); ++j) {
      if (one.parts[i][j] == other.parts[i][j]) continue;
      parts += ' ';
      parts += one.parts[i][j].name;
    }
    return fmt::format("the state {} steps later, in{}", i, parts);
  }
  if (!both_end) return {};
  if (one.events.size() != other.events.size()) return "one goes on";
  for (std::size_t i = 0; i < one.after.size(); ++i) {
    const checker::Property property = simulation.judged()[i];
    const bool was_clean = one.before[i] != checker::VerdictKind::violated &&
                           other.before[i] != checker::VerdictKind::violated;
    if (needs_history(property) || !was_clean || one.after[i] == other.after[i]) continue;
    return fmt::format("the verdict on {}", checker::to_string(property));
  }
  return {};
}

}  // namespace lockstep::model::test
