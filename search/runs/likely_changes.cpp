#include "search/runs/likely_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/faults/slow_network.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/workload_spec.h"
#include "search/runs/other_callers.h"
#include "search/runs/other_messages.h"
#include "search/runs/other_targets.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::search {
namespace {

using scenario::ClientSpec;
using scenario::FaultKind;
using scenario::FaultSpec;
using scenario::Scenario;
using Part = LikelyChange::Part;

/// Masters are named n1, n2, …; replicas n1-replica-1.
bool is_of_master(const FaultSpec& fault) {
  return fault.target.starts_with("n") && fault.target.find('-') == std::string::npos;
}

/// Nobody would write 112s.
sim::DurationNs in_round_numbers(sim::DurationNs duration_ns) {
  constexpr sim::DurationNs minute_ns = 60 * sim::second_ns;
  constexpr sim::DurationNs exact_ns = 100 * sim::second_ns;
  if (duration_ns <= exact_ns) return duration_ns;
  return (duration_ns + minute_ns - 1) / minute_ns * minute_ns;
}

/// What the file says in place of a range.
void close_range(FaultSpec& fault, scenario::OpenDuration::What what) {
  std::erase_if(fault.open,
                [what](const scenario::OpenDuration& each) { return each.what == what; });
}

/// All that can be changed of an outcome's scenario, the likeliest first.
class Changes {
 public:
  Changes(const ScenarioOutcome& outcome, const LockHabits& habits)
      : scenario_(*outcome.scenario),
        example_(outcome.example),
        probes_(outcome.probes),
        habits_(habits),
        has_leases_(outcome.longest_lease_ns > 0) {
    const sim::DurationNs lease_ns = std::max(outcome.longest_lease_ns, 5 * sim::second_ns);
    beyond_lease_ns_ = in_round_numbers(in_whole_seconds(2 * lease_ns) + sim::second_ns);
    // Longer than any fault needs, and nobody oversleeps.
    const sim::DurationNs longest_hold_ns = 30 * sim::second_ns;
    within_lease_ns_ = outcome.longest_lease_ns == 0
                           ? 5 * sim::second_ns
                           : in_whole_seconds(std::min(lease_ns / 2, longest_hold_ns));
    if (const sim::DurationNs later_ns = outcome.later_horizon_ns; later_ns > 0) {
      add(Part::horizon, 0, outcome.later_horizon(),
          [later_ns](Scenario& changed) { changed.horizon_ns = later_ns; });
    }
    add_all(changes_to_answers(scenario_, habits.timeout_ns));
    for (std::size_t i = 0; i < std::min(scenario_.faults.size(), faults_max); ++i) {
      add_changes_of_fault(i);
    }
    add_all(changes_to_network(scenario_));
    add_failover_of_slow_replica();
    add_changes_of_cluster();
    for (std::size_t i = 0; i < std::min(scenario_.faults.size(), faults_max); ++i) {
      add_missed_renewals(i, scenario_.faults[i]);
    }
    add_all(changes_to_callers(scenario_, within_lease_ns_));
    add_all(longer_patience(scenario_, habits.timeout_ns));
    if (!scenario_.faults.empty()) {
      add_all(changes_to_master_and_back(scenario_, 0, of_fault(0)));
    }
  }

  [[nodiscard]] std::vector<LikelyChange> take() { return std::move(changes_); }

 private:
  /// Of a file with many faults the first ones have to do.
  static constexpr std::size_t faults_max = 2;

  void add(Part part, std::size_t fault, std::string lines, std::function<void(Scenario&)> apply) {
    changes_.push_back({part, fault, std::move(lines), std::move(apply)});
  }

  void add_all(std::vector<LikelyChange> changes) {
    for (LikelyChange& each : changes) changes_.push_back(std::move(each));
  }

  /// Which fault a line belongs to, where there are several.
  [[nodiscard]] std::string of_fault(std::size_t fault) const {
    if (scenario_.faults.size() == 1) return {};
    return fmt::format("of \"{}\": ", scenario_.faults[fault].describe());
  }

