// Facts of a run for those who look for a cause: who held the lock when, what kept a client from
// its work, which command changed the lock.
//
// All text is sanitized.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/scene/scene_lane_map.h"
#include "reports/scene/scene_messages.h"
#include "reports/trace/lock_state.h"

namespace lockstep::checker {
class Names;
}  // namespace lockstep::checker

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// A time in which one owner had the lock in true state, without a break.
struct HoldPeriod {
  EventIndex taken;                    ///< the lock-changed that began it
  std::optional<EventIndex> lost;      ///< the one that ended it; none: it lasted
  std::size_t renewals = 0;            ///< by any owner
  std::string renewed_by;              ///< who renewed it last
  std::optional<EventIndex> last_set;  ///< the last that set its lease: an acquisition or a renewal
  /// Where the last change of its lease ended it earlier: that change, and when it would have
  /// ended.
  std::optional<EventIndex> shortened = std::nullopt;
  sim::TimeNs would_have_ended_ns = 0;  ///< never_ns: it had no end
};

class CauseFacts {
 public:
  using Event = model::RecordedEvent;

  /// REQUIRES: the example outlives it.
  explicit CauseFacts(const search::RunRecord& example);

  [[nodiscard]] const search::RunRecord& example() const { return example_; }
  /// Of the verdicts' evidence. REQUIRES: the example was judged.
  [[nodiscard]] const checker::Names& names() const;
  [[nodiscard]] const std::vector<Event>& events() const;
  [[nodiscard]] const TraceMessages& messages() const { return messages_; }
  /// Of this message, by its sending, disruptions() says no more: it is told of.
  void leave_out(EventIndex sent) { told_.insert(sent); }

  /// Who did the event.
  [[nodiscard]] std::string actor_of(const Event& event) const;
  /// Whether it is the owner, or a thread of the process that is the owner.
  [[nodiscard]] bool is_of(std::string_view actor, std::string_view owner) const;
  /// Whether it, or a task of its own, sent a message then.
  [[nodiscard]] bool has_sent(std::string_view owner, sim::TimeNs from_ns,
                              sim::TimeNs until_ns) const;
  /// Whether a node, or a message, did it for this owner: by `on_behalf_of`.
  [[nodiscard]] bool is_for(const Event& event, std::string_view owner) const;
  /// Whether this owner did it, or this host.
  [[nodiscard]] bool is_by(const Event& event, std::string_view owner) const;
  /// As whom a thread holds the locks of the run: itself, or its process.
  [[nodiscard]] std::string owner_of(std::string_view thread) const;
  /// All who may hold them.
  [[nodiscard]] std::vector<std::string> owners() const;
  /// The process of a thread: "a" of "a/1"; the shard of a node.
  [[nodiscard]] std::string group_of(std::string_view actor) const;

  /// The owner's tenures of a lock, before an event; of any lock where none is named.
  [[nodiscard]] std::vector<HoldPeriod> hold_periods(std::string_view owner, std::string_view lock,
                                                     EventIndex before) const;
  /// The last change of a lock before this event, of any where none is named; null: none.
  [[nodiscard]] const Event* state_before(EventIndex event, std::string_view lock) const;
  /// Who held it then: "a/1 and b/1"; empty: nobody.
  [[nodiscard]] std::string holders_before(EventIndex event, std::string_view lock) const;
  /// Whether the owner's key stood on several masters, so that a majority counts.
  [[nodiscard]] bool is_quorum(std::string_view owner) const;
  /// The command that the event's node executed at its instant, last before it.
  [[nodiscard]] const Event* command_at(EventIndex event) const;
  /// The last crash, restart or promotion at this instant, of the shard's nodes; of any node where
  /// no shard is named. Null: none.
  [[nodiscard]] const Event* change_of_a_node_at(sim::TimeNs at_ns,
                                                 std::string_view shard = {}) const;
  /// What came in a crashed node's place: the first promotion or restart from then on, as above.
  [[nodiscard]] const Event* successor_from(sim::TimeNs at_ns, std::string_view shard = {}) const;
  /// The fault that struck at the event's instant, in its own words; empty: none.
  [[nodiscard]] std::string fault_at(EventIndex event) const;
  /// The last event of this kind at this actor before `before`; null: none.
  [[nodiscard]] const Event* last_of(std::string_view kind, std::string_view actor,
                                     EventIndex before) const;
  /// The thread's last step where it is about a lock, never came to an end, and the thread lives;
  /// null: none.
  [[nodiscard]] const Event* unanswered_step(const sim::Actor& thread) const;
  /// Whether the thread was about nothing as this happened: its last step had come to an end.
  [[nodiscard]] bool is_between_steps(std::string_view thread, const Event& event) const;
  /// The first event that comes after this instant.
  [[nodiscard]] EventIndex event_after(sim::TimeNs at_ns) const;

