// Invariant: current_ breaks the property. Every change makes it smaller or rounder by an order in
// which nothing is smaller for ever, and they are tried in rounds until a whole round changes
// nothing: taking a client away may make a fault needless.
#include "search/shrink/shrink.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/engine/engine.h"
#include "scenario/edits.h"
#include "scenario/revalidation.h"
#include "scenario/step_forms.h"
#include "search/runs/drawn_workload.h"
#include "search/runs/rerun.h"
#include "search/shrink/isolation.h"
#include "search/shrink/shrink_edits.h"

namespace lockstep::search {
namespace {

using scenario::Edited;
using scenario::Scenario;

bool is_giving_back(const scenario::Step& step) {
  return scenario::form_of(step.kind).role == scenario::StepRole::gives_back;
}

class Shrinker {
 public:
  Shrinker(const ShrinkRequest& request, model::Engine& engine)
      : request_(request),
        engine_(engine),
        rerun_(engine, request.seed, request.choices),
        current_(request.scenario) {
    count_only(request.filter);
    if (request.isolates && !is_over()) keep_isolated();
    if (!is_over()) needs_faults_ = !breaks_as_found(without_faults(current_));
  }

  Shrunk shrink() {
    if (!needs_faults_) leave_out_faults();
    if (may_go_on()) fix_drawn_workload();
    if (may_go_on()) choose_oracle();
    reduce();
    if (!breaks_always_ && may_go_on()) {
      // What is smaller and rounder may break always where the run as it was did not.
      choose_oracle();
      if (breaks_always_) reduce();
    }
    if (request_.isolates && !is_isolated_) isolate();
    if (breaks_always_) confirm_always_breaks();
    return finish();
  }

 private:
  void reduce() {
    while (remove_parts()) {
    }
    bool is_rounder = attempt(with_merged_sleeps(current_));
    is_rounder |= round_work();
    is_rounder |= round_faults();
    if (is_rounder) remove_parts();
  }

  bool remove_parts() {
    if (!may_go_on()) return false;
    bool is_smaller = remove_faults();
    is_smaller |= remove_clients();
    is_smaller |= simplify_work();
    is_smaller |= remove_nodes();
    is_smaller |= remove_settings();
    is_smaller |= close_ranges();
    return is_smaller;
  }

  void confirm_always_breaks() {
    constexpr int times_to_go_back_max = 4;
    std::optional<std::uint64_t> holding = seed_that_holds(current_, seeds_of_confirmation);
    for (int times = 0; holding && times < times_to_go_back_max && may_go_on(); ++times) {
      // One more to be tried, and the most likely to hold again.
      seeds_.insert(seeds_.begin(), *holding);
      rejected_.clear();
      if (!go_back([this](const Scenario& scenario) { return breaks_with_seeds(scenario); })) break;
      reduce();
      holding = seed_that_holds(current_, seeds_of_confirmation);
    }
    if (!holding) return;
    if (is_cut_short_ && breaks_with(current_, 1)) {
      is_unconfirmed_ = true;
      return;
    }
    fall_back();
    reduce();
  }

  [[nodiscard]] static Scenario without_faults(const Scenario& scenario) {
    Scenario quiet = scenario;
    quiet.faults.clear();
    return quiet;
  }

  /// All at once: also what is cut short then has none.
  void leave_out_faults() {
    const Edited quiet = scenario::revalidated(without_faults(current_));
    if (quiet && breaks_as_found(*quiet)) current_ = *quiet;
  }

  [[nodiscard]] bool breaks_as_found(const Scenario& scenario) {
    ++runs_;
    return rerun_.breaks(scenario, request_.property);
  }

  [[nodiscard]] bool breaks_with(const Scenario& scenario, std::uint64_t seed) {
    return breaks_with(scenario, *engine_.prepare(scenario), seed);
  }

  [[nodiscard]] bool breaks_with(const Scenario& scenario, model::Simulation& prepared,
                                 std::uint64_t seed) {
    ++runs_;
    Rerun rerun(engine_, seed);
    rerun.count_only(filter_);
    return rerun.breaks(scenario, prepared, request_.property);
  }

  // -- the bug alone --

  void count_only(ViolationFilter filter) {
    is_isolated_ = false;
    filter_ = std::move(filter);
    rerun_.count_only(filter_);
  }

  void count_only_isolated() {
    count_only([this](const Scenario& scenario, const model::RunResult& run) {
      return (!request_.filter || request_.filter(scenario, run)) &&
             request_.isolates(scenario, run);
    });
    is_isolated_ = true;
  }

