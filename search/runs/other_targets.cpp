#include "search/runs/other_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/faults/slow_network.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/faults/triggers.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/milestones.h"
#include "scenario/options.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "search/runs/moved_faults.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::search {
namespace {

using scenario::Trigger;

bool takes_a_lock(const scenario::ClientSpec& client) {
  bool takes = false;
  for (const scenario::ThreadSpec& thread : client.threads) {
    scenario::visit_possible_steps(thread, [&takes](const scenario::Step& step) {
      takes |= scenario::form_of(step.kind).role == scenario::StepRole::takes;
    });
  }
  return takes;
}

/// What else goes when `when` says when it strikes: the keys of the file, but for `when`.
std::string in_place_of(const scenario::FaultSpec& fault) {
  const Trigger& trigger = fault.trigger;
  const bool is_repeated = trigger.every_ns > 0;
  std::vector<std::string_view> keys;
  if (!trigger.when && (!is_repeated || trigger.after_ns > 0)) keys.emplace_back("at");
  if (trigger.when && trigger.after_ns > 0) keys.emplace_back("after");
  if (trigger.when && trigger.after_ns < 0) keys.emplace_back("before");
  if (is_repeated) keys.emplace_back("every");
  if (trigger.times != (is_repeated ? Trigger::always : 1)) keys.emplace_back("times");
  if (keys.empty()) return "while it has the lock";
  return fmt::format("in place of {}", fmt::join(keys, " and "));
}

/// It is what an operator does when a master has died.
bool follows_an_end(const scenario::Scenario& scenario, const scenario::FaultSpec& fault) {
  if (fault.kind != scenario::FaultKind::promote && fault.kind != scenario::FaultKind::restart) {
    return false;
  }
  const std::string_view master = std::string_view(fault.target).substr(0, fault.target.find('-'));
  return std::any_of(
      scenario.faults.begin(), scenario.faults.end(),
      [&](const scenario::FaultSpec& each) { return ends_master(each) && each.target == master; });
}

LikelyChange moved_to(std::size_t fault, const Trigger& trigger, std::string line) {
  return {LikelyChange::Part::moment, fault, std::move(line),
          [fault, trigger](scenario::Scenario& changed) {
            scenario::FaultSpec& moved = changed.faults[fault];
            std::erase_if(moved.open, [](const scenario::OpenDuration& each) {
              return each.what == scenario::OpenDuration::What::after;
            });
            moved.trigger = trigger;
          }};
}

/// What an operator does, once its master has died, wherever that fault is moved to.
LikelyChange behind_the_end(const scenario::Scenario& scenario, std::size_t fault,
                            const std::string& of_fault) {
  const scenario::FaultSpec& struck = scenario.faults[fault];
  const std::string master = struck.target.substr(0, struck.target.find('-'));
  const auto end = std::find_if(
      scenario.faults.begin(), scenario.faults.end(),
      [&](const scenario::FaultSpec& each) { return ends_master(each) && each.target == master; });
  Trigger trigger;
  trigger.when = Trigger::When{master, *scenario::form_of(end->kind).milestone, {}};
  return at_moment(struck, fault, trigger, of_fault);
}

/// A replica that is behind from then on lacks what is taken, and has what was set up for it.
std::optional<LikelyChange> before_it_is_taken(const scenario::Scenario& scenario,
                                               std::size_t fault, const std::string& of_fault) {
  const scenario::FaultSpec& struck = scenario.faults[fault];
  if (!keeps_replica_behind(struck.kind) || struck.trigger.when) return std::nullopt;
  sim::DurationNs taken_ns = sim::never_ns;
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (takes_a_lock(client)) taken_ns = std::min(taken_ns, client.start_ns);
  }
  const sim::DurationNs at_ns = taken_ns - sim::millisecond_ns;
  if (at_ns < 0 || at_ns >= struck.trigger.after_ns) return std::nullopt;
  Trigger sooner = struck.trigger;
  sooner.after_ns = at_ns;
  return moved_to(fault, sooner,
                  fmt::format("at = \"{}\"  # {}before it is taken",
                              scenario::format_duration(at_ns), of_fault));
}

