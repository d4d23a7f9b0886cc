// The heart of the mutex sweep: what may be true after each event, kept small.
//
// A configuration is what an order of effects up to now leaves: who holds the lock and how often,
// which operations under way have taken effect already, and how many unknown ones of each owner
// were used. Events are taken in order; only the completion of a known operation makes a
// configuration act, if the operation has had no effect in it so far: then it must have it now.
//
// Why so few steps are enough. Take any order of effects, and delay each effect as long as nothing
// asks for it (the classic argument of just-in-time linearization: Lowe 2017). What can ask?
//  - An acquire that completes while another holds the lock: the holder's release, which is under
//    way or unknown, goes just before it.
//  - A hold of no length fits any moment at which the lock was free. So an acquire whose release is
//    unknown, or a release whose acquire is, may be placed in retrospect: iff the last free moment,
//    F, isn't before its call. What happened since then isn't disturbed. All unknown operations
//    that it could use were invoked before it, as an owner calls one after the other.
//  - A refused acquire needs a moment in which the lock was held: iff the last one, H, isn't before
//    its call; else somebody takes the lock now. (Re-entrant: held by another than the caller.
//    Hence H for the last holder and for all others; and a hold of no length by another may be
//    placed when the lock was last free.) A refused release needs a moment in which
//    the caller wasn't the holder: it isn't now, or F isn't before its call.
//  F and H as late as possible forbid least, and delaying keeps both there.
// Anything else may wait: an unknown release by the holder, a second hold before a first one ends,
// are there to be used later just as well. One exception: a re-entrant acquire by the holder is an
// opportunity to let go and take the lock anew, which later would cost one release more.
//
// What an owner's unknown operations add up to is forced but for one number. Its known effects
// alone need so many unknown acquires (two releases in a row need one between); *excess* counts
// those used beyond. Used unknown releases follow from the two, the known effects and the level. So
// a configuration has a short list of owners with an excess, which is empty in most histories.
//
// One covers another if both have the same holder, level and effects under way, it has no larger
// excess for any owner, and its F and H are no earlier: it can do what the other does.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checker/linearizability/limits.h"
#include "checker/recorded/mutex/mutex_timeline.h"

namespace lockstep::checker::recorded {

inline constexpr std::uint32_t nobody = UINT32_MAX;

/// A moment is a position plus one; 0 is before all.
using SweepMoment = std::uint32_t;

/// How a configuration differs for one owner from what its known effects alone ask for.
struct OwnerDeviation {
  std::uint32_t owner = 0;
  std::int32_t excess = 0;   ///< unknown acquires used beyond what is forced
  bool took_effect = false;  ///< its operation under way
  friend bool operator==(const OwnerDeviation&, const OwnerDeviation&) = default;
};

/// For std::lower_bound.
[[nodiscard]] inline bool is_of_earlier_owner(const OwnerDeviation& one, std::uint32_t owner) {
  return one.owner < owner;
}

/// A state after so many placed operations, for the witness.
using SweepAnchor = std::uint32_t;

/// When somebody held the lock last.
struct LastHeld {
  std::uint32_t owner = nobody;
  SweepMoment at = 0;
  SweepAnchor anchor = 0;
};

struct MutexConfiguration {
  std::uint32_t holder = nobody;
  std::uint32_t level = 0;
  SweepMoment free_at = 0;  ///< F; while it is free: now
  SweepAnchor free_anchor = 0;
  LastHeld held;                           ///< H; while it is held: now
  LastHeld held_other;                     ///< the last before, by somebody else
  std::uint32_t placed = 0;                ///< how many effects
  std::uint32_t in_past = 0;               ///< how many times something was placed in retrospect
  std::int32_t cost = 0;                   ///< the sum of excess
  std::uint32_t decision = no_item;        ///< the last one, in the log
  std::uint32_t choice = no_item;          ///< made at this event, not yet in the log
  std::vector<OwnerDeviation> deviations;  ///< by owner, none that says nothing