  /// What breaks nothing besides from the beginning never does.
  void keep_isolated() {
    count_only_isolated();
    if (breaks_as_found(current_)) return;
    count_only(request_.filter);
  }

  /// Looks for a scenario like the smallest one in which nothing breaks besides, and goes on with
  /// that.
  void isolate() {
    constexpr std::uint64_t runs_afterwards = 120;
    Edited settled = scenario::with_latency(current_, even_latency());
    count_only_isolated();
    const std::uint64_t runs_for_it = runs_ + 400;
    for (const Scenario* base : {settled ? &*settled : &current_, &current_}) {
      for (const Scenario& candidate : isolating_scenarios(*base, engine_)) {
        if (is_over() || runs_ >= runs_for_it) break;
        const bool is_always =
            breaks_with(candidate, 1) && !seed_that_holds(candidate, seeds_of_confirmation);
        if (!is_always && (breaks_always_ || !breaks_as_found(candidate))) continue;
        if (needs_faults_ && breaks_with(without_faults(candidate), 1)) continue;
        before_isolation_ = std::exchange(current_, candidate);
        history_.clear();
        breaks_always_ = is_always;
        rejected_.clear();
        runs_allowed_ = std::max(runs_allowed_, runs_ + runs_afterwards);
        return reduce();
      }
    }
    count_only(request_.filter);
  }

  /// What the clients drew is a part of the story, and no longer up to chance.
  void fix_drawn_workload() {
    const Edited said =
        with_drawn_workload(current_, engine_.prepare(current_)->actors(), request_.choices);
    if (said && breaks_as_found(*said)) current_ = *said;
  }

  /// The first seed with which it holds, or that there was no time to try.
  [[nodiscard]] std::optional<std::uint64_t> seed_that_holds(
      const Scenario& scenario, std::uint64_t seeds = seeds_of_shrinking) {
    const std::unique_ptr<model::Simulation> prepared = engine_.prepare(scenario);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      if (is_over() || !breaks_with(scenario, *prepared, seed)) return seed;
    }
    return std::nullopt;
  }

  void accept(Scenario scenario) {
    history_.push_back(std::move(current_));
    current_ = std::move(scenario);
  }

  /// To the smallest of those before it that breaks in this way too; false where there is none.
  template <typename Breaks>
  bool go_back(Breaks breaks) {
    std::size_t breaking = history_.size();  // none yet
    std::size_t least = 0;
    for (std::size_t end = history_.size(); least < end;) {
      const std::size_t middle = least + (end - least) / 2;
      if (breaks(history_[middle])) {
        breaking = middle;
        least = middle + 1;
      } else {
        end = middle;
      }
    }
    if (breaking == history_.size()) return false;
    current_ = history_[breaking];
    history_.resize(breaking);
    return true;
  }

  /// It is not to be had without the choices of the run: what there is was never tried with them.
  void fall_back() {
    breaks_always_ = false;
    rejected_.clear();
    if (breaks_as_found(current_)) return;
    const bool is_there =
        go_back([this](const Scenario& scenario) { return breaks_as_found(scenario); });
    if (is_there) return;
    current_ = request_.scenario;
    if (!before_isolation_) return;
    count_only(request_.filter);
    if (breaks_as_found(*before_isolation_)) current_ = *before_isolation_;
  }

  [[nodiscard]] bool is_over() {
    is_cut_short_ = is_cut_short_ || (request_.interrupted && request_.interrupted());
    return is_cut_short_;
  }

  [[nodiscard]] bool may_go_on() { return !is_over() && runs_ < runs_allowed_; }

  [[nodiscard]] bool breaks_with_seeds(const Scenario& scenario) {
    const std::unique_ptr<model::Simulation> prepared = engine_.prepare(scenario);
    return std::all_of(seeds_.begin(), seeds_.end(),
                       [&](std::uint64_t seed) { return breaks_with(scenario, *prepared, seed); });
  }

  [[nodiscard]] bool breaks(const Scenario& scenario) {
    return breaks_always_ ? breaks_with_seeds(scenario) : breaks_as_found(scenario);
  }

  [[nodiscard]] bool breaks_without_faults(const Scenario& scenario) {
    const Scenario quiet = without_faults(scenario);
    return breaks_always_ ? breaks_with(quiet, seeds_.front()) : breaks_as_found(quiet);
  }

  bool attempt(const Edited& candidate) {
    if (!candidate || !may_go_on()) return false;
    if (candidate->text == current_.text || rejected_.contains(candidate->text)) return false;
    if (!has_same_cause(*candidate)) {
      rejected_.insert(candidate->text);
      return false;
    }
    accept(*candidate);
    return true;
  }

