// What a scenario leaves open of its faults, drawn with Purpose::fault and the fault's place: how
// often it strikes as the run begins, the moment and the delay when a fault is triggered, the rest
// when it strikes.
#include "model/faults/fault_injector.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::model {

std::uint32_t FaultInjector::draw_strikes(std::size_t fault) {
  const scenario::OpenDuration* const open =
      faults_[fault].find_open(scenario::OpenDuration::What::strikes);
  if (open == nullptr) return faults_[fault].trigger.times;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  const auto strikes =
      static_cast<std::uint32_t>(choices_->between(stream, open->min_ns, open->max_ns));
  drawn_[fault].trigger.times = strikes;
  return strikes;
}

void FaultInjector::draw_delay(std::size_t fault) {
  if (faults_[fault].open.empty()) return;
  const scenario::OpenDuration* const open =
      faults_[fault].find_open(scenario::OpenDuration::What::after);
  if (open == nullptr) return;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  drawn_[fault].trigger.after_ns = choices_->between(stream, open->min_ns, open->max_ns);
}

void FaultInjector::draw_what(std::size_t fault) {
  const scenario::FaultSpec& spec = faults_[fault];
  if (!spec.is_open()) return;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  scenario::FaultSpec& drawn = drawn_[fault];
  if (!spec.targets.empty()) {
    drawn.target = spec.targets[choices_->choose(stream, spec.targets.size())];
  }
  for (const scenario::OpenDuration& open : spec.open) {
    const bool is_drawn_before = open.what == scenario::OpenDuration::What::after ||
                                 open.what == scenario::OpenDuration::What::strikes;
    if (is_drawn_before) continue;
    scenario::set_open(drawn, open.what, choices_->between(stream, open.min_ns, open.max_ns));
  }
  drawn.open.clear();
  drawn.targets.clear();
  descriptions_[fault] = drawn.describe();
}

/// Nobody knows how many moments a run has: early ones, of which every run has some, come as often
/// as late ones.
std::uint32_t FaultInjector::draw_moment(std::size_t fault) {
  constexpr std::uint64_t doublings = 8;
  const sim::Stream stream{sim::Purpose::fault, static_cast<std::uint32_t>(fault)};
  const std::uint64_t up_to = std::uint64_t{1} << choices_->choose(stream, doublings);
  return static_cast<std::uint32_t>(1 + choices_->choose(stream, up_to));
}

}  // namespace lockstep::model