  /// What kept an owner from its work in a span: "a was paused from 1 ms to 2 ms, and its write was
  /// under way from 1 ms to 9 ms". Empty: nothing did. `lock`: what its renewals are told of;
  /// empty: whatever they were of.
  [[nodiscard]] std::string disruptions(std::string_view owner, sim::TimeNs from_ns,
                                        sim::TimeNs until_ns, std::string_view lock = {}) const;
  /// The same without what these sentences tell already.
  [[nodiscard]] std::string disruptions(std::string_view owner, sim::TimeNs from_ns,
                                        sim::TimeNs until_ns, const std::vector<std::string>& told,
                                        std::string_view lock = {}) const;
  /// When the last pause began and ended that covers some of this time: as pause_at.
  [[nodiscard]] std::string pause_within(std::string_view process, sim::TimeNs from_ns,
                                         sim::TimeNs until_ns) const;
  /// When the pause began and ended that covers this instant: "from 1 ms to 2 ms"; empty: none.
  [[nodiscard]] std::string pause_at(std::string_view process, sim::TimeNs at_ns) const;
  /// "dropped", "n1 had forgotten the connection at 1 ms": why a lost message did not arrive.
  [[nodiscard]] std::string why_lost(const TraceMessage& message) const;
  /// When the two hosts were cut off from each other, or the first from the second: as pause_at.
  [[nodiscard]] std::string cut_at(std::string_view one, std::string_view other,
                                   sim::TimeNs at_ns) const;

 private:
  /// A span in which something was so; until: never_ns where it stayed.
  struct Span {
    std::string one;
    std::string other;
    sim::TimeNs from_ns;
    sim::TimeNs until_ns = sim::never_ns;
    bool is_one_way = false;  ///< of a cut: only what the first sends is lost on its way
  };

  [[nodiscard]] bool is_of_shard(const Event& event, std::string_view shard) const;
  void find_owners();
  void find_spans(const Event& event);
  void find_forgotten();
  void find_noticeable();
  [[nodiscard]] bool is_cut(const HoldPeriod& period, EventIndex index,
                            std::string_view owner) const;
  [[nodiscard]] sim::TimeNs own_end(const HoldPeriod& period, EventIndex index,
                                    std::string_view owner) const;
  void note_lease(HoldPeriod& period, EventIndex index, std::string_view owner,
                  sim::TimeNs end_before_ns) const;
  [[nodiscard]] std::string cuts_of(std::string_view process, sim::TimeNs from_ns,
                                    sim::TimeNs until_ns) const;
  void add_disruptions(std::string_view process, sim::TimeNs from_ns, sim::TimeNs until_ns,
                       std::vector<std::string>& clauses) const;
  [[nodiscard]] bool is_answered_after(EventIndex executed, sim::TimeNs at_ns) const;
  void add_ineffective_renewals(std::string_view process, sim::TimeNs from_ns, sim::TimeNs until_ns,
                                std::string_view lock, std::vector<std::string>& clauses) const;
  [[nodiscard]] std::string release_before(std::string_view process, EventIndex renewal,
                                           std::string_view lock) const;
  [[nodiscard]] std::string release_of(const std::string& owner, std::string_view lock,
                                       EventIndex asked, EventIndex renewal,
                                       std::string_view what) const;
  [[nodiscard]] sim::DurationNs length_of(const TraceMessage& message) const;
  [[nodiscard]] bool is_noticeable(const TraceMessage& message, sim::TimeNs from_ns,
                                   sim::TimeNs until_ns) const;
  [[nodiscard]] bool is_unheard(const TraceMessage& reply) const;
  [[nodiscard]] std::string under_way(const TraceMessage& message) const;
  void add_messages(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns,
                    std::vector<std::string>& clauses) const;
  void add_retries(std::string_view owner, sim::TimeNs from_ns, sim::TimeNs until_ns,
                   std::vector<std::string>& clauses) const;
  [[nodiscard]] static std::string cut_in_words(std::string_view process,
                                                const std::vector<const Span*>& cuts);
  static void end_spans(std::vector<Span>& spans, std::string_view one, std::string_view other,
                        sim::TimeNs at_ns);
  [[nodiscard]] static std::string in_words(const Span& span);

  const search::RunRecord& example_;
  std::map<std::string, std::string, std::less<>> process_of_;  // by thread
  bool processes_own_ = false;
  LaneMap lane_map_;
  TraceMessages messages_;
  std::vector<Span> pauses_;
  std::vector<Span> cuts_;
  std::map<std::int64_t, EventIndex>
      forgotten_;                      // by connection: when one end first had it no more
  sim::DurationNs noticeable_ns_ = 0;  // a message that was under way for less is one of many
  sim::DurationNs unusual_ns_ = 0;     // … of which others take much less
  std::set<EventIndex> told_;          // sendings that disruptions() leaves out
};

/// "crashed", or "was shut down" where that is what ended the process. REQUIRES: the event is a
/// process-crashed of these events.
[[nodiscard]] std::string_view how_ended(const std::vector<model::RecordedEvent>& events,
                                         const model::RecordedEvent& crashed);

/// Of a lock-changed; never_ns: it has no end.
[[nodiscard]] sim::TimeNs lease_end_of(const model::RecordedEvent& changed);

/// Whether a text has a lock's name in it, as its keys have: "{lock}:channel", but not "lock2".
[[nodiscard]] bool names_lock(std::string_view text, std::string_view lock);

/// "release", "reply to extend": "its release", "the reply to its extend".
[[nodiscard]] std::string its_message(std::string_view label);

}  // namespace lockstep::reports
