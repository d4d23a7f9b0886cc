// Makes a scene, event by event.
//
// Invariants: `open_beliefs_`, `open_truths_` and `open_spans_` index the bars and spans that have
// no end yet. What a node did last is kept until its next event of another instant, so that the
// change of a lock, which is told after the command that caused it, finds that command's note and
// messages.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "reports/scene/scene.h"
#include "reports/scene/scene_lane_map.h"
#include "reports/scene/scene_messages.h"
#include "reports/scene/scene_quorum.h"
#include "reports/scene/scene_replies.h"
#include "reports/trace/lock_state.h"

namespace lockstep::reports {

class SceneMaker {
 public:
  explicit SceneMaker(const search::RunRecord& example);
  Scene make();

 private:
  using Event = model::RecordedEvent;
  using Handler = void (SceneMaker::*)(EventIndex, const Event&);

  /// A command that a node executed.
  struct Executed {
    EventIndex event;
    std::size_t note;
    std::string label;
    std::string by;
    std::optional<std::size_t> request;  // index into scene_.flights
    std::optional<std::size_t> reply;    // … too
    bool tidies_up;  // what its owner asked for is the lock, and this gives back what it got
    Answer answer;
  };
  struct LockState {
    std::vector<Holder> holders;
    std::int64_t lease_ends_ns = 0;
  };

  // scene_maker.cpp
  void see(EventIndex index);
  Note& add_note(LaneIndex lane, EventIndex event, std::string text, Tone tone,
                 Importance importance);
  void add_verdicts();
  void join_pipelines();
  /// The lane of what happened last before this moment, in its instant.
  [[nodiscard]] std::optional<LaneIndex> lane_before(const checker::Moment& moment) const;

  // scene_faults.cpp: faults, and what they do to links
  void on_fault_struck(EventIndex index, const Event& event);
  void on_fault_ended(EventIndex index, const Event& event);
  void on_cut(EventIndex index, const Event& event);
  void on_healed(EventIndex index, const Event& event);
  void on_direction_cut(EventIndex index, const Event& event);
  void on_direction_healed(EventIndex index, const Event& event);
  void on_link_slowed(EventIndex index, const Event& event);
  void on_listening_stopped(EventIndex index, const Event& event);
  void on_listening_again(EventIndex index, const Event& event);
  void on_slowed(EventIndex index, const Event& event);
  void note_ends_of_faults();
  /// Several names of one instant share a note.
  void note_of_host(EventIndex event, const std::string& host, std::string_view before,
                    std::string_view name, std::string_view after);
  void note_of_process(EventIndex index, const Event& event, const std::string& text);
  void count_cuts(EventIndex event, const std::string& host, int more);

  // scene_processes.cpp: messages, pauses, crashes, clocks, disks
  void on_message_sent(EventIndex index, const Event& event);
  void on_message_delivered(EventIndex index, const Event& event);
  void on_paused(EventIndex index, const Event& event);
  void on_resumed(EventIndex index, const Event& event);
  void on_crashed(EventIndex index, const Event& event);
  void on_restarted(EventIndex index, const Event& event);
  void on_clock_changed(EventIndex index, const Event& event);
  void on_node_promoted(EventIndex index, const Event& event);
  void on_sentinel_event(EventIndex index, const Event& event);
  void on_master_learnt(EventIndex index, const Event& event);
  void on_cluster_step(EventIndex index, const Event& event);
  void on_dataset_saved(EventIndex index, const Event& event);
  void on_dataset_restored(EventIndex index, const Event& event);
  void on_disk_lost(EventIndex index, const Event& event);
  [[nodiscard]] Flight flight_of(const TraceMessage& message) const;
  void open_span(SpanKind kind, LaneIndex lane, EventIndex event);
  void close_span(SpanKind kind, LaneIndex lane, EventIndex event);

  // scene_clients.cpp: steps and beliefs
  void on_step_invoked(EventIndex index, const Event& event);
  void on_service_invoked(EventIndex index, const Event& event);
  void on_step_completed(EventIndex index, const Event& event);
  void on_belief_began(EventIndex index, const Event& event);
  void on_belief_ended(EventIndex index, const Event& event);
  void on_call_timed_out(EventIndex index, const Event& event);
  void on_call_retried(EventIndex index, const Event& event);
  void on_client_failed(EventIndex index, const Event& event);
  void on_client_logged(EventIndex index, const Event& event);

