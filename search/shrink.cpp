// Invariant: current_ breaks the property. Every change makes it smaller or rounder by an order in
// which nothing is smaller for ever, and they are tried in rounds until a whole round changes
// nothing: taking a client away may make a fault needless.
#include "search/shrink.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/scenario/accepted.h"
#include "model/scenario/edits.h"
#include "model/scenario/step_forms.h"
#include "search/retrial.h"

namespace lockstep::search {
namespace {

using model::Edited;
using model::Scenario;

/// What breaks with these seeds is taken to break always, until the end shows otherwise.
constexpr std::uint64_t seeds_tried_first = 2;
/// What is left has to break with the seeds from 1 to this one.
constexpr std::uint64_t seeds_tried_last = 12;

/// What a duration may be rounded to, the roundest first: with one digit that matters, then two.
std::vector<sim::DurationNs> rounder(sim::DurationNs duration_ns) {
  std::vector<sim::DurationNs> candidates;
  const bool is_negative = duration_ns < 0;
  const sim::DurationNs size_ns = is_negative ? -duration_ns : duration_ns;
  sim::DurationNs digit_ns = 1;
  while (size_ns / digit_ns >= 10) digit_ns *= 10;
  for (int digits = 0; digits < 2 && digit_ns > 0; ++digits, digit_ns /= 10) {
    const sim::DurationNs below_ns = size_ns / digit_ns * digit_ns;
    for (const sim::DurationNs round_ns : {below_ns, below_ns + digit_ns}) {
      if (round_ns == size_ns) return candidates;
      candidates.push_back(is_negative ? -round_ns : round_ns);
    }
  }
  return candidates;
}

bool is_giving_back(const model::Step& step) {
  return model::form_of(step.kind).role == model::StepRole::gives_back;
}

class Shrinker {
 public:
  Shrinker(const ShrinkRequest& request, model::Engine& engine)
      : request_(request),
        engine_(engine),
        retrial_(engine, request.seed, request.choices),
        beginning_(request.scenario),
        current_(request.scenario) {
    for (std::uint64_t seed = 1; seed <= seeds_tried_first; ++seed) seeds_.push_back(seed);
    needs_faults_ = !retrial_.breaks(without_faults(current_), request_.property);
  }

  Shrunk shrink() {
    make_small();
    // What is smaller and rounder may break always where the run as it was did not.
    if (!breaks_always_ && may_go_on()) {
      beginning_ = current_;
      make_small();
    }
    // A seed with which it holds is one more to be tried, from the beginning.
    constexpr int beginnings_max = 5;
    for (int again = 0; again < beginnings_max && breaks_always_ && may_go_on(); ++again) {
      const std::optional<std::uint64_t> holding = seed_that_holds(current_);
      if (!holding) return finish();
      seeds_.insert(seeds_.begin(), *holding);  // it is the most likely to hold again
      current_ = beginning_;
      make_small();
    }
    if (breaks_always_ && seed_that_holds(current_)) fall_back();
    return finish();
  }

 private:
  void make_small() {
    settle_how_to_judge();
    for (bool is_smaller = true; is_smaller && may_go_on();) {
      is_smaller = false;
      is_smaller |= take_faults();
      is_smaller |= take_cast();
      is_smaller |= simplify_work();
      is_smaller |= take_nodes();
      is_smaller |= take_settings();
      is_smaller |= close_ranges();
      is_smaller |= round_faults();
    }
  }

  [[nodiscard]] static Scenario without_faults(const Scenario& scenario) {
    Scenario quiet = scenario;
    quiet.faults.clear();
    return quiet;
  }

  [[nodiscard]] std::optional<std::uint64_t> seed_that_holds(const Scenario& scenario) {
    for (std::uint64_t seed = 1; seed <= seeds_tried_last; ++seed) {
      ++runs_;
      if (!Retrial(engine_, seed).breaks(scenario, request_.property)) return seed;
    }
    return std::nullopt;
  }

  /// It is not to be had without the choices of the run: what there is was never tried with them.
  void fall_back() {
    breaks_always_ = false;
    ++runs_;
    if (!retrial_.breaks(current_, request_.property)) current_ = beginning_;
  }

  [[nodiscard]] bool may_go_on() const {
    if (request_.interrupted != nullptr && request_.interrupted()) return false;
    return runs_ < request_.runs_max;
  }

  [[nodiscard]] bool breaks_with_seeds(const Scenario& scenario) {
    return std::all_of(seeds_.begin(), seeds_.end(), [&](std::uint64_t seed) {
      ++runs_;
      return Retrial(engine_, seed).breaks(scenario, request_.property);
    });
  }