  /// What breaks by itself is another one: a client that never unlocks, say.
  bool has_same_cause(const Scenario& candidate) {
    return breaks(candidate) && !(needs_faults_ && breaks_without_faults(candidate));
  }

  /// A scenario that breaks its property only if messages come in one order is not what a person
  /// would write. So who comes first is said, and in the last resort every hop takes the same time.
  void choose_oracle() {
    if (seed_that_holds(current_)) {
      for (const Edited& candidate : settled_variants(current_)) {
        if (!may_go_on()) return;
        if (!candidate || seed_that_holds(*candidate)) continue;
        if (needs_faults_ && breaks_with(without_faults(*candidate), seeds_.front())) continue;
        accept(*candidate);
        breaks_always_ = true;
        break;
      }
    } else {
      breaks_always_ = true;
    }
    if (breaks_always_) rejected_.clear();
  }

  bool remove_faults() {
    bool is_smaller = false;
    for (std::size_t i = current_.faults.size(); i-- > 0;) {
      is_smaller |= attempt(scenario::without_fault(current_, i));
      i = std::min(i, current_.faults.size());
    }
    return is_smaller;
  }

  bool remove_clients() {
    bool is_smaller = false;
    for (std::size_t i = current_.clients.size(); i-- > 0;) {
      if (current_.clients.size() > 1 && attempt(scenario::without_client(current_, i))) {
        is_smaller = true;
        continue;
      }
      for (std::size_t thread = current_.clients[i].threads.size(); thread-- > 0;) {
        if (current_.clients[i].threads.size() == 1) break;
        is_smaller |= attempt(scenario::without_thread(current_, i, thread));
      }
    }
    return is_smaller;
  }

  bool simplify_work() {
    bool is_smaller = false;
    for (std::size_t client = 0; client < current_.clients.size(); ++client) {
      const scenario::ClientSpec& spec = current_.clients[client];
      if (spec.rounds > 1 || spec.rounds_max) {
        const std::uint32_t fewer = std::max(1U, spec.rounds / 2);
        is_smaller |= attempt(scenario::with_rounds(current_, client, 1)) ||
                      attempt(scenario::with_rounds(current_, client, fewer));
      }
      for (std::size_t i = 0; i < current_.clients[client].threads.size(); ++i) {
        is_smaller |= simplify_thread(client, i);
      }
    }
    return is_smaller;
  }

  bool simplify_thread(std::size_t client, std::size_t thread) {
    const auto& spec = [&]() -> const scenario::ThreadSpec& {
      return current_.clients[client].threads[thread];
    };
    bool is_smaller = false;
    if (spec().generate && spec().generate->turns > 1) {
      is_smaller =
          attempt(scenario::with_turns(current_, client, thread, 1)) ||
          attempt(scenario::with_turns(current_, client, thread, spec().generate->turns / 2));
    }
    is_smaller |= drop_step_ranges(client, thread);
    for (std::size_t step = spec().steps.size(); step-- > 0;) {
      // What is given back goes with what took it.
      if (is_giving_back(spec().steps[step])) continue;
      is_smaller |= attempt(scenario::without_step(current_, client, thread, step));
      step = std::min(step, spec().steps.size());
    }
    return is_smaller;
  }

  /// Long work is taken away by halves, quarters, …, each hold as a whole.
  bool drop_step_ranges(std::size_t client, std::size_t thread) {
    bool is_smaller = false;
    const auto begins_now = [&] {
      return hold_starts(current_.clients[client].threads[thread].steps);
    };
    std::vector<std::size_t> begins = begins_now();
    for (std::size_t length = begins.size() / 2; length > 0; length /= 2) {
      for (std::size_t end = begins.size(); end >= length && end > 0;) {
        const std::size_t first = end - length;
        std::vector<scenario::Step> steps = current_.clients[client].threads[thread].steps;
        const auto place = [&](std::size_t hold) {
          return hold == begins.size() ? steps.end()
                                       : steps.begin() + static_cast<std::ptrdiff_t>(begins[hold]);
        };
        steps.erase(place(first), place(end));
        if (!steps.empty() &&
            attempt(scenario::with_steps(current_, client, thread, std::move(steps)))) {
          is_smaller = true;
          begins = begins_now();
        }
        end = std::min(first, begins.size());
      }
    }
    return is_smaller;
  }

