#include "search/runs/other_callers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "checker/hold_mode.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/text/durations.h"
#include "search/runs/other_targets.h"

namespace lockstep::search {
namespace {

using scenario::ClientSpec;
using scenario::Scenario;
using scenario::Step;
using scenario::StepKind;
using Part = LikelyChange::Part;
using Steps = std::vector<Step>;

class OtherCallers {
 public:
  OtherCallers(const Scenario& scenario, sim::DurationNs within_lease_ns)
      : scenario_(scenario), within_lease_ns_(within_lease_ns) {
    if (first_steps().empty() || scenario.clients.front().threads.front().generate) return;
    const bool is_one_thread =
        scenario.clients.size() == 1 && scenario.clients.front().threads.size() == 1;
    add_permits();
    add_fewer_permits();
    add_endless_wait();
    if (is_one_thread) add_askers("somebody else who wants it", behind_first_ns());
    if (first_steps().size() > 1) add_longer_hold();
    add_hold_to_end_of_lease();
    add_death_of_owner();
    add_late_write();
    if (!is_one_thread) {
      add_askers("somebody else who wants it", behind_first_ns());
      add_askers("somebody who comes right behind the others", behind_all_ns());
    }
    add_asker_after_whom_it_strikes();
    add_askers("somebody who comes later", within_lease_ns_);
    add_longer_lease();
    add_opener();
    add_two_behind_all();
    add_two_after_faults();
    add_holder_at_the_end();
  }

  [[nodiscard]] std::vector<LikelyChange> take() { return std::move(changes_); }

 private:
  void add(Part part, std::string lines, std::function<void(Scenario&)> apply) {
    changes_.push_back({part, 0, std::move(lines), std::move(apply)});
  }

  [[nodiscard]] const Steps& first_steps() const {
    return scenario_.clients.front().threads.front().steps;
  }

  /// Who sets a latch, and counts it down, asks for nothing: those do who wait for it.
  [[nodiscard]] const Steps& asking_steps() const {
    const auto asks = [](const Step& step) {
      return scenario::form_of(step.kind).role == scenario::StepRole::awaits ||
             scenario::form_of(step.kind).role == scenario::StepRole::takes;
    };
    for (const ClientSpec& client : scenario_.clients) {
      for (const scenario::ThreadSpec& thread : client.threads) {
        if (std::any_of(thread.steps.begin(), thread.steps.end(), asks)) return thread.steps;
      }
    }
    return first_steps();
  }

  static bool takes_in(const Step& step, checker::HoldMode mode) {
    const scenario::StepForm& form = scenario::form_of(step.kind);
    return form.role == scenario::StepRole::takes && form.mode == mode;
  }

  /// Readers share: of whom only others exclude, these. None where all who ask exclude all.
  [[nodiscard]] std::optional<Steps> writing_steps() const {
    const auto shares = [](const Step& each) { return takes_in(each, checker::HoldMode::shared); };
    const Steps& asking = asking_steps();
    if (std::none_of(asking.begin(), asking.end(), shares)) return std::nullopt;
    const auto excludes = [](const Step& each) {
      return takes_in(each, checker::HoldMode::exclusive);
    };
    for (const ClientSpec& client : scenario_.clients) {
      for (const scenario::ThreadSpec& thread : client.threads) {
        if (std::any_of(thread.steps.begin(), thread.steps.end(), excludes)) return thread.steps;
      }
    }
    Steps writing = asking;
    for (Step& step : writing) step.kind = as_of_writer(step.kind);
    return writing;
  }

  /// read_lock: write_lock.
  static StepKind as_of_writer(StepKind kind) {
    std::string word(scenario::form_of(kind).word);
    const std::size_t at = word.find("read_");
    if (at == std::string::npos) return kind;
    word.replace(at, std::string_view("read_").size(), "write_");
    for (const scenario::StepForm& form : scenario::step_forms()) {
      if (form.word == word) return form.kind;
    }
    return kind;
  }