  [[nodiscard]] bool is_free() const { return holder == nobody; }
};

/// One of several ways to place an operation.
struct SweepMove {
  enum class First : std::uint8_t {
    nothing,
    release_under_way,  ///< by the holder; at a higher level unknown ones too
    unknown_releases,   ///< by the holder
  };
  enum class Then : std::uint8_t {
    take,  ///< the lock is free
    reenter,
    give,              ///< one level back
    take_in_past,      ///< and an unknown release at once, when it was last free
    give_now,          ///< an unknown acquire and this release, while it is free
    give_in_past,      ///< the same, when it was last free
    see_now,           ///< a refusal, explained by how things stand
    see_held,          ///< by when it was last held
    see_free,          ///< by when it was last free
    see_acquire,       ///< after the acquire under way of `other`
    see_unknown,       ///< after an unknown acquire of `other`
    see_past_pair,     ///< within a hold of `other` when it was last free, both ends unknown
    see_past_acquire,  ///< the same; its acquire is under way
    see_past_release,  ///< the same; its release is under way
  };
  First first = First::nothing;
  Then then = Then::take;
  std::uint32_t other = nobody;
  std::int32_t price = 0;               ///< the excess that it is likely to end in
  std::uint32_t due = never_completed;  ///< likely to be right if soon
};

/// What a replay writes down.
struct SweepTrail {
  /// An item; or an unknown operation of an owner, whichever is next.
  struct Effect {
    SweepStep step = SweepStep::acquire;
    std::uint32_t item = no_item;
    std::uint32_t owner = nobody;
  };
  struct InPast {
    SweepAnchor anchor = 0;
    Effect first;
    Effect second;  ///< none: item and owner aren't set
  };
  std::vector<Effect> effects;
  std::vector<InPast> in_past;
};

enum class FrontierEnd : std::uint8_t {
  survived,  ///< somebody did: there is an order
  died,      ///< none is left
  steps,
  memory,
  time,
};

struct FrontierResult {
  FrontierEnd end = FrontierEnd::survived;
  bool pruned = false;                 ///< some configuration was left out: death proves nothing
  std::uint32_t stuck = no_item;       ///< died: the item
  std::vector<std::uint32_t> holders;  ///< died: owners that held the lock then, a few
  std::vector<std::uint32_t> choices;  ///< survived: of the survivor, one for each decision
  std::uint64_t steps = 0;
};

class MutexFrontier {
 public:
  /// `timeline` must outlive the frontier.
  MutexFrontier(const MutexTimeline& timeline, MutexKind kind);
  MutexFrontier(const MutexFrontier&) = delete;
  MutexFrontier& operator=(const MutexFrontier&) = delete;
  ~MutexFrontier();

  /// Keeps at most `width` configurations after each event, the cheapest. 0: all.
  FrontierResult run(std::uint32_t width, const Limits& limits);

  /// Keeps one configuration, and where it dies goes back and keeps more for a while. What dies
  /// then proves nothing, what survives does. `is_proven` is asked where little going back doesn't
  /// help: true ends the run.
  FrontierResult run_with_repairs(const Limits& limits,
                                  const std::function<bool(const FrontierResult&)>& is_proven);

  /// How many steps of the general search the last run was worth: what `limits` counts.
  [[nodiscard]] std::uint64_t work_of(const FrontierResult& result) const {
    return (result.steps + comparisons_) / steps_each;
  }

  /// The effects of the survivor that made these choices. REQUIRES: from a run that survived.
  SweepTrail replay(const std::vector<std::uint32_t>& choices);

 private:
  /// What is the same in all configurations.
  struct Owner {
    std::uint32_t under_way = no_item;
    std::uint32_t next_effect = no_item;
    std::uint32_t unknown_acquires = 0;  ///< invoked
    std::uint32_t unknown_releases = 0;
    std::int32_t balance = 0;          ///< known acquires less known releases, completed ones
    std::int32_t forced_acquires = 0;  ///< unknown ones that these need
    bool last_was_acquire = false;
    std::uint32_t acquiring_place = 0;  ///< in acquiring_
  };
  /// When an owner invoked unknown ones.
  struct UnknownAt {
    std::vector<std::uint32_t> acquires;
    std::vector<std::uint32_t> releases;
  };
  struct Decision {
    std::uint32_t before = no_item;
    std::uint32_t choice = 0;
  };

  // mutex_frontier.cpp: events
  void start();
  [[nodiscard]] bool take_event(ItemEvent event, std::uint32_t width, const Limits& limits,
                                FrontierResult& result);
  void invoke(std::uint32_t index);
  void complete(std::uint32_t index);
  [[nodiscard]] bool advance(std::uint32_t index, FrontierResult& result);
  [[nodiscard]] bool act(MutexConfiguration& configuration, std::uint32_t index);
  [[nodiscard]] static bool had_effect(MutexConfiguration& configuration, std::uint32_t owner);
  void log_choices();
  [[nodiscard]] bool is_over(const Limits& limits, FrontierResult& result);
  [[nodiscard]] std::vector<std::uint32_t> choices_of(
      const MutexConfiguration& configuration) const;