  [[nodiscard]] bool breaks(const Scenario& scenario) {
    if (breaks_always_) return breaks_with_seeds(scenario);
    ++runs_;
    return retrial_.breaks(scenario, request_.property);
  }

  [[nodiscard]] bool breaks_quietly(const Scenario& scenario) {
    ++runs_;
    const Scenario quiet = without_faults(scenario);
    return breaks_always_ ? Retrial(engine_, seeds_.front()).breaks(quiet, request_.property)
                          : retrial_.breaks(quiet, request_.property);
  }

  bool attempt(Edited candidate) {
    if (!candidate || !may_go_on() || !breaks(*candidate)) return false;
    // What breaks by itself is another story: a client that never unlocks, say.
    if (needs_faults_ && breaks_quietly(*candidate)) return false;
    current_ = std::move(*candidate);
    return true;
  }

  /// A scenario that breaks its property only if messages come in one order is not what a person
  /// would write. So who comes first is said, and in the last resort every hop takes the same time.
  void settle_how_to_judge() {
    breaks_always_ = breaks_with_seeds(current_);
    const std::optional<sim::Latency> latencies[] = {
        std::nullopt, sim::Latency{300 * sim::microsecond_ns, 300 * sim::microsecond_ns}};
    for (const std::optional<sim::Latency>& latency : latencies) {
      for (std::size_t first = 0; first <= current_.clients.size() && !breaks_always_; ++first) {
        const Edited candidate = settled(first, latency);
        if (!candidate || !breaks_with_seeds(*candidate)) continue;
        breaks_always_ = true;
        current_ = *candidate;
      }
    }
  }

  /// The others come later than that client; than no one, where there is no such client.
  [[nodiscard]] Edited settled(std::size_t first, const std::optional<sim::Latency>& latency) {
    constexpr sim::DurationNs later_ns = 10 * sim::millisecond_ns;
    Scenario candidate = current_;
    for (std::size_t i = 0; i < candidate.clients.size(); ++i) {
      model::ClientSpec& client = candidate.clients[i];
      if (first == candidate.clients.size()) break;
      client.start_ns_max.reset();
      client.start_ns = i == first ? 0 : std::max(client.start_ns, later_ns);
    }
    const Edited placed = model::accepted(candidate);
    return placed && latency ? model::with_latency(*placed, *latency) : placed;
  }

  bool take_faults() {
    bool is_smaller = false;
    for (std::size_t i = current_.faults.size(); i-- > 0;) {
      is_smaller |= attempt(model::without_fault(current_, i));
      i = std::min(i, current_.faults.size());
    }
    return is_smaller;
  }

  bool take_cast() {
    bool is_smaller = false;
    for (std::size_t i = current_.clients.size(); i-- > 0;) {
      if (current_.clients.size() > 1 && attempt(model::without_client(current_, i))) {
        is_smaller = true;
        continue;
      }
      for (std::size_t thread = current_.clients[i].threads.size(); thread-- > 0;) {
        if (current_.clients[i].threads.size() == 1) break;
        is_smaller |= attempt(model::without_thread(current_, i, thread));
      }
    }
    return is_smaller;
  }

  bool simplify_work() {
    bool is_smaller = false;
    for (std::size_t client = 0; client < current_.clients.size(); ++client) {
      if (current_.clients[client].rounds > 1) {
        is_smaller |=
            attempt(model::with_rounds(current_, client, 1)) ||
            attempt(model::with_rounds(current_, client, current_.clients[client].rounds / 2));
      }
      for (std::size_t i = 0; i < current_.clients[client].threads.size(); ++i) {
        is_smaller |= simplify_thread(client, i);
      }
    }
    return is_smaller;
  }

  bool simplify_thread(std::size_t client, std::size_t thread) {
    const auto& spec = [&]() -> const model::ThreadSpec& {
      return current_.clients[client].threads[thread];
    };
    if (spec().generate && say_what_it_draws(client, thread)) return true;
    bool is_smaller = false;
    if (spec().generate && spec().generate->turns > 1) {
      is_smaller = attempt(model::with_turns(current_, client, thread, 1)) ||
                   attempt(model::with_turns(current_, client, thread, spec().generate->turns / 2));
    }
    for (std::size_t step = spec().steps.size(); step-- > 0;) {
      // What is given back goes with what took it.
      if (is_giving_back(spec().steps[step])) continue;
      is_smaller |= attempt(model::without_step(current_, client, thread, step));
      step = std::min(step, spec().steps.size());
    }
    return is_smaller;
  }