  template <typename Visit>
  void for_each_step(Visit visit) const {
    for (const ClientSpec& client : scenario_.clients) {
      for (const scenario::ThreadSpec& thread : client.threads) {
        scenario::visit_possible_steps(thread, visit);
      }
    }
  }

  /// Of a semaphore that nobody has set there are none.
  void add_permits() {
    bool are_set = false;
    std::int64_t wanted = 0;
    std::string of_semaphore;
    for_each_step([&](const Step& step) {
      are_set |= step.kind == StepKind::try_set_permits;
      if (step.kind != StepKind::acquire && step.kind != StepKind::try_acquire) return;
      wanted = std::max(wanted, step.amount);
      of_semaphore = step.lock_names.front();
    });
    if (are_set || wanted == 0) return;
    Step set{};
    set.kind = StepKind::try_set_permits;
    set.lock_names = {of_semaphore};
    set.amount = wanted;
    Steps steps = first_steps();
    steps.insert(steps.begin(), set);
    add(Part::workload,
        fmt::format("run = [{}]  # of {}: nobody has set how many permits there are",
                    written(scenario_, steps), scenario_.clients.front().name),
        [steps](Scenario& changed) { changed.clients.front().threads.front().steps = steps; });
  }

  /// The first client of one thread that has such a step, with all of these changed.
  template <typename Condition, typename Change>
  void add_changed_steps(std::string_view why, Condition condition, Change change) {
    for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
      const ClientSpec& client = scenario_.clients[i];
      if (client.threads.size() != 1 || client.threads.front().generate) continue;
      Steps steps = client.threads.front().steps;
      if (std::none_of(steps.begin(), steps.end(), condition)) continue;
      for (Step& step : steps) {
        if (condition(step)) change(step);
      }
      return add(
          Part::workload,
          fmt::format("run = [{}]  # of {}: {}", written(scenario_, steps), client.name, why),
          [i, steps](Scenario& changed) { changed.clients[i].threads.front().steps = steps; });
    }
  }

  /// With permits for all nobody is refused one.
  void add_fewer_permits() {
    std::int64_t wanted = 0;
    for_each_step([&](const Step& step) {
      const bool takes = step.kind == StepKind::acquire || step.kind == StepKind::try_acquire;
      if (takes) wanted = std::max(wanted, step.amount);
    });
    add_changed_steps(
        "no more permits than one takes",
        [wanted](const Step& each) {
          return each.kind == StepKind::try_set_permits && each.amount > wanted && wanted > 0;
        },
        [wanted](Step& each) { each.amount = wanted; });
  }

  /// Who has given up waits for nothing when the fault strikes.
  void add_endless_wait() {
    add_changed_steps(
        "wait to the end",
        [](const Step& each) {
          return scenario::form_of(each.kind).role == scenario::StepRole::awaits && each.wait_ns;
        },
        [](Step& each) {
          each.wait_ns.reset();
          each.wait_ns_max.reset();
        });
  }

  /// A lease that is given back before it ends has no end that a fault could wait for.
  void add_hold_to_end_of_lease() {
    const bool waits_for_end = std::any_of(
        scenario_.faults.begin(), scenario_.faults.end(), [](const scenario::FaultSpec& fault) {
          return fault.trigger.when &&
                 fault.trigger.when->kind == scenario::Trigger::When::Kind::lease_end;
        });
    constexpr sim::DurationNs usual_ns = 10 * sim::second_ns;  // where a watchdog renews it
    std::optional<Steps> steps =
        with_longer_hold(scenario_, longest_lease_ns(usual_ns) + sim::second_ns);
    if (!waits_for_end || !steps) return;
    for (Step& step : *steps) {
      const scenario::StepForm& form = scenario::form_of(step.kind);
      const bool is_renewed = form.role == scenario::StepRole::takes && !step.lease_ns;
      if (is_renewed && scenario::takes_lease(form)) step.lease_ns = usual_ns;
    }
    add(Part::workload,
        fmt::format("run = [{}]  # of {}: hold until the lease ends", written(scenario_, *steps),
                    scenario_.clients.front().name),
        [steps](Scenario& changed) { changed.clients.front().threads.front().steps = *steps; });
  }

