#include "model/client/generated_steps.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>
#include <span>
#include <string>

#include "checker/hold_mode.h"
#include "scenario/step_forms.h"

namespace lockstep::model {
namespace {

class Drawing {
 public:
  /// `spread`: of all ranges.
  Drawing(sim::ChoiceSource& choices, sim::Stream stream, scenario::Spread spread,
          std::vector<scenario::Step>& steps)
      : choices_(choices), stream_(stream), spread_(spread), steps_(steps) {}

  void add(scenario::Step step) {
    draw(step.lease_ns, step.lease_ns_max);
    draw(step.wait_ns, step.wait_ns_max);
    if (step.duration_ns_max) {
      step.duration_ns = drawn_from({step.duration_ns, *step.duration_ns_max});
      step.duration_ns_max.reset();
    }
    steps_.push_back(std::move(step));
  }

  /// One turn: a thought, and what the thread does after it.
  void add_turn(const scenario::GenerateSpec& spec) {
    add_sleep(spec.think);
    scenario::Step step = pick(spec.outside, Allowed::all).step;
    choose_lock(step, spec);
    const scenario::StepForm& form = scenario::form_of(step.kind);
    if (form.role != scenario::StepRole::takes) return add(std::move(step));
    draw_amount(step, spec);
    if (spec.nesting > 1) {
      nested_.clear();
      return add_nested(spec, step, choices_.choose(stream_, spec.nesting));
    }
    const std::uint64_t depth =
        scenario::takes_amount(form) ? 1 : 1 + choices_.choose(stream_, spec.reentrancy);
    for (std::uint64_t i = 0; i < depth; ++i) add(step);
    add_inside(spec, step);
    add_sleep(spec.hold);
    for (std::uint64_t i = 0; i < depth; ++i) add(release_of(step));
  }

 private:
  /// What may be done in a hold: who shares it may neither write nor extend, and there is one
  /// protected resource, which the first of the locks protects.
  enum class Allowed : std::uint8_t { all, all_but_write, questions };

  [[nodiscard]] sim::DurationNs drawn_from(scenario::DurationRange range) {
    return draw_duration(choices_, stream_, range, spread_);
  }

  void draw(std::optional<sim::DurationNs>& value, std::optional<sim::DurationNs>& other_end) {
    if (!other_end) return;
    value = drawn_from({*value, *other_end});
    other_end.reset();
  }

  void add_sleep(scenario::DurationRange range) {
    const sim::DurationNs duration_ns = drawn_from(range);
    if (duration_ns == 0) return;
    steps_.push_back({scenario::StepKind::sleep, {}, {}, {}, 1, duration_ns, {}});
  }

  static scenario::Step release_of(const scenario::Step& take) {
    return {
        scenario::form_of(take.kind).ended_by, take.lock_names, {}, {}, take.amount, 0, take.place};
  }

  void draw_amount(scenario::Step& step, const scenario::GenerateSpec& spec) {
    if (!scenario::takes_amount(scenario::form_of(step.kind))) return;
    step.amount = choices_.between(stream_, spec.amount_min, spec.amount_max);
  }

  // Holds inside one another --------------------------------------------------------------------

  static bool is_shared(const scenario::Step& take) {
    return scenario::form_of(take.kind).mode == checker::HoldMode::shared;
  }

  /// Uses a hold for a while.
  void add_use(const scenario::GenerateSpec& spec, std::size_t hold) {
    const std::size_t first = steps_.size();
    add_inside(spec, nested_[hold]);
    for (std::size_t i = first; i < steps_.size(); ++i) keep_lease(steps_[i]);
    add_sleep(spec.hold);
  }

