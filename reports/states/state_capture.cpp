// Making a run again, and looking at its hosts between its steps.
//
// A host's state changes only in a step of its own, or where an event of the step is its own (a
// fault that strikes it in another's step); a step that is nobody's may change any. So the work
// grows with the events, not with events times hosts.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "model/trace_vocabulary.h"
#include "reports/states/states.h"
#include "reports/text.h"
#include "reports/trace/lock_state.h"
#include "search/runs/run_record.h"
#include "sim/recorded_choices.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t state_characters_max = 300;
/// Readings are whole nanoseconds, and so is what is worked out of them.
constexpr std::int64_t rounding_ns = 3;

/// Texts with numbers, 0 being the empty one.
class TextNumbers {
 public:
  explicit TextNumbers(std::vector<std::string>& texts) : texts_(texts) { number_of(""); }

  std::uint32_t number_of(const std::string& raw) {
    const auto [place, is_new] = numbers_.emplace(raw, static_cast<std::uint32_t>(texts_.size()));
    if (is_new) texts_.push_back(brief(raw, state_characters_max));
    return place->second;
  }

 private:
  std::vector<std::string>& texts_;
  std::map<std::string, std::uint32_t> numbers_;
};

class StateRecorder final : public model::StepListener, public sim::TraceSink {
 public:
  StateRecorder(model::Simulation& simulation, std::vector<model::RecordedEvent>& events)
      : simulation_(simulation), events_(events), recorder_(events), values_(states_.values) {
    const std::vector<sim::Actor>& actors = simulation.actors();
    host_of_.assign(actors.size(), no_host);
    for (std::uint32_t actor = 0; actor < actors.size(); ++actor) {
      const std::string& kind = actors[actor].kind;
      if (kind == "faults") continue;
      const bool is_thread = kind == "client-thread";
      const std::string& host = is_thread ? actors[actor].group : actors[actor].name;
      const auto [place, is_new] = hosts_by_name_.emplace(host, hosts_.size());
      if (is_new) hosts_.push_back({host, sim::ActorId{actor}, {}, {}, false});
      host_of_[actor] = place->second;
    }
  }

  Next before_step() override {
    look();
    const std::string_view host = simulation_.next_step().host;
    step_host_ = no_host;
    looks_at_all_ = host.empty();
    if (!host.empty()) {
      const auto found = hosts_by_name_.find(host);
      if (found != hosts_by_name_.end()) step_host_ = found->second;
    }
    step_begins_ = events_.size();
    return Next::go_on;
  }

  void on_event(const sim::EventView& event) override {
    recorder_.on_event(event);
    see_lock(events_.back());
    see_belief(events_.back());
  }

  /// Once the run is over.
  States finish() {
    look();
    for (const auto& [key, item] : items_by_name_) order_.push_back({key.first, item});
    number_items();
    std::stable_sort(
        states_.changes.begin(), states_.changes.end(),
        [](const StateChange& one, const StateChange& other) { return one.event < other.event; });
    std::stable_sort(
        states_.clocks.begin(), states_.clocks.end(),
        [](const ClockChange& one, const ClockChange& other) { return one.event < other.event; });
    return std::move(states_);
  }

 private:
  static constexpr std::size_t no_host = SIZE_MAX;
  /// Before all actors.
  static constexpr std::uint32_t of_locks = 0;

  struct SeenHost {
    std::string name;
    sim::ActorId actor;
    model::HostView view;
    model::ClockView clocks_at_change[2];
    bool is_seen;
    sim::TimeNs clocks_since_ns = 0;
    std::uint64_t stamp = 0;
    std::vector<std::uint32_t> items = {};  // that are there
  };
  struct Current {
    std::string value;
    sim::TimeNs ends_ns = sim::never_ns;
    bool is_there = false;
    std::uint64_t stamp = 0;
  };

  /// Sees what the last step has changed.
  void look() {
    ++stamp_;
    if (looks_at_all_) {
      for (std::size_t host = 0; host < hosts_.size(); ++host) look_at(host);
      looks_at_all_ = false;
      return;
    }
    if (step_host_ != no_host) look_at(step_host_);
    for (std::size_t i = step_begins_; i < events_.size(); ++i) {
      if (events_[i].actor == sim::no_actor) continue;
      const std::size_t host = host_of_[static_cast<std::uint32_t>(events_[i].actor)];
      if (host != no_host) look_at(host);
    }
  }