bool sets_a_number(const scenario::Scenario& scenario) {
  bool sets = false;
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      scenario::visit_possible_steps(thread, [&sets](const scenario::Step& step) {
        sets |= step.kind == scenario::StepKind::try_set_count;
      });
    }
  }
  return sets;
}

/// Of a latch, which nobody takes.
LikelyChange as_it_is_set(const scenario::Scenario& scenario, std::size_t fault,
                          const std::string& of_fault) {
  const scenario::FaultSpec& struck = scenario.faults[fault];
  Trigger trigger;
  trigger.when = Trigger::When{struck.target, scenario::Milestone::executed, "try_set_count"};
  return at_moment(struck, fault, trigger, of_fault);
}

// -- what the network makes slow --

using model::SlowPart;
using scenario::Scenario;

constexpr sim::Latency always(sim::DurationNs delay_ns) { return {delay_ns, delay_ns}; }

void set_latency(Scenario& changed, const SlowPart& part, sim::DurationNs way_ns) {
  for (scenario::LinkSpec& link : changed.links) {
    if (link.from == part.from && link.to == part.to) link.latency = always(way_ns);
  }
  for (scenario::NodeSpec& node : changed.redis.nodes) {
    if (!part.is_link() && node.name == part.from) node.latency = always(bearable_ns);
  }
}

/// Of both ways of a link: one alone helps nobody where the other is as slow.
LikelyChange easy_link(const std::vector<SlowPart>& parts) {
  std::string lines;
  for (const SlowPart& part : parts) {
    lines += fmt::format(
        "{}latency = \"{}\"  # of the link from {} to {}: slow, and answers come in "
        "time",
        lines.empty() ? "" : "\n", scenario::format_duration(easy_way_ns), part.from, part.to);
  }
  return {LikelyChange::Part::latency, 0, std::move(lines), [parts](Scenario& changed) {
            for (const SlowPart& part : parts) set_latency(changed, part, easy_way_ns);
          }};
}

LikelyChange another_latency(const SlowPart& part, std::size_t place) {
  const std::string where = part.is_link()
                                ? fmt::format("of the link from {} to {}", part.from, part.to)
                                : fmt::format("in [redis.nodes.{}]", part.from);
  return {
      LikelyChange::Part::latency, place,
      fmt::format("latency = \"{}\"  # {}: a good part of what clients wait for an answer",
                  scenario::format_duration(part.is_link() ? bearable_way_ns : bearable_ns), where),
      [part](Scenario& changed) { set_latency(changed, part, bearable_way_ns); }};
}

bool is_client(const Scenario& scenario, std::string_view host) {
  return std::any_of(scenario.clients.begin(), scenario.clients.end(),
                     [host](const scenario::ClientSpec& each) { return each.name == host; });
}

LikelyChange link_to(const std::string& client, const std::string& master) {
  return {LikelyChange::Part::target, 0,
          fmt::format("[[link]]  # to the node that has the lock\n"
                      "from    = \"{}\"\nto      = \"{}\"\nlatency = \"{}\"",
                      client, master, scenario::format_duration(bearable_way_ns)),
          [client, master](Scenario& changed) {
            changed.links.push_back({client, master, always(bearable_way_ns)});
          }};
}

LikelyChange node_at(const std::string& master) {
  return {LikelyChange::Part::target, 0,
          fmt::format("[redis.nodes.{}]  # the node that has the lock\nlatency = \"{}\"", master,
                      scenario::format_duration(bearable_ns)),
          [master](Scenario& changed) {
            scenario::NodeSpec node;
            node.name = master;
            node.latency = always(bearable_ns);
            changed.redis.nodes.push_back(node);
          }};
}

bool names_node(const Scenario& scenario, std::string_view name) {
  return std::any_of(scenario.redis.nodes.begin(), scenario.redis.nodes.end(),
                     [name](const scenario::NodeSpec& each) { return each.name == name; });
}