  void add_table(Part part, std::string_view why, std::string_view keys, FaultSpec fault) {
    add(part, 0, fmt::format("[[fault]]  # {}\n{}", why, keys),
        [fault = std::move(fault)](Scenario& changed) { changed.faults.push_back(fault); });
  }

  // -- faults --

  void add_changes_of_fault(std::size_t index) {
    const FaultSpec& fault = scenario_.faults[index];
    const scenario::FaultForm& form = scenario::form_of(fault.kind);
    add_all(
        changes_to_step(scenario_, example_, index, probes_[index].runs_struck, of_fault(index)));
    add_longer(index, fault, form);
    add_all(changes_to_moment(scenario_, index, of_fault(index)));
    add_all(changes_to_masters(scenario_, index, of_fault(index)));
    add_named_target(index, fault, form);
    add_end(index, fault, form);
    add_other_masters(index, fault, form);
    const bool is_between = form.target.kind == scenario::TargetKind::pair ||
                            form.target.kind == scenario::TargetKind::directed_pair;
    if (is_between && form.amount == scenario::Amount::none) add_lease_of_hold(index, fault);
    if (is_between) add_all(changes_to_majority(scenario_, index));
    if (form.theme != scenario::Theme::message) return;
    if (form.amount == scenario::Amount::duration) add_every_message(index, fault);
    add_some_messages(index, fault);
    const bool is_of_nothing = index < probes_.size() && probes_[index].runs_struck == 0;
    if (!is_of_nothing && fault.message_label != scenario::any_message) return;
    add_all(changes_to_message(scenario_, example_, index, is_of_nothing, of_fault(index)));
    add_renewals(index, form);
  }

  /// One of those of whom it strikes one.
  void add_named_target(std::size_t index, const FaultSpec& fault,
                        const scenario::FaultForm& form) {
    for (const std::string& each : fault.targets) {
      add(Part::target, index,
          fmt::format("{} = \"{}\"  # {}always this one", form.word, each, of_fault(index)),
          [index, each](Scenario& changed) {
            changed.faults[index].targets.clear();
            changed.faults[index].target = each;
          });
    }
  }

  /// Who waits is to be served once the last fault is over.
  void add_end(std::size_t index, const FaultSpec& fault, const scenario::FaultForm& form) {
    if (!scenario::lasts(form) || fault.for_ns) return;
    constexpr sim::DurationNs soon_ns = 3 * sim::second_ns;
    add(Part::length, index,
        fmt::format("for = \"{}\"  # {}it ends while somebody still waits",
                    scenario::format_duration(soon_ns), of_fault(index)),
        [index, soon_ns](Scenario& changed) { changed.faults[index].for_ns = soon_ns; });
  }

  /// Why it is to take less, or more.
  [[nodiscard]] std::string bearable_for(const FaultSpec& fault) const {
    if (habits_.timeout_ns == 0 || fault.by_ns < habits_.timeout_ns) {
      return "a good part of what clients wait for an answer";
    }
    return fmt::format("an answer that takes {} is not waited for: clients give up after {}",
                       scenario::format_duration(fault.by_ns),
                       scenario::format_duration(habits_.timeout_ns));
  }

  void add_longer(std::size_t index, const FaultSpec& fault, const scenario::FaultForm& form) {
    const std::string bearable = bearable_for(fault);
    // (One late message is another matter: add_every_message.)
    const bool is_of_way =
        form.amount == scenario::Amount::duration &&
        (form.theme != scenario::Theme::message || fault.times == scenario::unlimited_times);
    // (Who gets no answer at all learns nothing of slowness: what is bearable comes first.)
    const bool is_of_host = form.amount == scenario::Amount::short_duration;
    if (is_of_way) add_by(index, fault, bearable_way_ns, bearable);
    if (is_of_way || is_of_host) add_by(index, fault, bearable_ns, bearable);
    if (is_of_way && fault.by_ns > easy_way_ns) {
      add_by(index, fault, easy_way_ns, "slow, and answers come in time");
    }
    if (is_of_way || is_of_host) add_shorter_lease(index, fault);
    add_length(index, fault, form, beyond_lease_ns_, has_leases_ ? "beyond the lease" : "for long");
    add_length(index, fault, form, within_lease_ns_,
               has_leases_ ? "a good part of the lease" : "for a while");
    if (form.amount == scenario::Amount::step && fault.by_ns >= 0) {
      add_by(index, fault, beyond_lease_ns_, has_leases_ ? "beyond the lease" : "far");
    }
  }