  /// By a server's clock that is wrong a lease ends only where nobody gives the lock back first.
  void add_death_of_owner() {
    const bool has_wrong_clock = std::any_of(
        scenario_.faults.begin(), scenario_.faults.end(), [&](const scenario::FaultSpec& fault) {
          return scenario::form_of(fault.kind).theme == scenario::Theme::clock &&
                 !struck_client(scenario_, fault);
        });
    std::optional<scenario::Trigger> trigger = as_it_acquires(scenario_, 0);
    if (!has_wrong_clock || !trigger) return;
    trigger->after_ns = sim::second_ns;
    scenario::FaultSpec crash = scenario::fault_of(scenario::FaultKind::crash);
    crash.target = scenario_.clients.front().name;
    crash.trigger = *trigger;
    add(Part::cluster,
        fmt::format("[[fault]]  # it never gives the lock back, and the lease ends by that clock\n"
                    "crash = \"{0}\"\nwhen  = \"{0} acquired\"\nafter = \"1s\"",
                    crash.target),
        [crash](Scenario& changed) { changed.faults.push_back(crash); });
  }

  [[nodiscard]] sim::DurationNs longest_lease_ns(sim::DurationNs where_none_ns) const {
    sim::DurationNs longest_ns = 0;
    for (const Step& step : first_steps()) {
      longest_ns = std::max(longest_ns, step.lease_ns.value_or(0));
    }
    return longest_ns == 0 ? where_none_ns : longest_ns;
  }

  /// Who has written all before a fault strikes does no harm after it.
  void add_late_write() {
    std::size_t writer = 0;
    for (const scenario::FaultSpec& fault : scenario_.faults) {
      if (const auto struck = struck_client(scenario_, fault)) writer = *struck;
    }
    const ClientSpec& client = scenario_.clients[writer];
    if (client.threads.size() != 1 || client.threads.front().generate) return;
    Steps steps = client.threads.front().steps;
    const auto writes = [](const Step& each) { return each.kind == StepKind::write; };
    const auto written_first = std::find_if(steps.begin(), steps.end(), writes);
    if (written_first == steps.end() || steps.size() < 2 || writes(*(steps.end() - 2))) return;
    const Step again = *written_first;
    steps.insert(steps.end() - 1, again);
    add(Part::workload,
        fmt::format("run = [{}]  # of {}: it writes at the end, too", written(scenario_, steps),
                    client.name),
        [writer, steps](Scenario& changed) {
          changed.clients[writer].threads.front().steps = steps;
        });
  }

  /// Who waits for a latch that nobody opens shows nothing of how it is woken.
  void add_opener() {
    constexpr std::int64_t count_max = 8;
    std::int64_t count = 0;
    std::string of_latch;
    for_each_step([&](const Step& step) {
      if (step.kind != StepKind::try_set_count) return;
      count = std::max(count, step.amount);
      of_latch = step.lock_names.front();
    });
    if (count == 0 || count > count_max) return;
    Step step{};
    step.kind = StepKind::count_down;
    step.lock_names = {of_latch};
    ClientSpec opener = new_client(within_lease_ns_);
    opener.threads = {{Steps(static_cast<std::size_t>(count), step)}};
    add_client("somebody who opens it", std::move(opener));
  }

  /// Liveness is judged when the last fault is over, and by then everybody may have been served.
  void add_two_after_faults() {
    sim::DurationNs last_ns = 0;
    for (const scenario::FaultSpec& fault : scenario_.faults) {
      const sim::DurationNs lasts_ns = fault.for_ns.value_or(0) + fault.by_ns;
      last_ns = std::max(last_ns, fault.trigger.after_ns + lasts_ns);
    }
    if (scenario_.faults.empty()) return;
    constexpr std::string_view why = "two who want it when the faults are over";
    const sim::DurationNs over_ns = in_whole_seconds(last_ns + within_lease_ns_);
    const std::size_t before = changes_.size();
    add_two(why, over_ns);
    // Where the fault is made to last beyond the lease.
    const sim::DurationNs beyond_lease_ns = 4 * within_lease_ns_ + sim::second_ns;
    if (last_ns < beyond_lease_ns)
      add_two(why, over_ns - last_ns / sim::second_ns * sim::second_ns + beyond_lease_ns);
    for (std::size_t i = before; i < changes_.size(); ++i) changes_[i].is_after_faults = true;
  }