bool has_link(const Scenario& scenario, std::string_view from, std::string_view to) {
  return std::any_of(
      scenario.links.begin(), scenario.links.end(),
      [&](const scenario::LinkSpec& each) { return each.from == from && each.to == to; });
}

// -- answers that come in time --

constexpr sim::DurationNs slow_ns = 20 * sim::millisecond_ns;
/// A call goes there and back, and has to connect first.
constexpr std::int64_t ways_of_call = 4;
/// What libraries wait for an answer at least; what waits for less does so on purpose.
constexpr sim::DurationNs patient_ns = sim::second_ns;

bool is_of_way(const scenario::FaultSpec& fault) {
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  if (form.amount != scenario::Amount::duration ||
      form.target.kind == scenario::TargetKind::replica)
    return false;
  return form.theme != scenario::Theme::message || fault.message_label == scenario::any_message;
}

/// How long a message takes at most.
sim::DurationNs slowest_way_ns(const Scenario& scenario) {
  sim::DurationNs slowest_ns = scenario.latency.delay_ns_max;
  for (const scenario::FaultSpec& fault : scenario.faults) {
    if (!is_of_way(fault)) continue;
    const scenario::OpenDuration* const range = fault.find_open(scenario::OpenDuration::What::by);
    slowest_ns = std::max(slowest_ns, range == nullptr ? fault.by_ns : range->max_ns);
  }
  for (const model::SlowPart& part : model::slow_parts(scenario)) {
    slowest_ns = std::max(slowest_ns, part.by_ns);
  }
  return slowest_ns;
}

/// Still slow, and short enough for calls that wait for some seconds.
void add_bearable_latencies(const Scenario& scenario, std::vector<LikelyChange>& changes) {
  for (const sim::DurationNs most_ns : {700 * sim::millisecond_ns, 200 * sim::millisecond_ns}) {
    const sim::Latency now = scenario.latency;
    if (now.delay_ns_max <= most_ns) continue;
    const sim::Latency bearable{std::min(now.delay_ns_min, most_ns / 2), most_ns};
    changes.push_back(
        {LikelyChange::Part::latency, 0,
         fmt::format("latency = \"{}\"  # in [redis]: still slow, and answers come in time",
                     scenario::write_range(bearable.delay_ns_min, bearable.delay_ns_max)),
         [bearable](Scenario& changed) { changed.latency = bearable; }});
  }
}

void add_patience(const Scenario& scenario, sim::DurationNs timeout_ns, sim::DurationNs way_ns,
                  std::vector<LikelyChange>& changes) {
  constexpr sim::DurationNs longest_ns = 60 * sim::second_ns;
  const sim::DurationNs step_ns = 100 * sim::millisecond_ns;
  const sim::DurationNs patience_ns = (ways_of_call * way_ns + step_ns - 1) / step_ns * step_ns;
  if (patience_ns <= timeout_ns || patience_ns > longest_ns) return;
  const std::string why = fmt::format("hardly an answer comes within the lock's own timeout, {}",
                                      scenario::format_duration(timeout_ns));
  const std::string line = fmt::format("timeout = \"{}\"", scenario::format_duration(patience_ns));
  changes.push_back({LikelyChange::Part::patience, 0,
                     scenario.options.empty() ? fmt::format("[options]  # {}\n{}", why, line)
                                              : fmt::format("{}  # in [options]: {}", line, why),
                     [patience_ns](Scenario& changed) {
                       changed.options.insert_or_assign("timeout_ms",
                                                        patience_ns / sim::millisecond_ns);
                     }});
}

}  // namespace

bool is_aside(const scenario::Scenario& scenario, const std::string& host) {
  const bool is_sentinel = scenario.redis.topology == scenario::TopologyKind::sentinel &&
                           host.size() == 2 && host.front() == 's';
  return is_sentinel || host.find("-replica-") != std::string::npos;
}