  void add_by(std::size_t index, const FaultSpec& fault, sim::DurationNs by_ns,
              std::string_view why) {
    if (fault.by_ns == by_ns) return;
    add(Part::length, index,
        fmt::format("by = \"{}\"  # {}{}", scenario::format_duration(by_ns), of_fault(index), why),
        [index, by_ns](Scenario& changed) {
          close_range(changed.faults[index], scenario::OpenDuration::What::by);
          changed.faults[index].by_ns = by_ns;
        });
  }

  static sim::DurationNs held_by(const std::vector<scenario::Step>& steps) {
    sim::DurationNs held_ns = 0;
    for (const scenario::Step& step : steps) {
      held_ns += step.duration_ns_max.value_or(step.duration_ns);
    }
    return held_ns;
  }

  /// Of a lease much longer than a client waits for an answer no call takes a part worth speaking
  /// of.
  void add_shorter_lease(std::size_t index, const FaultSpec& fault) {
    constexpr sim::DurationNs usual_ns = 5 * sim::second_ns;
    const ClientSpec& client = struck_or_first(fault);
    const sim::DurationNs held_ns = held_by(client.threads.front().steps);
    add_lease(index, client, std::max(usual_ns, in_whole_seconds(held_ns) + sim::second_ns),
              "a lease of which a late call takes a good part");
  }

  /// What is held back, or sent again, comes when another may have the lock.
  void add_lease_of_hold(std::size_t index, const FaultSpec& fault) {
    const ClientSpec& client = struck_or_first(fault);
    const sim::DurationNs held_ns = held_by(client.threads.front().steps);
    if (held_ns < sim::second_ns) return;
    add_lease(index, client, in_whole_seconds(held_ns) + sim::second_ns,
              "a lease that ends soon after it gives the lock back");
  }

  [[nodiscard]] const ClientSpec& struck_or_first(const FaultSpec& fault) const {
    return scenario_.clients[struck_client(scenario_, fault).value_or(0)];
  }

  void add_lease(std::size_t index, const ClientSpec& client, sim::DurationNs lease_ns,
                 std::string_view why) {
    if (client.threads.size() != 1 || client.threads.front().generate) return;
    std::vector<scenario::Step> steps = client.threads.front().steps;
    bool is_shorter = false;
    for (scenario::Step& step : steps) {
      const scenario::StepForm& form = scenario::form_of(step.kind);
      const bool takes = form.role == scenario::StepRole::takes && scenario::takes_lease(form);
      if (!takes || step.lease_ns.value_or(sim::never_ns) <= lease_ns) continue;
      step.lease_ns = lease_ns;
      step.lease_ns_max.reset();
      is_shorter = true;
    }
    if (!is_shorter) return;
    const auto who = static_cast<std::size_t>(&client - scenario_.clients.data());
    add(Part::workload, 0,
        fmt::format("run = [{}]  # of {}: {}{}", written(scenario_, steps), client.name,
                    of_fault(index), why),
        [who, steps](Scenario& changed) { changed.clients[who].threads.front().steps = steps; });
  }

  /// One late message is no slow network.
  void add_every_message(std::size_t index, const FaultSpec& fault) {
    if (fault.times == scenario::unlimited_times) return;
    add(Part::length, index,
        fmt::format("times = \"always\"  # {}every message\n"
                    "by = \"{}\"  # {}{}",
                    of_fault(index), scenario::format_duration(bearable_way_ns), of_fault(index),
                    bearable_for(fault)),
        [index](Scenario& changed) {
          FaultSpec& late = changed.faults[index];
          close_range(late, scenario::OpenDuration::What::by);
          late.times = scenario::unlimited_times;
          late.by_ns = bearable_way_ns;
        });
  }