  void look_at(std::size_t number) {
    SeenHost& host = hosts_[number];
    if (host.stamp == stamp_) return;
    host.stamp = stamp_;
    simulation_.look_at(host.name, view_);
    see_clocks(host);
    if (host.is_seen && view_.items == host.view.items) return;
    for (const model::ViewItem& each : view_.items) {
      const std::uint32_t item =
          item_of(static_cast<std::uint32_t>(each.of) + 1, actor_name(each.of), each.name);
      current_[item].stamp = stamp_;
      set(item, event_for(host, each.of), each.value, each.ends_ns);
    }
    for (const std::uint32_t item : host.items) {
      Current& gone = current_[item];
      if (gone.stamp == stamp_ || !gone.is_there) continue;
      gone.is_there = false;
      states_.changes.push_back({event_for(host, owner_of_[item]), item, 0, sim::never_ns});
    }
    host.items.clear();
    for (const model::ViewItem& each : view_.items) {
      host.items.push_back(
          item_of(static_cast<std::uint32_t>(each.of) + 1, actor_name(each.of), each.name));
    }
    host.is_seen = true;
    std::swap(host.view, view_);
  }

  void see_clocks(SeenHost& host) {
    const sim::TimeNs now_ns = view_.at_ns;
    const auto goes_on = [&](const model::ClockView& before, const model::ClockView& now) {
      if (before.rate_ppm != now.rate_ppm) return false;
      const ClockChange change{0, {}, host.clocks_since_ns, before, before};
      const sim::DurationNs off = ahead_at(change, before, now_ns) - now.ahead_ns;
      return off >= -rounding_ns && off <= rounding_ns;
    };
    if (host.is_seen && goes_on(host.clocks_at_change[0], view_.wall) &&
        goes_on(host.clocks_at_change[1], view_.monotonic)) {
      return;
    }
    host.clocks_at_change[0] = view_.wall;
    host.clocks_at_change[1] = view_.monotonic;
    host.clocks_since_ns = now_ns;
    states_.clocks.push_back(
        {event_for(host, host.actor), brief(host.name), now_ns, view_.wall, view_.monotonic});
  }

  [[nodiscard]] const std::string& actor_name(sim::ActorId actor) const {
    return simulation_.actors()[static_cast<std::uint32_t>(actor)].name;
  }

  /// Which event of the last step a change is told by.
  [[nodiscard]] EventIndex event_for(const SeenHost& host, sim::ActorId of) const {
    if (events_.empty()) return 0;
    const EventIndex last = events_.size() - 1;
    if (!host.is_seen) return 0;
    const std::string& kind = simulation_.actors()[static_cast<std::uint32_t>(host.actor)].kind;
    if (kind == "client") {
      for (EventIndex i = events_.size(); i > step_begins_; --i) {
        const sim::ActorId actor = events_[i - 1].actor;
        if (actor == of || actor == host.actor) return i - 1;
      }
      return last;
    }
    std::optional<EventIndex> arrival;
    for (EventIndex i = step_begins_; i < events_.size(); ++i) {
      if (events_[i].actor != host.actor) continue;
      if (events_[i].kind != sim::trace_kind::message_delivered) return i;
      if (!arrival) arrival = i;
    }
    return arrival.value_or(last);
  }

  std::uint32_t item_of(std::uint32_t rank, const std::string& subject, const std::string& name) {
    const auto [place, is_new] = items_by_name_.emplace(
        std::pair(rank, subject + '\n' + name), static_cast<std::uint32_t>(states_.items.size()));
    if (is_new) {
      states_.items.push_back({brief(subject), brief(name, state_characters_max)});
      current_.emplace_back();
      owner_of_.push_back(rank == of_locks ? sim::no_actor : sim::ActorId{rank - 1});
    }
    return place->second;
  }

  void set(std::uint32_t item, EventIndex event, const std::string& value, sim::TimeNs ends_ns) {
    Current& current = current_[item];
    if (current.is_there && current.value == value && current.ends_ns == ends_ns) return;
    current.is_there = true;
    current.value = value;
    current.ends_ns = ends_ns;
    // What is there and says nothing is told from what is not there.
    states_.changes.push_back(
        {event, item, values_.number_of(value.empty() ? std::string("–") : value), ends_ns});
  }