void retarget(scenario::Scenario& changed, std::size_t fault, const std::string& other) {
  const std::string before = std::exchange(changed.faults[fault].target, other);
  for (scenario::FaultSpec& each : changed.faults) {
    if (each.trigger.when && each.trigger.when->actor == before) each.trigger.when->actor = other;
  }
}

std::vector<LikelyChange> changes_to_masters(const scenario::Scenario& scenario, std::size_t index,
                                             const std::string& of_fault) {
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& fault = scenario.faults[index];
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  const bool is_pair = !fault.other.empty();
  if (form.target.kind == scenario::TargetKind::replica) return changes;
  const bool is_of_shard = is_pair && scenario.redis.masters > 1;
  if (!is_of_shard && !is_aside(scenario, is_pair ? fault.other : fault.target)) return changes;
  for (std::uint32_t n = 1; n <= std::min(scenario.redis.masters, masters_tried_max); ++n) {
    const std::string master = fmt::format("n{}", n);
    if (is_pair && (fault.target == master || fault.other == master)) continue;
    const std::string value = is_pair ? fmt::format("[\"{}\", \"{}\"]", fault.target, master)
                                      : fmt::format("\"{}\"", master);
    changes.push_back({LikelyChange::Part::target, index,
                       fmt::format("{} = {}  # {}a master", form.word, value, of_fault),
                       [index, master, is_pair](scenario::Scenario& changed) {
                         if (!is_pair) return retarget(changed, index, master);
                         changed.faults[index].other = master;
                       }});
  }
  return changes;
}

bool keeps_replica_behind(scenario::FaultKind kind) {
  return kind == scenario::FaultKind::lag || kind == scenario::FaultKind::stall ||
         kind == scenario::FaultKind::disconnect;
}

std::optional<std::size_t> struck_client(const scenario::Scenario& scenario,
                                         const scenario::FaultSpec& fault) {
  const scenario::Participants participants(scenario.redis, scenario.clients);
  for (const std::string* name : {&fault.target, &fault.other}) {
    const scenario::Participant* const found = participants.find(*name);
    if (found == nullptr || found->role != scenario::ParticipantKind::client) continue;
    if (takes_a_lock(scenario.clients[found->number])) return found->number;
  }
  return std::nullopt;
}

LikelyChange at_moment(const scenario::FaultSpec& struck, std::size_t fault, const Trigger& trigger,
                       const std::string& of_fault) {
  return moved_to(fault, trigger,
                  fmt::format("when = \"{}\"  # {}{}", scenario::write_when(*trigger.when),
                              of_fault, in_place_of(struck)));
}

std::optional<Trigger> as_it_acquires(const scenario::Scenario& scenario, std::size_t client) {
  if (!takes_a_lock(scenario.clients[client])) return std::nullopt;
  Trigger trigger;
  trigger.when = Trigger::When{scenario.clients[client].name, scenario::Milestone::acquired, {}};
  return trigger;
}

std::vector<LikelyChange> changes_to_step(const Scenario& scenario, const RunRecord& example,
                                          std::size_t fault, std::uint64_t runs_struck,
                                          const std::string& of_fault) {
  constexpr std::size_t tried_max = 3;
  const scenario::FaultSpec& struck = scenario.faults[fault];
  const std::optional<Trigger::When>& when = struck.trigger.when;
  if (!when || when->kind != Trigger::When::Kind::milestone) return {};
  const bool is_of_nothing = when->milestone == scenario::Milestone::executed && runs_struck == 0;
  const bool is_of_release = when->milestone == scenario::Milestone::releasing;
  std::vector<ExecutedStep> steps;
  std::string asker = when->requested_by;
  if (is_of_nothing) steps = steps_of(example, when->actor, asker);
  if (is_of_release) {
    asker = when->actor;
    steps = steps_of_release(example);
    if (!steps.empty()) steps.pop_back();  // behind which there is nothing left to do
  }
  steps.resize(std::min(steps.size(), tried_max));
  std::vector<LikelyChange> changes;
  for (const ExecutedStep& step : steps) {
    Trigger trigger = struck.trigger;
    trigger.when = Trigger::When{step.node, scenario::Milestone::executed, step.name};
    trigger.when->requested_by = asker;
    changes.push_back(
        {LikelyChange::Part::moment, fault,
         fmt::format("when = \"{}\"  # {}{}", scenario::write_when(*trigger.when), of_fault,
                     is_of_release ? "between the steps of its release" : "it is called so"),
         [fault, trigger](Scenario& changed) { changed.faults[fault].trigger = trigger; }});
    changes.back().is_correction = is_of_nothing;
  }
  return changes;
}