  /// A hold, and up to `more` inside it.
  void add_nested(const scenario::GenerateSpec& spec, const scenario::Step& take,
                  std::uint64_t more) {
    add(take);
    last_taken_ = take.lock_names;
    const std::size_t self = nested_.size();
    keep_lease(steps_.back());
    nested_.push_back(steps_.back());
    add_use(spec, self);
    const std::optional<scenario::Step> inner = more == 0 ? std::nullopt : draw_inner(spec);
    if (inner) {
      // Who writes may go on as a reader.
      const bool is_downgrade = is_shared(*inner) && !is_shared(take) &&
                                inner->lock_names == take.lock_names &&
                                choices_.choose(stream_, 2) == 1;
      if (is_downgrade) return add_downgrade(spec, *inner, self);
      add_nested(spec, *inner, more - 1);
      add_use(spec, self);
    }
    add(release_of(nested_[self]));
    nested_.resize(self);
  }

  void add_downgrade(const scenario::GenerateSpec& spec, const scenario::Step& inner,
                     std::size_t outer) {
    add(inner);
    keep_lease(steps_.back());
    nested_.push_back(steps_.back());
    add_sleep(spec.hold);
    add(release_of(nested_[outer]));
    add_use(spec, outer + 1);
    add(release_of(nested_[outer + 1]));
    nested_.resize(outer);
  }

  /// Nobody asks for a shorter lease of a lock than it has asked for in this turn. Notes the
  /// longest.
  void keep_lease(scenario::Step& step) {
    if (!step.lease_ns) return;
    for (scenario::Step& hold : nested_) {
      if (!hold.lease_ns || step.lock_names != hold.lock_names) continue;
      step.lease_ns = std::max(*step.lease_ns, *hold.lease_ns);
      hold.lease_ns = step.lease_ns;
    }
  }

  /// What may be taken inside the holds of this turn without waiting for itself: a lock that it
  /// has, not to write what it reads; or one that stands behind all of them in the file, since all
  /// threads take locks in one order.
  bool may_be_taken(const scenario::Step& step) const {
    const scenario::StepForm& form = scenario::form_of(step.kind);
    if (form.role != scenario::StepRole::takes || scenario::takes_several_locks(form)) return false;
    const bool reads = std::any_of(nested_.begin(), nested_.end(), is_shared);
    return is_shared(step) || !reads;
  }

  std::optional<scenario::Step> draw_inner(const scenario::GenerateSpec& spec) {
    std::vector<const scenario::GenerateSpec::WeightedStep*> words;
    std::uint64_t weight = 0;
    for (const scenario::GenerateSpec::WeightedStep& word : spec.outside) {
      if (!may_be_taken(word.step)) continue;
      words.push_back(&word);
      weight += word.weight;
    }
    if (words.empty()) return std::nullopt;
    std::uint64_t left = choices_.choose(stream_, weight);
    std::size_t chosen = 0;
    while (left >= words[chosen]->weight) left -= words[chosen++]->weight;
    scenario::Step inner = words[chosen]->step;
    draw_amount(inner, spec);
    choose_inner_lock(inner, spec);
    return inner;
  }

  void choose_inner_lock(scenario::Step& step, const scenario::GenerateSpec& spec) {
    const std::vector<std::string>& names = spec.lock_names;
    std::vector<std::string> had;
    std::size_t next = 0;
    for (const scenario::Step& hold : nested_) {
      for (const std::string& name : hold.lock_names) {
        if (std::find(had.begin(), had.end(), name) != had.end()) continue;
        had.push_back(name);
        const auto place = std::find(names.begin(), names.end(), name) - names.begin();
        next = std::max(next, static_cast<std::size_t>(place) + 1);
      }
    }
    had.insert(had.end(), names.begin() + static_cast<std::ptrdiff_t>(next), names.end());
    step.lock_names = {had[choices_.choose(stream_, had.size())]};
  }

  static bool may_be_done(const scenario::Step& step, Allowed allowed) {
    if (allowed == Allowed::questions)
      return scenario::form_of(step.kind).role == scenario::StepRole::asks;
    return allowed == Allowed::all || step.kind != scenario::StepKind::write;
  }

  Allowed allowed_in(const scenario::Step& hold, const scenario::GenerateSpec& spec) const {
    if (scenario::form_of(hold.kind).mode == checker::HoldMode::shared) return Allowed::questions;
    const bool is_protected = hold.lock_names.front() == spec.lock_names.front();
    // A write has the token of the last grant, be it another lock's.
    const bool is_last = nested_.empty() || last_taken_ == hold.lock_names;
    return is_protected && is_last ? Allowed::all : Allowed::all_but_write;
  }

