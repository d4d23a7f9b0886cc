// Draws the faults of a run where the scenario leaves them open.
//
// What is drawn is a list of closed faults, as a file could have written them: which kinds, whom
// they strike, when and for how long. Each fault draws from streams of its own place, so that a
// search can change one and keep the others. Most are tied to moments that the scenario's runs have
// (run_profile.h); a third of the later ones does to an equal what the one before does ("and n2
// restarts, too"), and goes on so with the next more often than not; a process that dies comes
// back, or is replaced, as often as not.
//
// Not covered: faults of more than one step but those; what a file says in `faults` beyond kinds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/faults/fault_choices.h"
#include "model/faults/run_profile.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/participants.h"
#include "sim/choice_source.h"

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
struct Trigger;
}  // namespace lockstep::scenario

namespace lockstep::model {

class FaultGenerator {
 public:
  /// `key_patterns`: the keys of a lock that may be deleted; `own_times`: how long it waits or
  /// remembers, beside its leases. Does not own; scenario and profile outlive it. Throws InputError
  /// where no kind that the scenario allows can strike in it. REQUIRES: its faults are open.
  FaultGenerator(const scenario::Scenario& scenario, const RunProfile& profile,
                 std::vector<std::string> key_patterns,
                 const std::vector<sim::DurationNs>& own_times = {});

  /// Appends the faults of a run.
  void draw(sim::ChoiceSource& choices, std::vector<scenario::FaultSpec>& faults);

 private:
  struct Names {
    std::vector<std::string> clients, threads, masters, nodes, replicas, servers, processes, hosts;
  };
  /// What follows the end of a process: a restart for certain, or as chance says.
  enum class FollowUp : std::uint8_t { any, restart };
  using KindCounts = std::array<std::uint32_t, scenario::fault_kind_count>;

  void collect_names(const scenario::Participants& participants);
  void weigh_milestones();
  [[nodiscard]] bool can_draw(scenario::FaultKind kind) const;
  [[nodiscard]] bool may_draw_end() const;
  /// Throws InputError: the scenario names a kind that can't be drawn.
  [[noreturn]] void refuse(scenario::FaultKind kind) const;
  /// How long what is drawn lasts is measured by this.
  [[nodiscard]] sim::DurationNs draw_unit_ns(FaultChoices& place) const;
  /// Whether the budget has one more.
  [[nodiscard]] bool may_add(scenario::FaultKind kind) const;
  void add(scenario::FaultSpec fault, std::vector<scenario::FaultSpec>& faults);
  void draw_one(FaultChoices place, std::vector<scenario::FaultSpec>& faults);
  [[nodiscard]] bool try_draw_same_on_peer(FaultChoices place,
                                           std::vector<scenario::FaultSpec>& faults);
  void draw_follow_up(FaultChoices place, FollowUp wanted,
                      std::vector<scenario::FaultSpec>& faults);
  [[nodiscard]] std::optional<scenario::FaultKind> draw_kind(FaultChoices& place);

  // The same to another.
  /// Turns the fault to an equal of whom it strikes, whom no fault of the kind strikes yet.
  [[nodiscard]] bool draw_same_on_peer(FaultChoices& place,
                                       const std::vector<scenario::FaultSpec>& faults,
                                       scenario::FaultSpec& fault) const;
  [[nodiscard]] std::vector<scenario::FaultSpec> peer_variants_of(
      const scenario::FaultSpec& fault) const;
  void add_peer_targets(const scenario::FaultSpec& fault,
                        std::vector<scenario::FaultSpec>& equals) const;
  void add_peer_messages(const scenario::FaultSpec& fault,
                         std::vector<scenario::FaultSpec>& equals) const;
  void add_peer_pairs(const scenario::FaultSpec& fault,
                      std::vector<scenario::FaultSpec>& equals) const;

  // fault_generator_extents.cpp: when
  void draw_trigger(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_moment(FaultChoices& place, scenario::Trigger& trigger) const;
  void draw_lease_end(FaultChoices& place, scenario::Trigger& trigger) const;
  void draw_message_moment(FaultChoices& place, scenario::Trigger& trigger) const;
  [[nodiscard]] const std::string& actor_name(const std::string& thread) const;

  // fault_generator_extents.cpp: whom, for how long
  [[nodiscard]] const std::vector<std::string>* targets_of(scenario::FaultKind kind) const;
  void draw_extent(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_amount(FaultChoices& place, scenario::Amount amount, scenario::FaultSpec& fault) const;
  void draw_targets(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_pair(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_groups(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_message(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_key(FaultChoices& place, scenario::FaultSpec& fault) const;
  void draw_callback(FaultChoices& place, scenario::FaultSpec& fault) const;

  const scenario::Scenario& scenario_;
  const RunProfile& run_profile_;
  const std::vector<std::string> key_patterns_;
  Names names_;
  std::vector<std::string> lock_names_;
  std::vector<std::string> single_threads_;       // those whose client is meant by its own name
  std::vector<scenario::FaultKind> kinds_;        // that can be drawn, each as often as it weighs
  std::vector<std::size_t> weighted_milestones_;  // indices, each as often as it weighs
  std::vector<std::string> holders_;              // who ever acquires
  sim::DurationNs unit_ns_;                       // the lease
  std::vector<sim::DurationNs> units_;            // it, and times of the lock's own far beyond it
  KindCounts drawn_{};                            // of this run
  std::uint32_t drawn_in_all_ = 0;
  std::size_t last_drawn_ = 0;     // of the run's faults: the last that is no sequel
  bool continues_series_ = false;  // the last fault does what the one before does
};

}  // namespace lockstep::model
