// Draws the faults of a run where the scenario leaves them open.
//
// What is drawn is a list of closed faults, as a file could have written them: which kinds, whom
// they strike, when and for how long. Each fault draws from streams of its own place, so that a
// search can change one and keep the others. Most are tied to moments that the scenario's runs have
// (moments.h); a third of the later ones does to an equal what the one before does ("and n2
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

#include "model/scenario/cast.h"
#include "model/scenario/scenario.h"
#include "model/simulation/fault_place.h"
#include "model/simulation/moments.h"
#include "sim/choice_source.h"

namespace lockstep::model {

class FaultDrawer {
 public:
  /// `key_patterns`: the keys of a lock that may be deleted. Does not own; scenario and moments
  /// outlive it. Throws InputError where no kind that the scenario allows can strike in it.
  /// REQUIRES: its faults are open.
  FaultDrawer(const Scenario& scenario, const Moments& moments,
              std::vector<std::string> key_patterns);

  /// Appends the faults of a run.
  void draw(sim::ChoiceSource& choices, std::vector<FaultSpec>& faults);

 private:
  struct Names {
    std::vector<std::string> clients, threads, masters, nodes, replicas, servers, processes, hosts;
  };
  /// What follows the end of a process: a restart for certain, or as chance says.
  enum class Sequel : std::uint8_t { any, restart };
  using KindCounts = std::array<std::uint32_t, fault_kind_count>;

  void collect_names(const Cast& cast);
  void weigh_moments();
  [[nodiscard]] bool can_draw(FaultKind kind) const;
  /// Throws InputError: the scenario names a kind that can't be drawn.
  [[noreturn]] void refuse(FaultKind kind) const;
  /// Whether the budget has one more.
  [[nodiscard]] bool may_add(FaultKind kind) const;
  void add(FaultSpec fault, std::vector<FaultSpec>& faults);
  void draw_one(FaultPlace place, std::vector<FaultSpec>& faults);
  [[nodiscard]] bool draw_alike(FaultPlace place, std::vector<FaultSpec>& faults);
  void draw_sequel(FaultPlace place, Sequel wanted, std::vector<FaultSpec>& faults);
  [[nodiscard]] std::optional<FaultKind> draw_kind(FaultPlace& place);

  // fault_drawer_equals.cpp: the same to another
  /// Turns the fault to an equal of whom it strikes, whom no fault of the kind strikes yet.
  [[nodiscard]] bool draw_equal(FaultPlace& place, const std::vector<FaultSpec>& faults,
                                FaultSpec& fault) const;
  [[nodiscard]] std::vector<FaultSpec> equals_of(const FaultSpec& fault) const;
  void add_equal_targets(const FaultSpec& fault, std::vector<FaultSpec>& equals) const;
  void add_equal_messages(const FaultSpec& fault, std::vector<FaultSpec>& equals) const;
  void add_equal_pairs(const FaultSpec& fault, std::vector<FaultSpec>& equals) const;

  // fault_drawer_moments.cpp: when
  void draw_trigger(FaultPlace& place, FaultSpec& fault) const;
  void draw_moment(FaultPlace& place, Trigger& trigger) const;
  void draw_lease_end(FaultPlace& place, Trigger& trigger) const;
  void draw_message_moment(FaultPlace& place, Trigger& trigger) const;
  [[nodiscard]] const std::string& actor_name(const std::string& thread) const;

  // fault_drawer_extents.cpp: whom, for how long
  [[nodiscard]] const std::vector<std::string>* targets_of(FaultKind kind) const;
  void draw_extent(FaultPlace& place, FaultSpec& fault) const;
  void draw_targets(FaultPlace& place, FaultSpec& fault) const;
  void draw_pair(FaultPlace& place, FaultSpec& fault) const;
  void draw_groups(FaultPlace& place, FaultSpec& fault) const;
  void draw_message(FaultPlace& place, FaultSpec& fault) const;
  void draw_clock(FaultPlace& place, FaultSpec& fault) const;
  void draw_key(FaultPlace& place, FaultSpec& fault) const;
  void draw_callback(FaultPlace& place, FaultSpec& fault) const;

  const Scenario& scenario_;
  const Moments& moments_;
  const std::vector<std::string> key_patterns_;
  Names names_;
  std::vector<std::string> lock_names_;
  std::vector<std::string> single_threads_;  // those whose client is meant by its own name
  std::vector<FaultKind> kinds_;             // that can be drawn, each as often as it weighs
  std::vector<std::size_t> weighed_;         // indices of moments, each as often as it weighs
  std::vector<std::string> holders_;         // who ever acquires
  sim::DurationNs unit_ns_;                  // the lease
  KindCounts drawn_{};                       // of this run
  std::uint32_t drawn_in_all_ = 0;
  std::size_t last_drawn_ = 0;  // of the run's faults: the last that is no sequel
  bool is_row_ = false;         // the last fault does what the one before does
};

}  // namespace lockstep::model
