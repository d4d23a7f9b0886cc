// Marks in a scene what broke, once all events are drawn.
#pragma once

#include <optional>

#include "checker/verdict.h"
#include "reports/scene/scene_draft.h"

namespace lockstep::checker {
struct Moment;
}  // namespace lockstep::checker

namespace lockstep::reports {

class SceneVerdicts {
 public:
  SceneVerdicts(SceneDraft& draft, const search::RunRecord& example)
      : draft_(draft), example_(example) {}
  void mark_all();

 private:
  /// Where nothing waits in vain there is nothing to mark.
  void mark_wait(const checker::Verdict& verdict);
  void mark_others(const checker::Verdict& verdict);
  bool mark_harm(LaneIndex writer, EventIndex last, const checker::Verdict& verdict);
  /// All that this verdict on mutual exclusion stands for, but for the one that it tells of.
  void find_other_overlaps(const checker::Verdict& verdict);
  /// The lock that both believe in as the overlap begins.
  [[nodiscard]] std::size_t lock_believed_by_both(const Overlap& overlap) const;
  /// The lane of what happened last before this moment, in its instant.
  [[nodiscard]] std::optional<LaneIndex> lane_before(const checker::Moment& moment) const;

  SceneDraft& draft_;
  const search::RunRecord& example_;
};

}  // namespace lockstep::reports