  bool remove_nodes() {
    bool is_smaller = false;
    for (std::uint32_t i = current_.redis.masters; i > 0; --i) {
      if (current_.redis.masters == 1) break;
      is_smaller |= attempt(scenario::without_master(current_, i - 1));
      i = std::min(i, current_.redis.masters + 1);
    }
    for (std::uint32_t i = current_.redis.replicas; i > 0; --i) {
      is_smaller |= attempt(scenario::without_replica(current_, i - 1));
      i = std::min(i, current_.redis.replicas + 1);
    }
    while (attempt(scenario::without_last_sentinel(current_))) is_smaller = true;
    return is_smaller;
  }

  bool remove_settings() {
    bool is_smaller = false;
    for (std::size_t i = current_.links.size(); i-- > 0;) {
      is_smaller |= attempt(scenario::without_link(current_, i));
    }
    for (std::size_t i = current_.redis.settings.size(); i-- > 0;) {
      is_smaller |= attempt(scenario::without_setting(current_, i));
    }
    for (std::size_t i = current_.redis.nodes.size(); i-- > 0;) {
      is_smaller |= attempt(scenario::without_node_table(current_, i));
    }
    for (std::size_t i = 0; i < current_.clients.size(); ++i) {
      is_smaller |= attempt(scenario::with_exact_clocks(current_, i));
    }
    for (const auto& [name, value] : scenario::Options(current_.options)) {
      is_smaller |= attempt(scenario::without_option(current_, name));
    }
    is_smaller |= attempt(scenario::without_healing(current_));
    return is_smaller;
  }

  bool close_ranges() {
    bool is_smaller = false;
    for (std::size_t i = scenario::open_ranges(current_).size(); i-- > 0;) {
      const std::vector<scenario::OpenRange> ranges = scenario::open_ranges(current_);
      if (i >= ranges.size()) continue;
      is_smaller |= attempt(scenario::with_fixed_duration(current_, i, ranges[i].least_ns)) ||
                    attempt(scenario::with_fixed_duration(current_, i, ranges[i].most_ns));
    }
    return is_smaller;
  }

  // -- round numbers --

  /// Everything at once, or one after the other.
  bool round_work() {
    Scenario all = current_;
    for (sim::DurationNs* const duration : workload_durations(all)) {
      const std::vector<sim::DurationNs> candidates = rounder_durations(*duration);
      if (!candidates.empty()) *duration = candidates.front();
    }
    bool is_rounder = attempt(scenario::revalidated(all));
    for (std::size_t i = 0; i < workload_durations(current_).size(); ++i) {
      for (const sim::DurationNs round_ns : rounder_durations(*workload_durations(current_)[i])) {
        Scenario candidate = current_;
        *workload_durations(candidate)[i] = round_ns;
        if (!attempt(scenario::revalidated(candidate))) continue;
        is_rounder = true;
        break;
      }
    }
    return is_rounder;
  }

  template <typename Change>
  bool attempt_fault(std::size_t fault, Change change) {
    Scenario candidate = current_;
    change(candidate.faults[fault]);
    return attempt(scenario::revalidated(candidate));
  }

  bool round_faults() {
    bool is_rounder = false;
    for (std::size_t i = 0; i < current_.faults.size(); ++i) is_rounder |= round_fault(i);
    return is_rounder;
  }

  bool round_fault(std::size_t i) {
    using scenario::FaultSpec;
    bool is_rounder = false;
    if (current_.faults[i].trigger.after_ns != 0) {
      is_rounder |= attempt_fault(i, [](FaultSpec& fault) { fault.trigger.after_ns = 0; });
    }
    is_rounder |= round_number(
        i, [](FaultSpec& fault) -> sim::DurationNs& { return fault.trigger.after_ns; });
    is_rounder |= round_number(i, [](FaultSpec& fault) -> sim::DurationNs& { return fault.by_ns; });
    if (current_.faults[i].for_ns) {
      is_rounder |=
          round_number(i, [](FaultSpec& fault) -> sim::DurationNs& { return *fault.for_ns; });
    }
    if (current_.faults[i].trigger.when && current_.faults[i].trigger.when->nth > 1) {
      is_rounder |= attempt_fault(i, [](FaultSpec& fault) { fault.trigger.when->nth = 1; });
    }
    if (current_.faults[i].nth > 1) {
      is_rounder |= attempt_fault(i, [](FaultSpec& fault) { fault.nth = 1; });
    }
    return is_rounder;
  }

  template <typename Part>
  bool round_number(std::size_t i, Part part) {
    for (const sim::DurationNs round_ns : rounder_durations(part(current_.faults[i]))) {
      if (attempt_fault(i, [&](scenario::FaultSpec& fault) { part(fault) = round_ns; }))
        return true;
    }
    return false;
  }