  /// What never ends leaves nobody who is to be served after it.
  void add_some_messages(std::size_t index, const FaultSpec& fault) {
    if (fault.times != scenario::unlimited_times) return;
    constexpr std::uint32_t some = 10;
    add(Part::length, index,
        fmt::format("times = {}  # {}ends while somebody still waits", some, of_fault(index)),
        [index](Scenario& changed) { changed.faults[index].times = some; });
  }

  /// A lease that a watchdog renews ends only where its renewals do not come.
  void add_renewals(std::size_t index, const scenario::FaultForm& form) {
    const ClientSpec& client = scenario_.clients.front();
    const std::optional<std::vector<scenario::Step>> steps =
        with_longer_hold(scenario_, beyond_lease_ns_);
    if (!steps || client.threads.front().steps.front().lease_ns) return;
    const bool is_late = form.amount == scenario::Amount::duration;
    for (const std::string_view label : {"renew", "renew_batch"}) {
      add(Part::length, index,
          fmt::format(
              "{} = \"{}\"  # {}the renewals{}\n{}times = \"always\"\n"
              "run = [{}]  # of {}: hold longer than the lease that is renewed",
              form.word, label, of_fault(index), without_ends(scenario_.faults[index]),
              is_late ? fmt::format("by = \"{}\"  # {}beyond the lease\n",
                                    scenario::format_duration(beyond_lease_ns_), of_fault(index))
                      : std::string(),
              written(scenario_, *steps), client.name),
          [index, label, steps, is_late, by_ns = beyond_lease_ns_](Scenario& changed) {
            FaultSpec& fault = changed.faults[index];
            close_range(fault, scenario::OpenDuration::What::by);
            fault.message_label = label;
            fault.message_from.clear();
            fault.message_to.clear();
            fault.times = scenario::unlimited_times;
            if (is_late) fault.by_ns = by_ns;
            changed.clients.front().threads.front().steps = *steps;
          });
    }
  }

  /// Who gives the lock back before its lease ends loses nothing by what comes late meanwhile.
  void add_missed_renewals(std::size_t index, const FaultSpec& fault) {
    const bool lasts = scenario::lasts(scenario::form_of(fault.kind)) && fault.for_ns;
    if (habits_.renewed_lease_ns == 0 || !lasts) return;
    const sim::DurationNs longer_ns = 2 * habits_.renewed_lease_ns;
    std::optional<std::vector<scenario::Step>> steps = with_longer_hold(scenario_, longer_ns);
    if (!steps) return;
    for (scenario::Step& step : *steps) step.lease_ns = step.lease_ns_max = std::nullopt;
    const sim::DurationNs for_ns = std::max(*fault.for_ns, longer_ns);
    std::string lines = fmt::format("run = [{}]  # of {}: hold longer than a lease that is renewed",
                                    written(scenario_, *steps), scenario_.clients.front().name);
    if (for_ns != *fault.for_ns) {
      lines = fmt::format("for = \"{}\"  # {}beyond the lease\n{}",
                          scenario::format_duration(for_ns), of_fault(index), lines);
    }
    const auto apply = [index, steps, for_ns](Scenario& changed) {
      close_range(changed.faults[index], scenario::OpenDuration::What::lasting);
      changed.faults[index].for_ns = for_ns;
      changed.clients.front().threads.front().steps = *steps;
    };
    add(Part::length, index, lines, apply);
    // Who is struck before it has the lock may never come to have it.
    const std::optional<scenario::Trigger> trigger = as_it_acquires(scenario_, 0);
    if (!trigger || fault.trigger.when || struck_client(scenario_, fault).value_or(0) != 0) return;
    const LikelyChange later = at_moment(fault, index, *trigger, of_fault(index));
    add(Part::length, index, later.lines + "\n" + lines,
        [apply, move = later.apply](Scenario& changed) {
          apply(changed);
          move(changed);
        });
  }