  // mutex_frontier_moves.cpp: what may be done
  void list_moves(const MutexConfiguration& configuration, std::uint32_t index);
  void list_acquire(const MutexConfiguration& configuration, const SweepItem& item);
  void list_release(const MutexConfiguration& configuration, const SweepItem& item);
  void list_refused_acquire(const MutexConfiguration& configuration, const SweepItem& item);
  void list_refused_release(const MutexConfiguration& configuration, const SweepItem& item);
  void list_takers(const MutexConfiguration& configuration, const SweepItem& item,
                   SweepMove::First first);
  void list_past_holds(const MutexConfiguration& configuration, const SweepItem& item);
  [[nodiscard]] bool release_is_under_way(const MutexConfiguration& configuration) const;
  [[nodiscard]] bool can_let_go(const MutexConfiguration& configuration) const;
  [[nodiscard]] LastHeld last_held(const MutexConfiguration& configuration,
                                   std::uint32_t caller) const;
  [[nodiscard]] std::uint32_t spare_acquires(const MutexConfiguration& configuration,
                                             std::uint32_t owner) const;
  [[nodiscard]] std::uint32_t spare_releases(const MutexConfiguration& configuration,
                                             std::uint32_t owner) const;
  [[nodiscard]] std::int32_t forced_after(const Owner& owner, SweepStep step) const;
  [[nodiscard]] std::int32_t price_of_release(std::uint32_t owner) const;

  // mutex_frontier_apply.cpp: doing it
  void apply(MutexConfiguration& configuration, std::uint32_t index, const SweepMove& move);
  void apply_first(MutexConfiguration& configuration, const SweepMove& move);
  void take(MutexConfiguration& configuration, std::uint32_t owner);
  static void remember(MutexConfiguration& configuration, const LastHeld& last);
  void release_hold(MutexConfiguration& configuration);
  void add_excess(MutexConfiguration& configuration, std::uint32_t owner, std::int32_t more);
  void account(MutexConfiguration& configuration, std::uint32_t index);
  void see_past_hold(MutexConfiguration& configuration, const SweepMove& move,
                     const SweepTrail::Effect& refused);
  void hold_in_past(MutexConfiguration& configuration, std::uint32_t owner,
                    SweepTrail::Effect acquire, SweepTrail::Effect release);
  void take_early(MutexConfiguration& configuration, std::uint32_t owner);
  void note(SweepStep step, std::uint32_t item, std::uint32_t owner);
  void note_in_past(MutexConfiguration& configuration, SweepAnchor anchor, SweepTrail::Effect first,
                    SweepTrail::Effect second = {});

  // mutex_frontier_prune.cpp
  void reduce(std::uint32_t width, FrontierResult& result);
  [[nodiscard]] bool covers(const MutexConfiguration& one, const MutexConfiguration& other) const;

  // mutex_frontier_repair.cpp
  struct Snapshot;
  void keep_snapshot(std::uint32_t event);
  void thin_out_snapshots();
  /// Back to before the event; returns the next one to take.
  [[nodiscard]] std::uint32_t go_back_before(std::uint32_t event);

  const MutexTimeline& timeline_;
  MutexKind kind_;
  bool needs_past_holds_;
  SweepMoment now_ = 0;
  std::vector<Owner> owners_;
  std::vector<UnknownAt> unknown_at_;            ///< by owner, if needs_past_holds_
  std::vector<std::uint32_t> acquiring_;         ///< owners with a granted acquire under way
  std::vector<std::uint32_t> uncertain_owners_;  ///< owners that invoked an unknown acquire
  std::vector<MutexConfiguration> configurations_;
  std::vector<MutexConfiguration> next_configurations_;
  std::vector<SweepMove> moves_;
  std::vector<Decision> decisions_;
  /// A step of the general search takes as long as so many here.
  static constexpr std::uint64_t steps_each = 16;
  /// Among equal ones, where the width is bounded: variety helps more than many of one kind.
  static constexpr std::size_t kept_of_a_kind_max = 4;
  std::uint32_t moves_max_ = 0;  ///< for each configuration; 0: all
  bool moves_were_several_ = false;
  std::uint64_t comparisons_ = 0;
  std::uint64_t events_taken_ = 0;
  bool left_out_ = false;
  SweepTrail* trail_ = nullptr;
  std::vector<Snapshot> snapshots_;
};

/// All that changes from event to event.
struct MutexFrontier::Snapshot {
  std::uint32_t event = 0;  ///< the next
  std::vector<Owner> owners;
  std::vector<std::uint32_t> acquiring;
  std::vector<std::uint32_t> uncertain_owners;
  std::vector<MutexConfiguration> configurations;
};

/// An anchor inside the i-th thing placed in retrospect, between its two effects.
inline constexpr SweepAnchor inside_past = 0x80000000U;

}  // namespace lockstep::checker::recorded