  // -- what is left --

  [[nodiscard]] Need need_of(const Scenario& scenario, std::size_t fault) {
    if (is_over()) return Need::untried;
    const Edited without = scenario::without_fault(scenario, fault);
    if (!without) return Need::always;
    std::uint64_t breaking = breaks_always_ || !breaks_as_found(*without) ? 0 : 1;
    const std::unique_ptr<model::Simulation> prepared = engine_.prepare(*without);
    for (std::uint64_t seed = 1; seed <= seeds_of_shrinking; ++seed) {
      if (is_over()) return Need::untried;
      if (breaks_with(*without, *prepared, seed)) ++breaking;
    }
    if (breaking == 0) return Need::always;
    return breaking < seeds_of_shrinking ? Need::sometimes : Need::never;
  }

  [[nodiscard]] std::vector<Need> needs_of(const Scenario& scenario) {
    std::vector<Need> needs;
    for (std::size_t i = 0; i < scenario.faults.size(); ++i) needs.push_back(need_of(scenario, i));
    return needs;
  }

  /// Where the property also breaks by chance without a fault, it may not if who comes first is
  /// said, or how long messages take.
  void confirm_needs(std::vector<Need>& needs) {
    const auto is_sure = [](const std::vector<Need>& all) {
      return std::all_of(all.begin(), all.end(), [](Need each) { return each == Need::always; });
    };
    if (!breaks_always_ || is_sure(needs)) return;
    for (const Edited& candidate : settled_variants(current_)) {
      if (!may_go_on()) return;
      if (!candidate || seed_that_holds(*candidate)) continue;
      std::vector<Need> settled = needs_of(*candidate);
      if (!is_sure(settled)) continue;
      needs = std::move(settled);
      current_ = *candidate;
      return;
    }
  }

  /// Takes away what it breaks without, where there were no runs left to try that. What it breaks
  /// without only as far as a few seeds show is needed sometimes.
  void drop_needless(std::vector<Need>& needs) {
    for (std::size_t i = 0; i < needs.size() && !is_over();) {
      const Edited without =
          needs[i] == Need::never ? scenario::without_fault(current_, i) : std::nullopt;
      const bool breaks_too = without && breaks(*without) &&
                              !(breaks_always_ && seed_that_holds(*without, seeds_of_confirmation));
      if (without && !breaks_too && !is_over()) needs[i] = Need::sometimes;
      if (!breaks_too || (needs_faults_ && breaks_without_faults(*without))) {
        ++i;
        continue;
      }
      current_ = *without;
      needs = needs_of(current_);
      i = 0;
    }
  }

  Shrunk finish() {
    Shrunk shrunk;
    shrunk.needs = needs_of(current_);
    drop_needless(shrunk.needs);
    confirm_needs(shrunk.needs);
    shrunk.breaks_always = breaks_always_ && !is_unconfirmed_;
    shrunk.is_isolated = is_isolated_;
    shrunk.is_unconfirmed = is_unconfirmed_;
    shrunk.is_cut_short = is_cut_short_;
    shrunk.runs = runs_;
    shrunk.scenario = std::move(current_);
    return shrunk;
  }

  const ShrinkRequest& request_;
  model::Engine& engine_;
  Rerun rerun_;
  Scenario current_;
  std::vector<Scenario> history_;   // what it was before, the largest first
  std::set<std::string> rejected_;  // the texts of what was no smaller story
  /// What breaks with these is taken to break always, until the end shows otherwise.
  std::vector<std::uint64_t> seeds_ = {1};
  bool needs_faults_ = true;
  bool breaks_always_ = false;
  bool is_cut_short_ = false;
  bool is_unconfirmed_ = false;
  bool is_isolated_ = false;
  std::optional<Scenario> before_isolation_;  // the smallest one that does not show it alone
  ViolationFilter filter_;                    // which violations count
  std::uint64_t runs_ = 0;
  std::uint64_t runs_allowed_ = request_.runs_max;
};

/// What it is asked about alone.
Scenario with_expectation(const Scenario& scenario, checker::Property property) {
  Scenario asked = scenario;
  const scenario::SourceLocation place = scenario.expect.place;
  asked.expect = {};
  asked.expect.place = place;
  asked.expect.violates = {property};
  return asked;
}

}  // namespace

Shrunk shrink(const ShrinkRequest& request, model::Engine& engine) {
  ShrinkRequest asked = request;
  asked.scenario = with_expectation(request.scenario, request.property);
  return Shrinker(asked, engine).shrink();
}

}  // namespace lockstep::search