  /// A queue has an order where two stand in it, while a third has the lock.
  void add_two_behind_all() { add_two("two who come right behind the others", behind_all_ns()); }

  void add_two(std::string_view why, sim::DurationNs start_ns) {
    ClientSpec two = new_client(start_ns);
    two.threads = {{asking_steps()}, {asking_steps()}};
    const std::string run = written(scenario_, asking_steps());
    add(Part::asker,
        fmt::format("[[client]]  # {}\nname = \"{}\"\n"
                    "start = \"{}\"\n[[client.thread]]\nrun = [{}]\n[[client.thread]]\nrun = [{}]",
                    why, two.name, scenario::format_duration(two.start_ns), run, run),
        [two](Scenario& changed) { changed.clients.push_back(two); });
  }

  /// For how long the first thread may hold what it takes, and still not oversleep its lease.
  [[nodiscard]] sim::DurationNs longest_hold_ns() const {
    sim::DurationNs longest_ns = within_lease_ns_;
    for (const Step& step : first_steps()) {
      if (step.lease_ns) longest_ns = std::min(longest_ns, *step.lease_ns / 2);
    }
    return longest_ns;
  }

  void add_longer_hold() {
    const std::optional<Steps> steps = with_longer_hold(scenario_, longest_hold_ns());
    if (!steps) return;
    // Nobody holds a latch.
    const bool holds = std::any_of(steps->begin(), steps->end(), [](const Step& step) {
      return scenario::form_of(step.kind).role == scenario::StepRole::takes;
    });
    add(Part::workload,
        fmt::format("run = [{}]  # of {}: {}, while others ask", written(scenario_, *steps),
                    scenario_.clients.front().name, holds ? "hold longer" : "go on later"),
        [steps](Scenario& changed) { changed.clients.front().threads.front().steps = *steps; });
  }

  /// A server that is shut down waits for its replicas first, for as long as many a lease.
  void add_longer_lease() {
    constexpr sim::DurationNs lease_ns = 60 * sim::second_ns;
    const bool is_shut_down =
        std::any_of(scenario_.faults.begin(), scenario_.faults.end(),
                    [](const auto& fault) { return fault.kind == scenario::FaultKind::shutdown; });
    std::optional<Steps> steps = with_longer_hold(scenario_, lease_ns / 2);
    if (!is_shut_down || !steps) return;
    bool is_longer = false;
    for (Step& step : *steps) {
      if (!step.lease_ns || *step.lease_ns >= lease_ns) continue;
      step.lease_ns = lease_ns;
      is_longer = true;
    }
    if (!is_longer) return;
    add(Part::workload,
        fmt::format("run = [{}]  # of {}: hold longer, with a lease that outlasts the shutdown",
                    written(scenario_, *steps), scenario_.clients.front().name),
        [steps](Scenario& changed) { changed.clients.front().threads.front().steps = *steps; });
  }

  [[nodiscard]] ClientSpec new_client(sim::DurationNs start_ns) const {
    ClientSpec made;
    made.name = "another";
    for (const ClientSpec& client : scenario_.clients) {
      if (client.name == made.name) made.name += "-one";
    }
    made.start_ns = start_ns;
    return made;
  }

  void add_client(std::string_view why, ClientSpec added) {
    const std::string start = scenario::format_duration(added.start_ns);
    add(Part::asker,
        fmt::format("[[client]]  # {}\nname = \"{}\"\nstart = \"{}\"\nrun  = [{}]", why, added.name,
                    start, written(scenario_, added.threads.front().steps)),
        [added](Scenario& changed) { changed.clients.push_back(added); });
  }

