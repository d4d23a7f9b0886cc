// Decides when each fault of a scenario strikes, and when it ends: at an instant, at a milestone,
// or when a message is sent. strikes.h says what a fault does.
//
// Counts how often each fault struck: a scenario whose fault never struck has shown nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/faults/fault_environment.h"
#include "model/faults/lease_triggers.h"
#include "model/faults/message_faults.h"
#include "model/faults/run_profile.h"
#include "model/faults/strike_effects.h"
#include "model/faults/strikes.h"
#include "model/faults/unhealed_faults.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"

namespace lockstep::model {

struct SlowPart;

class FaultInjector final : public sim::Interceptor,
                            public scenario::MilestoneListener,
                            private sim::EventTarget,
                            private DeferredStrikeListener,
                            private LeaseTriggerListener {
 public:
  /// With `heal_at_ns` all faults end then that do not stay.
  FaultInjector(std::vector<scenario::FaultSpec> faults, const FaultEnvironment& environment,
                std::optional<sim::TimeNs> heal_at_ns);

  /// Replaces the faults, for the runs from now on. REQUIRES: every name in them is a host or an
  /// actor.
  void set_faults(std::vector<scenario::FaultSpec> faults);
  [[nodiscard]] const std::vector<scenario::FaultSpec>& faults() const { return faults_; }
  /// Sets what learns the milestones of a run; nullptr clears it. Does not own.
  void set_run_profile(RunProfile* profile) { run_profile_ = profile; }
  void start_run(sim::ChoiceSource& choices);
  /// Adds a fault for the rest of this run and makes it strike at this instant, which becomes its
  /// trigger. It is the last of faults() until the next run. REQUIRES: as set_faults; it is closed.
  void strike_now(scenario::FaultSpec fault);
  /// Makes each message sent a milestone, for others that wait for one.
  void tell_of_sending() { others_wait_for_sending_ = true; }
  /// Sets the listener of every strike; nullptr clears it. Does not own.
  void set_struck_listener(scenario::StrikeListener* listener) { struck_listener_ = listener; }
  /// How often each fault struck in this run, by index.
  [[nodiscard]] const std::vector<std::uint32_t>& strikes() const { return strikes_; }
  /// The times for which they were at work, in the order in which they struck; of each fault the
  /// first few.
  [[nodiscard]] const std::vector<StrikeSpan>& spans() const { return spans_; }
  /// As if a fault that makes as slow were at work from the beginning to the end.
  [[nodiscard]] StrikeSpan whole_run(const SlowPart& part, std::size_t place) const;
  /// What struck and is in force at this instant (fault_injector_heal.cpp); a slowness of no
  /// more than that keeps nobody from anything.
  void tell_unhealed(UnhealedFaults& unhealed, sim::DurationNs slowness_max_ns) const;
  [[nodiscard]] const FaultEnvironment& environment() const { return environment_; }
  /// Digests which faults may still strike, and what those under way do (faults_digest.cpp).
  void digest_into(sim::Digest& digest) const;

  sim::SendDecision on_send(const sim::MessageInfo& message) override;
  void on_arrived(std::uint64_t message) override { message_faults_.on_arrived(message); }
  void on_refused(sim::HostId listener) override;
  void on_milestone(scenario::Milestone milestone, sim::ActorId actor, std::string_view detail,
                    sim::ActorId requested_by) override;

 private:
  struct State {
    std::uint32_t trigger_matches = 0;
    std::uint32_t drawn_match = 0;  ///< `any`: the one that it strikes at
    std::uint32_t times_left = 0;   ///< of its triggers
    bool is_begun = false;          ///< `every`: its moment has come
  };
  /// A strike that lasts.
  struct Lasting {
    std::size_t fault;
    scenario::FaultSpec spec;
    std::uint64_t number;
    std::size_t span;  ///< in spans_; no_span: none
    sim::EventHandle end_event;
    bool is_over = false;
  };

  enum EventCode : std::uint32_t { strike_code, end_code, heal_code };
  static constexpr std::uint32_t depth_max = 16;  // of strikes within strikes
  static constexpr std::uint32_t spans_max = 64;  // of a fault
  static constexpr std::size_t no_span = SIZE_MAX;

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void on_struck(std::size_t fault) override { note(fault); }

  void on_lease_trigger(std::size_t fault) override;
  /// When it strikes, in the midst of somebody's work or not.
  enum class Instant : std::uint8_t { at_once, once_it_is_done };

  void forget_faults_of_run();
  void start_fault(std::size_t fault);
  void trigger(std::size_t fault, Instant instant);
  void plan_repetition(std::size_t fault);
  void arm_or_strike(std::size_t fault);
  /// Another of its moments has come: whether it is to be triggered.
  [[nodiscard]] bool counts(std::size_t fault);
  /// Whether it is still to be triggered, or waits for its message.
  [[nodiscard]] bool may_strike(std::size_t fault) const;
  [[nodiscard]] bool is_over(std::size_t fault) const {
    return is_healed_ && !faults_[fault].stays;
  }

  // What a file leaves open.
  [[nodiscard]] std::uint32_t draw_strikes(std::size_t fault);
  void draw_delay(std::size_t fault);
  void draw_what(std::size_t fault);
  [[nodiscard]] std::uint32_t draw_moment(std::size_t fault);

  // fault_injector_heal.cpp
  void heal();
  /// Whether there was one to start.
  [[nodiscard]] bool restart_processes();
  /// Whether nothing that struck goes on at this instant, but for servers that are down.
  [[nodiscard]] bool is_over() const;

  // fault_injector_heal.cpp: what is in force
  void tell_lasting(const scenario::FaultSpec& spec, UnhealedFaults& unhealed,
                    sim::DurationNs slowness_max_ns) const;
  void tell_of_messages(const scenario::FaultSpec& spec, UnhealedFaults& unhealed) const;

  void strike(std::size_t fault);
  void note_who_stays_down(const scenario::FaultSpec& spec);
  void end(Lasting& lasting, StrikeEnd why);
  void note(std::size_t fault);
  void add_span(std::size_t fault);
  void name_struck(const scenario::FaultSpec& spec, StrikeSpan& span) const;
  [[nodiscard]] std::uint64_t client_bit_of(std::string_view name) const;
  [[nodiscard]] std::uint64_t server_bit_of(std::string_view name) const;
  void tell(std::string_view kind, std::size_t fault, const scenario::FaultSpec& spec);
  [[nodiscard]] bool matches(const scenario::FaultSpec& fault, scenario::Milestone milestone,
                             sim::ActorId actor, std::string_view detail,
                             sim::ActorId requested_by) const;

  std::vector<scenario::FaultSpec> faults_;
  std::size_t faults_set_ = 0;              // so many of them; behind them are this run's own
  std::vector<scenario::FaultSpec> drawn_;  // the same, with what is left open as it was drawn last
  const FaultEnvironment environment_;
  const std::optional<sim::TimeNs> heal_at_ns_;
  StrikeHandlers handlers_{environment_, *this};
  MessageFaults message_faults_;
  LeaseTriggers lease_triggers_;
  std::vector<std::string> descriptions_;
  std::vector<State> states_;
  std::vector<std::uint32_t> strikes_;
  std::vector<StrikeSpan> spans_;
  const sim::MessageInfo* message_ = nullptr;  // that is sent at this moment
  std::deque<Lasting> lasting_;                // of this run, in the order in which they struck
  bool milestone_of_sending_ = false;          // some trigger waits for a message
  bool others_wait_for_sending_ = false;
  sim::ChoiceSource* choices_ = nullptr;
  scenario::StrikeListener* struck_listener_ = nullptr;
  RunProfile* run_profile_ = nullptr;
  std::uint32_t depth_ = 0;           // of the strikes under way
  std::uint64_t strikes_so_far_ = 0;  // of all faults, in this run
  std::set<std::string, std::less<>> stays_down_;
  bool is_healed_ = false;
};

}  // namespace lockstep::model