std::vector<LikelyChange> changes_to_moment(const scenario::Scenario& scenario, std::size_t fault,
                                            const std::string& of_fault) {
  std::vector<LikelyChange> changes;
  if (const auto sooner = before_it_is_taken(scenario, fault, of_fault)) changes.push_back(*sooner);
  const scenario::FaultSpec& struck = scenario.faults[fault];
  const bool needs_one =
      scenario::form_of(struck.kind).timing.onset == scenario::DefaultOnset::must_be_given;
  const std::optional<std::size_t> client = struck_client(scenario, struck);
  if (!needs_one || (struck.trigger.when && !client)) return changes;
  if (follows_an_end(scenario, struck)) {
    // Who has a lock to lose has it sooner.
    if (!struck.trigger.when && sets_a_number(scenario))
      changes.push_back(behind_the_end(scenario, fault, of_fault));
    return changes;
  }
  // Who asks what happens as a lease ends is to have one that does.
  const bool is_of_lease =
      struck.trigger.when && struck.trigger.when->kind == Trigger::When::Kind::lease_end;
  if (is_of_lease) return changes;
  const auto add = [&](std::size_t of_client) {
    const std::optional<Trigger> trigger = as_it_acquires(scenario, of_client);
    if (!trigger || trigger == struck.trigger) return;
    changes.push_back(at_moment(struck, fault, *trigger, of_fault));
  };
  if (client) add(*client);
  if (client != 0 && !struck.trigger.when) add(0);
  if (changes.empty() && ends_master(struck) && sets_a_number(scenario)) {
    changes.push_back(as_it_is_set(scenario, fault, of_fault));
  }
  return changes;
}

std::vector<LikelyChange> changes_to_network(const Scenario& scenario) {
  constexpr std::size_t parts_max = 2;
  std::vector<LikelyChange> changes;
  std::vector<SlowPart> parts = model::slow_parts(scenario);
  if (parts.empty()) return changes;
  if (parts.size() > parts_max) parts.resize(parts_max);
  for (std::size_t i = 0; i < parts.size(); ++i) changes.push_back(another_latency(parts[i], i));
  const bool are_links = std::all_of(parts.begin(), parts.end(), [](const SlowPart& each) {
    return each.is_link() && each.by_ns > easy_way_ns;
  });
  if (are_links) changes.push_back(easy_link(parts));
  const SlowPart& part = parts.front();
  const bool is_from_client = is_client(scenario, part.from);
  if (part.is_link() && !is_from_client && !is_client(scenario, part.to)) return changes;
  const std::string& client = is_from_client ? part.from : part.to;
  for (std::uint32_t number = 1; number <= std::min(scenario.redis.masters, masters_tried_max);
       ++number) {
    const std::string master = fmt::format("n{}", number);
    if (part.is_link() && !has_link(scenario, client, master)) {
      changes.push_back(link_to(client, master));
    }
    if (!part.is_link() && !names_node(scenario, master)) changes.push_back(node_at(master));
  }
  return changes;
}