  // scene_commands.cpp: commands, what they did, and what was answered
  void on_command_executed(EventIndex index, const Event& event);
  /// The last command, if it was executed in this instant and for this owner.
  [[nodiscard]] Executed* executed_now(EventIndex index, std::string_view by);
  void note_effect(EventIndex index, std::string_view by, CommandEffect effect);
  /// Before it is known what it did: what the command met.
  [[nodiscard]] Answer answer_to(LaneIndex node, const Event& event) const;
  /// Once all is known: replies in words, and what came of commands that changed nothing.
  void note_replies();
  void note_ineffective_command(const Executed& executed, CommandRole role);

  // scene_locks.cpp: the lock's true state, the resource
  void on_lock_changed(EventIndex index, const Event& event);
  void on_number_changed(EventIndex index, const Event& event);
  void on_queue_changed(EventIndex index, const Event& event);
  void on_resource_read(EventIndex index, const Event& event);
  void on_resource_written(EventIndex index, const Event& event);
  void on_resource_refused(EventIndex index, const Event& event);
  void move_truths(EventIndex index, std::optional<LaneIndex> node, std::size_t lock,
                   const std::vector<Holder>& holders);
  [[nodiscard]] std::string change_in_words(const Event& event, const LockState& before,
                                            const LockState& after) const;
  /// Says it where a command that did it has just been told of, else by itself.
  Note& note_change(LaneIndex lane, EventIndex index, std::string text, Tone tone,
                    Importance importance);
  void make_essential(LaneIndex lane);
  /// Of a lock that counts majorities: told at its owner, for no one node has it.
  void note_majority(EventIndex index, std::size_t lock, const LockState& before,
                     const LockState& after);
  [[nodiscard]] CommandEffect effect_of(const Event& event, const LockState& before,
                                        const LockState& after) const;
  void move_node_key(EventIndex index, const NodeKeyChange& change);
  void note_node_key_ended(EventIndex index, const NodeKeyChange& change);
  Note& note_node_key(EventIndex index, LaneIndex node, std::string text);
  [[nodiscard]] std::size_t lock_index(std::string_view name);
  /// All of them in the order in which they are asked for, so that texts can tell one from many.
  void find_locks();
  /// Where nothing waits in vain there is nothing to mark.
  void mark_wait(const checker::Verdict& verdict);
  bool mark_harm(LaneIndex writer, EventIndex last, const checker::Verdict& verdict);
  [[nodiscard]] std::string at_lock(std::size_t lock) const;

  static const std::map<std::string_view, Handler>& handlers();

  const search::RunRecord& example_;
  const model::RecordedTrace& trace_;
  LaneMap lane_map_;
  TraceMessages messages_;
  QuorumKeys quorum_keys_;
  Scene scene_;
  std::map<LaneIndex, std::string> services_;  // by thread: what it asked the service for last
  std::set<LaneIndex> busy_;                   // in a step other than a sleep
  std::map<EventIndex, std::size_t> flights_;  // by sending
  std::vector<Executed> executions_;
  std::map<LaneIndex, std::size_t> executed_;               // by node: what it did last
  std::map<LaneIndex, std::vector<std::size_t>> requests_;  // arrived there, not yet executed
  std::vector<LockState> locks_;                            // by Scene::locks
  std::map<std::tuple<LaneIndex, std::size_t, bool>, std::size_t>
      open_beliefs_;                           // (lane, lock, whether it reads) → bar
  std::map<LaneIndex, std::size_t> extended_;  // client thread → its last extension's note
  std::map<std::pair<std::string, std::size_t>, std::vector<std::size_t>>
      open_truths_;  // (owner, lock) → bars
  std::map<std::pair<LaneIndex, std::string>, std::size_t> open_node_keys_;  // (node, key) → bar
  std::map<std::pair<SpanKind, LaneIndex>, std::size_t> open_spans_;
  /// The note of a lane that names those to whom something happened at one instant.
  struct ToldOfLinks {
    std::optional<std::size_t> note;
    std::string names;
  };
  struct FaultEnd {
    LaneIndex lane;
    EventIndex event;
    EventIndex struck;
  };
  std::map<std::string, int> cuts_;  // by host: how many directions to and from others are cut
  std::map<std::int64_t, std::vector<std::size_t>> open_strikes_;           // by fault: spans
  std::map<std::pair<LaneIndex, std::string>, ToldOfLinks> told_of_links_;  // by lane and words
  std::vector<FaultEnd> ends_;
};

}  // namespace lockstep::reports
