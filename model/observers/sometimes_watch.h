// Counts what a scenario expects to happen sometimes: "b acquired while a believes", "pause of a
// struck", "b acquired after a crashed".
//
// It stands before the fault injector and passes every milestone on.
#pragma once

#include <cstdint>
#include <vector>

#include "scenario/milestone_listener.h"
#include "sim/trace.h"

namespace lockstep::scenario {
struct Sometimes;
}  // namespace lockstep::scenario
namespace lockstep::sim {
class Digest;
}  // namespace lockstep::sim

namespace lockstep::model {

class Recorder;

class SometimesWatch final : public scenario::MilestoneListener, public scenario::StrikeListener {
 public:
  /// Does not own; all must outlive it.
  SometimesWatch(const std::vector<scenario::Sometimes>& watched, const Recorder& recorder,
                 const sim::Trace& trace, scenario::MilestoneListener& next);

  void start_run();
  /// How often each was seen in this run, by index; "for the 2nd time" is seen once.
  [[nodiscard]] const std::vector<std::uint32_t>& seen() const { return seen_; }
  /// Whether one waits for messages to be sent; these are reported only on request.
  [[nodiscard]] bool watches_sending() const;

  void on_milestone(scenario::Milestone milestone, sim::ActorId actor, std::string_view detail,
                    sim::ActorId requested_by) override;
  void on_struck(std::size_t fault) override;
  void digest_into(sim::Digest& digest) const;

 private:
  void count(std::size_t index);
  [[nodiscard]] bool somebody_believes(const scenario::Sometimes& sometimes) const;

  const std::vector<scenario::Sometimes>& watched_;
  const Recorder& recorder_;
  const sim::Trace& trace_;
  scenario::MilestoneListener& next_;
  std::vector<std::uint32_t> before_;   // how often came what must have come before
  std::vector<std::uint32_t> matched_;  // the moment alone, for "for the 2nd time"
  std::vector<std::uint32_t> seen_;
};

}  // namespace lockstep::model