  void see_lock(const model::RecordedEvent& event) {
    const auto tell = [&](std::string_view name, const std::string& value, sim::TimeNs ends_ns) {
      std::string subject = "lock ";
      subject += event.text("lock");
      set(item_of(of_locks, subject, std::string(name)), events_.size() - 1, value, ends_ns);
    };
    if (event.kind == model::trace_kind::lock_changed) {
      const std::int64_t ends_ns = event.number("lease_ends_ns", -1);
      tell("truly held by", holders_in_words(holders_from(event.text("holders"))),
           ends_ns < 0 || event.text("holders").empty() ? sim::never_ns : ends_ns);
    } else if (event.kind == model::trace_kind::queue_changed) {
      const std::string_view owners = event.text("owners");
      tell("queue", owners.empty() ? std::string("empty") : std::string(owners), sim::never_ns);
    } else if (event.kind == model::trace_kind::number_changed) {
      tell("left", std::to_string(event.number("left")), sim::never_ns);
    }
  }

  void see_belief(const model::RecordedEvent& event) {
    const bool begins = event.kind == model::trace_kind::belief_began;
    if (!begins && event.kind != model::trace_kind::belief_ended) return;
    const bool is_shared = event.text("mode") == "shared";
    std::string name = "believes in ";
    name.append(event.text("lock")).append(is_shared ? " (shared)" : "");
    const std::uint32_t item =
        item_of(static_cast<std::uint32_t>(event.actor) + 1, actor_name(event.actor), name);
    const std::int64_t permits = event.number("permits", 1);
    if (begins) {
      set(item, events_.size() - 1,
          permits == 1 ? std::string("has it") : fmt::format("has {} permits", permits),
          sim::never_ns);
    } else if (current_[item].is_there) {
      current_[item].is_there = false;
      states_.changes.push_back({events_.size() - 1, item, 0, sim::never_ns});
    }
  }

  /// Gives the items their places: the locks' first, then by actor, each as they were first seen.
  void number_items() {
    std::sort(order_.begin(), order_.end());
    std::vector<std::uint32_t> place(order_.size());
    std::vector<StateItem> items;
    items.reserve(order_.size());
    for (const auto& [rank, item] : order_) {
      place[item] = static_cast<std::uint32_t>(items.size());
      items.push_back(std::move(states_.items[item]));
    }
    states_.items = std::move(items);
    for (StateChange& change : states_.changes) change.item = place[change.item];
  }

  model::Simulation& simulation_;
  std::vector<model::RecordedEvent>& events_;
  model::TraceRecorder recorder_;
  States states_;
  TextNumbers values_;
  model::HostView view_;
  std::vector<SeenHost> hosts_;
  std::map<std::string, std::size_t, std::less<>> hosts_by_name_;
  std::vector<std::size_t> host_of_;  // by actor
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> items_by_name_;
  std::vector<Current> current_;        // by item
  std::vector<sim::ActorId> owner_of_;  // by item
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order_;
  std::size_t step_host_ = no_host;
  std::size_t step_begins_ = 0;
  std::uint64_t stamp_ = 0;
  bool looks_at_all_ = true;  // before the first step, too
};

}  // namespace

CapturedStates capture_states(const scenario::Scenario& scenario, const search::RunRecord& example,
                              model::Engine& engine) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  sim::ReplayedChoices choices(example.trace.choices);
  model::RecordedTrace found;
  StateRecorder taker(*simulation, found.events);
  simulation->set_step_listener(&taker);
  const model::RunResult& result = simulation->run(choices, &taker);
  simulation->set_step_listener(nullptr);
  CapturedStates taken{taker.finish(), {}};
  if (result.hash == example.trace.hash) return taken;
  found.actors = simulation->actors();
  // First what explains the rest.
  if (simulation->lock_digest() != example.lock_digest) {
    taken.difference = "The lock's files have changed since the trace was made. ";
  }
  if (choices.divergence()) taken.difference += *choices.divergence() + ". ";
  taken.difference += search::first_difference(example.trace, found);
  return taken;
}

}  // namespace lockstep::reports
