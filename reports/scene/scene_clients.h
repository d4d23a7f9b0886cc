// Draws what client threads do and believe.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "reports/scene/scene_draft.h"

namespace lockstep::reports {

class SceneClients {
 public:
  /// `are_leases_told`: also those that a step asks for without naming them.
  SceneClients(SceneDraft& draft, bool are_leases_told)
      : draft_(draft), are_leases_told_(are_leases_told) {}
  void see(EventIndex index, const model::RecordedEvent& event);

  /// Whether the thread is in a step other than a sleep.
  [[nodiscard]] bool is_busy(LaneIndex thread) const { return busy_.contains(thread); }
  [[nodiscard]] bool believes(LaneIndex thread, std::size_t lock, bool reads) const;
  /// Whether what the thread asked the service for last is the lock.
  [[nodiscard]] bool acquires(LaneIndex thread) const;

 private:
  using Event = model::RecordedEvent;

  void on_step_invoked(EventIndex index, const Event& event);
  void on_service_invoked(EventIndex index, const Event& event);
  void on_step_completed(EventIndex index, const Event& event);
  void on_belief_began(EventIndex index, const Event& event);
  void on_belief_ended(EventIndex index, const Event& event);
  void on_call_timed_out(EventIndex index, const Event& event);
  void on_call_retried(EventIndex index, const Event& event);
  void on_call_queued(EventIndex index, const Event& event);
  void on_call_resent(EventIndex index, const Event& event);
  void on_client_failed(EventIndex index, const Event& event);
  void on_client_logged(EventIndex index, const Event& event);

  SceneDraft& draft_;
  const bool are_leases_told_;
  std::map<LaneIndex, std::string> services_;  // by thread: what it asked the service for last
  std::map<LaneIndex, std::size_t>
      asked_;  // by thread: the note of a step that asked for nothing yet
  std::set<LaneIndex> busy_;
  std::map<std::tuple<LaneIndex, std::size_t, bool>, std::size_t>
      open_beliefs_;                           // (thread, lock, whether it reads) → bar
  std::map<LaneIndex, std::size_t> extended_;  // by thread: its last extension's note
};

}  // namespace lockstep::reports