  /// One of the words by their weights. REQUIRES: one of them may be done.
  const scenario::GenerateSpec::WeightedStep& pick(
      std::span<const scenario::GenerateSpec::WeightedStep> words, Allowed allowed) {
    std::uint64_t left = choices_.choose(stream_, weight_of(words, allowed));
    for (const scenario::GenerateSpec::WeightedStep& word : words) {
      if (!may_be_done(word.step, allowed)) continue;
      if (left < word.weight) return word;
      left -= word.weight;
    }
    assert(false);
    return words.front();
  }

  static std::uint64_t weight_of(std::span<const scenario::GenerateSpec::WeightedStep> words,
                                 Allowed allowed) {
    std::uint64_t weight = 0;
    for (const scenario::GenerateSpec::WeightedStep& word : words) {
      if (may_be_done(word.step, allowed)) weight += word.weight;
    }
    return weight;
  }

  void choose_lock(scenario::Step& step, const scenario::GenerateSpec& spec) {
    if (step.lock_names.empty() || scenario::takes_several_locks(scenario::form_of(step.kind)))
      return;
    step.lock_names = {spec.lock_names[choices_.choose(stream_, spec.lock_names.size())]};
  }

  void add_inside(const scenario::GenerateSpec& spec, const scenario::Step& hold) {
    const Allowed allowed = allowed_in(hold, spec);
    if (weight_of(spec.inside, allowed) == 0) return;
    scenario::Step step = pick(spec.inside, allowed).step;
    if (!step.lock_names.empty()) step.lock_names = {hold.lock_names.front()};
    add(std::move(step));
  }

  sim::ChoiceSource& choices_;
  sim::Stream stream_;
  scenario::Spread spread_;
  std::vector<scenario::Step>& steps_;
  std::vector<scenario::Step> nested_;  ///< what this turn has, the outermost first
  std::vector<std::string> last_taken_;
};

}  // namespace

namespace {

/// First a power of two, each as often as any other, then a number up to the next one.
/// REQUIRES: 0 ≤ low ≤ high.
std::int64_t draw_log(sim::ChoiceSource& choices, sim::Stream stream, std::int64_t low,
                      std::int64_t high) {
  const auto bits = [](std::int64_t number) {
    return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(number)));
  };
  const std::int64_t width = choices.between(stream, bits(low), bits(high));
  if (width == 0) return 0;
  const std::int64_t power = std::int64_t{1} << (width - 1);
  return choices.between(stream, std::max(low, power), std::min(high, 2 * (power - 1) + 1));
}

}  // namespace

sim::DurationNs draw_duration(sim::ChoiceSource& choices, sim::Stream stream,
                              scenario::DurationRange range, scenario::Spread spread) {
  sim::DurationNs unit_ns = 1;
  for (const sim::DurationNs larger : {sim::microsecond_ns, sim::millisecond_ns}) {
    if (range.min_ns % larger == 0 && range.max_ns % larger == 0) unit_ns = larger;
  }
  const sim::DurationNs least = range.min_ns / unit_ns;
  const sim::DurationNs most = range.max_ns / unit_ns;
  const bool is_log = spread == scenario::Spread::log;
  return unit_ns *
         (is_log ? draw_log(choices, stream, least, most) : choices.between(stream, least, most));
}

void draw_steps(const scenario::ThreadSpec& thread, sim::ChoiceSource& choices, sim::Stream stream,
                std::vector<scenario::Step>& steps) {
  steps.clear();
  const auto spread = thread.generate ? thread.generate->spread : scenario::Spread::even;
  Drawing drawing(choices, stream, spread, steps);
  for (const scenario::Step& step : thread.steps) drawing.add(step);
  if (!thread.generate) return;
  for (std::uint32_t turn = 0; turn < thread.generate->turns; ++turn) {
    drawing.add_turn(*thread.generate);
  }
}

}  // namespace lockstep::model