  /// In place of steps that are drawn: one hold of what it may take, with a write or without.
  bool say_what_it_draws(std::size_t client, std::size_t thread) {
    const std::vector<model::Step> possible =
        current_.clients[client].threads[thread].generate->possible;
    for (std::size_t taking = 0; taking < possible.size(); ++taking) {
      for (std::size_t giving = 0; giving < possible.size(); ++giving) {
        if (is_giving_back(possible[taking]) || !is_giving_back(possible[giving])) continue;
        const std::vector<model::Step> hold = {possible[taking], possible[giving]};
        if (attempt(model::with_steps(current_, client, thread, hold))) return true;
        for (const model::Step& inside : possible) {
          if (inside.kind != model::StepKind::write && inside.kind != model::StepKind::extend &&
              inside.kind != model::StepKind::sleep) {
            continue;
          }
          const std::vector<model::Step> steps = {possible[taking], inside, possible[giving]};
          if (attempt(model::with_steps(current_, client, thread, steps))) return true;
        }
      }
    }
    return false;
  }

  bool take_nodes() {
    bool is_smaller = false;
    for (std::uint32_t i = current_.redis.masters; i > 0; --i) {
      if (current_.redis.masters == 1) break;
      is_smaller |= attempt(model::without_master(current_, i - 1));
      i = std::min(i, current_.redis.masters + 1);
    }
    for (std::uint32_t i = current_.redis.replicas; i > 0; --i) {
      is_smaller |= attempt(model::without_replica(current_, i - 1));
      i = std::min(i, current_.redis.replicas + 1);
    }
    return is_smaller;
  }

  bool take_settings() {
    bool is_smaller = false;
    for (std::size_t i = current_.links.size(); i-- > 0;) {
      is_smaller |= attempt(model::without_link(current_, i));
    }
    for (std::size_t i = current_.redis.settings.size(); i-- > 0;) {
      is_smaller |= attempt(model::without_setting(current_, i));
    }
    for (std::size_t i = current_.redis.nodes.size(); i-- > 0;) {
      is_smaller |= attempt(model::without_node_table(current_, i));
    }
    for (std::size_t i = 0; i < current_.clients.size(); ++i) {
      is_smaller |= attempt(model::with_right_clocks(current_, i));
    }
    for (const auto& [name, value] : model::Options(current_.options)) {
      is_smaller |= attempt(model::without_option(current_, name));
    }
    is_smaller |= attempt(model::without_healing(current_));
    return is_smaller;
  }

  bool close_ranges() {
    bool is_smaller = false;
    for (std::size_t i = model::open_ranges(current_).size(); i-- > 0;) {
      const std::vector<model::OpenRange> ranges = model::open_ranges(current_);
      if (i >= ranges.size()) continue;
      is_smaller |= attempt(model::with_closed_range(current_, i, ranges[i].least_ns)) ||
                    attempt(model::with_closed_range(current_, i, ranges[i].most_ns));
    }
    return is_smaller;
  }

  // -- numbers of faults --

  template <typename Change>
  bool attempt_fault(std::size_t fault, Change change) {
    Scenario candidate = current_;
    change(candidate.faults[fault]);
    const Edited changed = model::accepted(candidate);
    if (!changed || !may_go_on()) return false;
    // A round number that is just too small shows with few seeds only.
    if (breaks_always_ && (!breaks_with_seeds(*changed) || seed_that_holds(*changed))) return false;
    return attempt(changed);
  }

  bool round_faults() {
    bool is_rounder = false;
    for (std::size_t i = 0; i < current_.faults.size(); ++i) is_rounder |= round_fault(i);
    return is_rounder;
  }

  bool round_fault(std::size_t i) {
    using model::FaultSpec;
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
    for (const sim::DurationNs round_ns : rounder(part(current_.faults[i]))) {
      if (attempt_fault(i, [&](model::FaultSpec& fault) { part(fault) = round_ns; })) return true;
    }
    return false;
  }

  Shrunk finish() {
    Shrunk shrunk;
    for (std::size_t i = 0; i < current_.faults.size(); ++i) {
      const Edited without = model::without_fault(current_, i);
      shrunk.is_needed.push_back(!without || !breaks(*without));
    }
    shrunk.breaks_always = breaks_always_;
    shrunk.runs = runs_;
    shrunk.scenario = std::move(current_);
    return shrunk;
  }

  const ShrinkRequest& request_;
  model::Engine& engine_;
  Retrial retrial_;
  Scenario beginning_;  // breaks with the choices of the run
  Scenario current_;
  std::vector<std::uint64_t> seeds_;
  bool needs_faults_ = true;
  bool breaks_always_ = false;
  std::uint64_t runs_ = 0;
};

/// What it is asked about alone.
Scenario with_expectation(const Scenario& scenario, checker::Property property) {
  Scenario asked = scenario;
  const model::SourcePlace place = scenario.expect.place;
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