  void add_length(std::size_t index, const FaultSpec& fault, const scenario::FaultForm& form,
                  sim::DurationNs longer_ns, std::string_view how_long) {
    const std::string value = fmt::format("\"{}\"  # {}{}", scenario::format_duration(longer_ns),
                                          of_fault(index), how_long);
    const bool is_late = form.amount == scenario::Amount::duration ||
                         form.amount == scenario::Amount::short_duration;
    const bool waits = fault.kind == FaultKind::reorder;
    if ((is_late || waits) && fault.by_ns < longer_ns) {
      add(Part::length, index, (waits ? "at_most = " : "by = ") + value,
          [index, longer_ns](Scenario& changed) {
            close_range(changed.faults[index], scenario::OpenDuration::What::by);
            changed.faults[index].by_ns = longer_ns;
          });
    }
    if (scenario::lasts(form) && fault.for_ns && *fault.for_ns < longer_ns) {
      add(Part::length, index, "for = " + value, [index, longer_ns](Scenario& changed) {
        close_range(changed.faults[index], scenario::OpenDuration::What::lasting);
        changed.faults[index].for_ns = longer_ns;
      });
    }
  }

  /// It strikes a master, or a replica of one, that does not have the lock.
  void add_other_masters(std::size_t index, const FaultSpec& fault,
                         const scenario::FaultForm& form) {
    const std::uint32_t masters = scenario_.redis.masters;
    if (masters == 1 || masters > masters_tried_max || !fault.other.empty()) return;
    const std::string_view target = fault.target;
    // What an operator does when that master has died is done to its replica.
    if (fault.trigger.when && target.starts_with(fault.trigger.when->actor + "-")) return;
    const std::string_view behind =
        target.substr(std::min(target.find('-'), target.size()));  // "-replica-1"
    for (std::uint32_t number = 1; number <= masters; ++number) {
      const std::string own = fmt::format("n{}", number);
      if (target == own + std::string(behind)) break;
      if (number == masters) return;  // no node
    }
    for (std::uint32_t number = 1; number <= masters; ++number) {
      const std::string other = fmt::format("n{}{}", number, behind);
      if (other == target) continue;
      add(Part::target, index,
          fmt::format("{} = \"{}\"  # {}the master that has the lock", form.word, other,
                      of_fault(index)),
          [index, other](Scenario& changed) { retarget(changed, index, other); });
    }
  }

  // -- the cluster --

  /// The first fault that ends, or replaces, a master.
  [[nodiscard]] const FaultSpec* find_end_of_master() const {
    const auto& faults = scenario_.faults;
    const auto found = std::find_if(faults.begin(), faults.end(), [](const FaultSpec& each) {
      return each.kind == FaultKind::promote || ends_master(each);
    });
    return found == faults.end() ? nullptr : &*found;
  }

  [[nodiscard]] bool has(FaultKind kind) const {
    return std::any_of(scenario_.faults.begin(), scenario_.faults.end(),
                       [kind](const FaultSpec& each) { return each.kind == kind; });
  }

  [[nodiscard]] bool is_without_failover() const {
    return scenario_.redis.topology == scenario::TopologyKind::independent;
  }

  void add_changes_of_cluster() {
    const FaultSpec* const end = find_end_of_master();
    const bool keeps_behind =
        std::any_of(scenario_.faults.begin(), scenario_.faults.end(),
                    [](const FaultSpec& each) { return keeps_replica_behind(each.kind); });
    if (end == nullptr) {
      if (!keeps_behind && ends_a_replica_or_sentinel()) {
        add_sooner_failover();
        return add_lag();
      }
      if (keeps_behind) return add_failover(scenario_.faults.front().target);
      if (!may_have_master_replaced()) return;
      add_sooner_failover();
      return add_lag();
    }
    add_sooner_failover();
    if (end->kind == FaultKind::promote && is_without_failover()) add_end_of_old_master(*end);
    if (scenario_.redis.replicas > 0) {
      if (!keeps_behind) add_lag();
      if (is_without_failover() && !has(FaultKind::promote)) add_promotion(*end);
    } else if (end->kind != FaultKind::promote && !has(FaultKind::restart)) {
      add_restart(*end);
    }
  }