std::vector<LikelyChange> changes_to_answers(const Scenario& scenario, sim::DurationNs timeout_ns) {
  std::vector<LikelyChange> changes;
  const sim::DurationNs way_ns = slowest_way_ns(scenario);
  if (way_ns < slow_ns) return changes;
  if (timeout_ns < patient_ns) add_patience(scenario, timeout_ns, way_ns, changes);
  add_bearable_latencies(scenario, changes);
  const bool is_of_faults = scenario.latency.delay_ns_max < slow_ns;
  if (timeout_ns >= patient_ns && !is_of_faults) {
    add_patience(scenario, timeout_ns, way_ns, changes);
  }
  return changes;
}

std::vector<LikelyChange> changes_to_majority(const Scenario& scenario, std::size_t index) {
  constexpr std::uint32_t least = 3;
  constexpr std::uint32_t most = 7;
  const scenario::FaultSpec& fault = scenario.faults[index];
  const std::uint32_t masters = scenario.redis.masters;
  const bool votes = scenario.redis.topology == scenario::TopologyKind::independent;
  if (!votes || masters < least || masters > most) return {};
  std::vector<scenario::FaultSpec> more;
  for (std::uint32_t number = 1; number <= masters && more.size() < masters / 2; ++number) {
    scenario::FaultSpec another = fault;
    std::string& master = is_client(scenario, fault.target) ? another.other : another.target;
    const std::string name = fmt::format("n{}", number);
    if (master == name || master.find('-') != std::string::npos) continue;
    master = name;
    more.push_back(std::move(another));
  }
  std::string lines;
  for (const scenario::FaultSpec& each : more) {
    const std::string text = scenario::write_fault(each);
    lines += fmt::format("{}[[fault]]  # of a majority of the masters, too\n{}",
                         lines.empty() ? "" : "\n\n", text.substr(text.find('\n') + 1));
    while (lines.ends_with('\n')) lines.pop_back();
  }
  if (more.empty()) return {};
  return {{LikelyChange::Part::cluster, index, lines, [more](Scenario& changed) {
             changed.faults.insert(changed.faults.end(), more.begin(), more.end());
           }}};
}

std::vector<LikelyChange> changes_to_master_and_back(const Scenario& scenario, std::size_t index,
                                                     const std::string& of_fault) {
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& fault = scenario.faults[index];
  const bool has_restart =
      std::any_of(scenario.faults.begin(), scenario.faults.end(),
                  [](const auto& each) { return each.kind == scenario::FaultKind::restart; });
  if (!ends_master(fault) || has_restart || scenario.redis.replicas > 0) return changes;
  const std::uint32_t masters = std::min(scenario.redis.masters, masters_tried_max);
  for (std::uint32_t number = 1; number <= masters; ++number) {
    const std::string master = fmt::format("n{}", number);
    if (master == fault.target) continue;
    scenario::FaultSpec restart = scenario::fault_of(scenario::FaultKind::restart);
    restart.target = master;
    restart.trigger.when = Trigger::When{master, *scenario::form_of(fault.kind).milestone, {}};
    changes.push_back({LikelyChange::Part::target, index,
                       fmt::format("{} = \"{}\"  # {}the master that has the lock\n\n"
                                   "[[fault]]  # it comes back with what its disk has\n"
                                   "restart = \"{}\"\nwhen    = \"{}\"",
                                   scenario::form_of(fault.kind).word, master, of_fault, master,
                                   scenario::write_when(*restart.trigger.when)),
                       [index, master, restart](Scenario& changed) {
                         retarget(changed, index, master);
                         changed.faults.push_back(restart);
                       }});
  }
  return changes;
}

std::vector<LikelyChange> longer_patience(const Scenario& scenario, sim::DurationNs timeout_ns) {
  std::vector<LikelyChange> changes;
  const bool is_any = std::any_of(scenario.faults.begin(), scenario.faults.end(), is_of_way);
  constexpr sim::DurationNs more_ns = 100 * sim::millisecond_ns;  // the network takes some itself
  if (is_any && timeout_ns >= patient_ns) {
    add_patience(scenario, timeout_ns, bearable_way_ns + more_ns, changes);
  }
  return changes;
}

}  // namespace lockstep::search
