#include "model/client/generated_steps.h"

#include <cassert>
#include <span>

#include "checker/hold_mode.h"
#include "scenario/step_forms.h"

namespace lockstep::model {
namespace {

class Drawing {
 public:
  Drawing(sim::ChoiceSource& choices, sim::Stream stream, std::vector<scenario::Step>& steps)
      : choices_(choices), stream_(stream), steps_(steps) {}

  void add(scenario::Step step) {
    draw(step.lease_ns, step.lease_ns_max);
    draw(step.wait_ns, step.wait_ns_max);
    if (step.duration_ns_max) {
      step.duration_ns =
          draw_duration(choices_, stream_, {step.duration_ns, *step.duration_ns_max});
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
    if (scenario::takes_amount(form)) {
      step.amount = choices_.between(stream_, spec.amount_min, spec.amount_max);
    }
    const std::uint64_t depth =
        scenario::takes_amount(form) ? 1 : 1 + choices_.choose(stream_, spec.reentrancy);
    for (std::uint64_t i = 0; i < depth; ++i) add(step);
    add_inside(spec, step);
    add_sleep(spec.hold);
    const scenario::Step release{form.ended_by, step.lock_names, {}, {}, step.amount, 0,
                                 step.place};
    for (std::uint64_t i = 0; i < depth; ++i) add(release);
  }

 private:
  /// What may be done in a hold: who shares it may neither write nor extend, and there is one
  /// protected resource, which the first of the locks protects.
  enum class Allowed : std::uint8_t { all, all_but_write, questions };

  void draw(std::optional<sim::DurationNs>& value, std::optional<sim::DurationNs>& other_end) {
    if (!other_end) return;
    value = draw_duration(choices_, stream_, {*value, *other_end});
    other_end.reset();
  }

  void add_sleep(scenario::DurationRange range) {
    const sim::DurationNs duration_ns = draw_duration(choices_, stream_, range);
    if (duration_ns == 0) return;
    steps_.push_back({scenario::StepKind::sleep, {}, {}, {}, 1, duration_ns, {}});
  }

  static bool may_be_done(const scenario::Step& step, Allowed allowed) {
    if (allowed == Allowed::questions)
      return scenario::form_of(step.kind).role == scenario::StepRole::asks;
    return allowed == Allowed::all || step.kind != scenario::StepKind::write;
  }

  static Allowed allowed_in(const scenario::Step& hold, const scenario::GenerateSpec& spec) {
    if (scenario::form_of(hold.kind).mode == checker::HoldMode::shared) return Allowed::questions;
    const bool is_protected = hold.lock_names.front() == spec.lock_names.front();
    return is_protected ? Allowed::all : Allowed::all_but_write;
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
  std::vector<scenario::Step>& steps_;
};

}  // namespace

sim::DurationNs draw_duration(sim::ChoiceSource& choices, sim::Stream stream,
                              scenario::DurationRange range) {
  sim::DurationNs unit_ns = 1;
  for (const sim::DurationNs larger : {sim::microsecond_ns, sim::millisecond_ns}) {
    if (range.min_ns % larger == 0 && range.max_ns % larger == 0) unit_ns = larger;
  }
  return choices.between(stream, range.min_ns / unit_ns, range.max_ns / unit_ns) * unit_ns;
}

void draw_steps(const scenario::ThreadSpec& thread, sim::ChoiceSource& choices, sim::Stream stream,
                std::vector<scenario::Step>& steps) {
  steps.clear();
  Drawing drawing(choices, stream, steps);
  for (const scenario::Step& step : thread.steps) drawing.add(step);
  if (!thread.generate) return;
  for (std::uint32_t turn = 0; turn < thread.generate->turns; ++turn) {
    drawing.add_turn(*thread.generate);
  }
}

}  // namespace lockstep::model