  /// In whose place a master may be struck.
  [[nodiscard]] bool ends_a_replica_or_sentinel() const {
    return !is_without_failover() && scenario_.redis.replicas > 0 &&
           std::any_of(scenario_.faults.begin(), scenario_.faults.end(),
                       [&](const FaultSpec& each) {
                         return scenario::ends_process(scenario::form_of(each.kind)) &&
                                is_aside(scenario_, each.target);
                       });
  }

  /// A fault lasts that has others take a master for dead.
  [[nodiscard]] bool may_have_master_replaced() const {
    return !is_without_failover() && scenario_.redis.replicas > 0 &&
           std::any_of(scenario_.faults.begin(), scenario_.faults.end(), [](const FaultSpec& each) {
             return is_of_master(each) && scenario::lasts(scenario::form_of(each.kind));
           });
  }

  void add_sooner_failover() {
    constexpr sim::DurationNs soon_ns = sim::second_ns;
    const scenario::RedisSpec& redis = scenario_.redis;
    constexpr std::string_view why = "in [redis]: a failover before the lease is over";
    if (redis.topology == scenario::TopologyKind::sentinel &&
        redis.sentinel.down_after_ns > soon_ns) {
      std::string others;
      if (redis.sentinel.count != scenario::SentinelSpec{}.count) {
        others += fmt::format("count = {}, ", redis.sentinel.count);
      }
      if (redis.sentinel.quorum != 0) others += fmt::format("quorum = {}, ", redis.sentinel.quorum);
      add(Part::cluster, 0,
          fmt::format("sentinel = {{ {}down_after = \"1s\" }}  # {}", others, why),
          [](Scenario& changed) { changed.redis.sentinel.down_after_ns = soon_ns; });
    }
    if (redis.topology == scenario::TopologyKind::cluster &&
        redis.cluster.node_timeout_ns > soon_ns) {
      add(Part::cluster, 0, fmt::format("cluster = {{ node_timeout = \"1s\" }}  # {}", why),
          [](Scenario& changed) { changed.redis.cluster.node_timeout_ns = soon_ns; });
    }
  }

  /// What never ends keeps a run from coming to rest: first as many messages as a failover takes.
  void add_lag() {
    constexpr std::uint32_t some = 30;
    for (const std::uint32_t times : {some, scenario::unlimited_times}) {
      FaultSpec delay = scenario::fault_of(FaultKind::delay);
      delay.message_label = "replication";
      delay.by_ns = beyond_lease_ns_;
      delay.times = times;
      const std::string text = fmt::format("delay = \"replication\"\nby    = \"{}\"\ntimes = {}",
                                           scenario::format_duration(beyond_lease_ns_),
                                           times == some ? "30" : "\"always\"");
      constexpr std::string_view why =
          "the replicas get nothing more before one of them takes over";
      const scenario::ClientSpec* const setter = who_sets_only();
      if (setter != nullptr && times == some) {
        FaultSpec later = delay;
        later.trigger.when =
            scenario::Trigger::When{setter->name, scenario::Milestone::finished, {}};
        add_table(Part::lag, why, fmt::format("{}\nwhen  = \"{} finished\"", text, setter->name),
                  std::move(later));
      }
      add_table(Part::lag, why, text, std::move(delay));
    }
  }