  /// Who waits for its turn has the lock only when the first is done: others come later still.
  void add_asker_after_whom_it_strikes() {
    const bool strikes_another = std::any_of(
        scenario_.faults.begin(), scenario_.faults.end(),
        [&](const auto& fault) { return struck_client(scenario_, fault).value_or(0) > 0; });
    if (!strikes_another) return;
    constexpr sim::DurationNs behind_ns = 2 * sim::second_ns;
    add_askers("somebody who comes later than the one it strikes", within_lease_ns_ + behind_ns);
  }

  /// What a fault has held back arrives as it ends: somebody else may have the lock then.
  void add_holder_at_the_end() {
    sim::DurationNs end_ns = 0;
    for (const scenario::FaultSpec& fault : scenario_.faults) {
      if (!fault.for_ns || !struck_client(scenario_, fault)) continue;
      end_ns = std::max(end_ns, fault.trigger.after_ns + *fault.for_ns);
    }
    const sim::DurationNs before_ns = sim::second_ns;
    if (end_ns <= within_lease_ns_ + before_ns) return;
    add_askers("somebody who has the lock as the fault ends", in_whole_seconds(end_ns - before_ns));
  }

  /// Who comes first may have the lock when the fault strikes, in the place of whom it was meant
  /// for.
  [[nodiscard]] sim::DurationNs behind_all_ns() const {
    sim::DurationNs last_ns = 0;
    for (const ClientSpec& client : scenario_.clients) {
      last_ns = std::max(last_ns, client.start_ns_max.value_or(client.start_ns));
    }
    return last_ns + 100 * sim::millisecond_ns;
  }

  /// Who has no start comes with the first, and may be served before that one.
  [[nodiscard]] sim::DurationNs behind_first_ns() const {
    const ClientSpec& first = scenario_.clients.front();
    return first.start_ns_max.value_or(first.start_ns) + 100 * sim::millisecond_ns;
  }

  void add_askers(std::string_view why, sim::DurationNs start_ns) {
    if (const std::optional<Steps> writing = writing_steps()) {
      add_asker(fmt::format("{}, and for itself", why), start_ns, *writing);
    }
    add_asker(why, start_ns, asking_steps());
  }

  void add_asker(std::string_view why, sim::DurationNs start_ns, const Steps& steps) {
    ClientSpec asker = new_client(start_ns);
    asker.threads = {{steps}};
    add_client(why, std::move(asker));
  }

  const Scenario& scenario_;
  sim::DurationNs within_lease_ns_;
  std::vector<LikelyChange> changes_;
};

}  // namespace

std::vector<LikelyChange> changes_to_callers(const Scenario& scenario,
                                             sim::DurationNs within_lease_ns) {
  return OtherCallers(scenario, within_lease_ns).take();
}

std::optional<Steps> with_longer_hold(const Scenario& scenario, sim::DurationNs longer_ns) {
  const scenario::ThreadSpec& thread = scenario.clients.front().threads.front();
  if (thread.steps.size() < 2 || thread.generate) return std::nullopt;
  Steps steps = thread.steps;
  for (const Step& step : steps) longer_ns -= step.duration_ns_max.value_or(step.duration_ns);
  if (longer_ns < sim::second_ns) return std::nullopt;
  Step pause{};
  pause.kind = StepKind::sleep;
  pause.duration_ns = in_whole_seconds(longer_ns);
  Step& last_but_one = *(steps.end() - 2);
  if (last_but_one.kind == StepKind::sleep && !last_but_one.duration_ns_max) {
    last_but_one.duration_ns += pause.duration_ns;
  } else {
    steps.insert(steps.end() - 1, pause);
  }
  return steps;
}

std::string written(const Scenario& scenario, const Steps& steps) {
  std::string text;
  for (const Step& step : steps) {
    if (!text.empty()) text += ", ";
    text += "\"" + scenario::write_step(step, scenario.lock_name) + "\"";
  }
  return text;
}

sim::DurationNs in_whole_seconds(sim::DurationNs duration_ns) {
  return std::max<sim::DurationNs>(1, duration_ns / sim::second_ns) * sim::second_ns;
}

}  // namespace lockstep::search
