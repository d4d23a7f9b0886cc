// Draws faults, and what they do to links.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/scene/scene_draft.h"

namespace lockstep::reports {

class SceneFaults {
 public:
  explicit SceneFaults(SceneDraft& draft) : draft_(draft) {}
  void see(EventIndex index, const model::RecordedEvent& event);
  /// Once all events were seen: tells of the end of a fault where nothing else shows it, joins the
  /// strikes of one that strikes again and again, and names the sides of partitions.
  void finish();

 private:
  using Event = model::RecordedEvent;
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

  struct Strike {
    std::size_t note;  // index into Scene::notes
    EventIndex event;
    LaneIndex lane;
  };

  void note_ends();
  void join_strikes();
  void join_strikes(const std::vector<Strike>& strikes);
  void join_likes();
  void name_sides();
  void name_side(sim::TimeNs at, const std::string& host, std::size_t number);
  void leave_to_sides(sim::TimeNs at);
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
  /// Several names of one instant share a note.
  void note_of_host(EventIndex event, const std::string& host, std::string_view before,
                    std::string_view name, std::string_view after);
  void count_cuts(EventIndex event, const std::string& host, int more);

  SceneDraft& draft_;
  std::map<std::string, int> cuts_;  // by host: how many directions to and from others are cut
  std::map<std::int64_t, std::vector<std::size_t>> open_strikes_;           // by fault: spans
  std::map<std::pair<LaneIndex, std::string>, ToldOfLinks> told_of_links_;  // by lane and words
  std::vector<FaultEnd> ends_;
  std::map<std::int64_t, std::vector<Strike>> strikes_;  // by fault
  std::map<sim::TimeNs, std::vector<std::pair<std::string, std::string>>> cut_pairs_;
};

}  // namespace lockstep::reports