  /// What such a client sets is there, on the replicas, too, before anything can be lost of it;
  /// none: nullptr.
  [[nodiscard]] const scenario::ClientSpec* who_sets_only() const {
    const auto sets = [](const scenario::Step& step) {
      return step.kind == scenario::StepKind::try_set_permits ||
             step.kind == scenario::StepKind::try_set_count;
    };
    const auto found = std::find_if(
        scenario_.clients.begin(), scenario_.clients.end(),
        [&](const scenario::ClientSpec& client) {
          return client.threads.size() == 1 && !client.threads[0].steps.empty() &&
                 std::all_of(client.threads[0].steps.begin(), client.threads[0].steps.end(), sets);
        });
    return found == scenario_.clients.end() ? nullptr : &*found;
  }

  void add_promotion(const FaultSpec& end) {
    FaultSpec promotion = scenario::fault_of(FaultKind::promote);
    promotion.target = end.target + "-replica-1";
    promotion.trigger.when =
        scenario::Trigger::When{end.target, *scenario::form_of(end.kind).milestone, {}};
    promotion.trigger.after_ns = sim::second_ns;
    add_table(
        Part::cluster, "an operator makes the replica the master",
        fmt::format("promote = \"{}\"\nwhen    = \"{} {}\"\nafter   = \"1s\"", promotion.target,
                    end.target, scenario::to_string(promotion.trigger.when->milestone)),
        promotion);
  }

  /// Clients that are connected to it stay with it until then.
  void add_end_of_old_master(const FaultSpec& promotion) {
    FaultSpec crash = scenario::fault_of(FaultKind::crash);
    crash.target = promotion.target.substr(0, promotion.target.find('-'));
    crash.trigger.when =
        scenario::Trigger::When{promotion.target, scenario::Milestone::promoted, {}};
    add_table(
        Part::cluster, "the old master dies, and its clients turn to the new one",
        fmt::format("crash = \"{}\"\nwhen  = \"{} promoted\"", crash.target, promotion.target),
        crash);
  }

  void add_restart(const FaultSpec& end) {
    FaultSpec restart = scenario::fault_of(FaultKind::restart);
    restart.target = end.target;
    restart.trigger.when =
        scenario::Trigger::When{end.target, *scenario::form_of(end.kind).milestone, {}};
    add_table(Part::cluster, "it comes back with what its disk has",
              fmt::format("restart = \"{}\"\nwhen    = \"{} {}\"", restart.target, end.target,
                          scenario::to_string(restart.trigger.when->milestone)),
              restart);
  }

  /// Its link, or its node, is slow.
  void add_failover_of_slow_replica() {
    const std::vector<model::SlowPart> parts = model::slow_parts(scenario_);
    for (const model::SlowPart& part : parts) {
      if (!part.replica().empty()) return add_failover(part.replica());
    }
  }

  /// While a replica is behind.
  void add_failover(std::string_view replica) {
    const std::optional<scenario::Trigger> trigger = as_it_acquires(scenario_, 0);
    if (!trigger) return;
    const std::string master(replica.substr(0, replica.find('-')));
    FaultSpec fault =
        scenario::fault_of(is_without_failover() ? FaultKind::promote : FaultKind::crash);
    fault.target = is_without_failover() ? std::string(replica) : master;
    fault.trigger = *trigger;
    add_table(Part::cluster, "a failover while the replica is behind",
              fmt::format("{} = \"{}\"\nwhen = \"{} acquired\"", scenario::form_of(fault.kind).word,
                          fault.target, trigger->when->actor),
              fault);
  }

  const Scenario& scenario_;
  const RunRecord& example_;
  const std::vector<ProbeSummary>& probes_;
  LockHabits habits_;
  bool has_leases_;  ///< false: of a number, or a latch
  sim::DurationNs beyond_lease_ns_ = 0;
  sim::DurationNs within_lease_ns_ = 0;
  std::vector<LikelyChange> changes_;
};

}  // namespace

bool ends_master(const FaultSpec& fault) {
  return is_of_master(fault) && scenario::ends_process(scenario::form_of(fault.kind));
}

std::vector<LikelyChange> likely_changes(const ScenarioOutcome& outcome, const LockHabits& habits) {
  return Changes(outcome, habits).take();
}

}  // namespace lockstep::search
