// The rows of a timeline: one for each instant that has something to show, or for a run of instants
// folded into one.
#pragma once

#include <cstddef>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene.h"

namespace lockstep::reports {

struct Row {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;    ///< as from_ns unless folded
  std::size_t folded = 0;  ///< how many instants it stands for; 0: it is itself
};

class Rows {
 public:
  /// Folds runs of routine rows where there are more than `rows_max`; and, where essential ones
  /// alone are more than four times that, those furthest from what the scene is about.
  Rows(const Scene& scene, const model::RecordedTrace& trace, std::size_t rows_max);

  [[nodiscard]] const std::vector<Row>& all() const { return rows_; }
  [[nodiscard]] std::size_t folded() const;
  /// The row that shows this instant: the last that does not begin after it. REQUIRES: a row.
  [[nodiscard]] std::size_t row_at(sim::TimeNs at) const;
  /// Whether this instant has no row of its own.
  [[nodiscard]] bool is_folded(sim::TimeNs at) const;

 private:
  struct Moment {
    sim::TimeNs at;
    Importance importance;
  };
  void fold(const std::vector<Moment>& moments);
  void drop_empty(const Scene& scene, const model::RecordedTrace& trace);
  static void narrow(std::vector<Moment>& moments, sim::TimeNs focus, std::size_t essential_max);

  std::vector<Row> rows_;
  std::size_t dropped_ = 0;
};

}  // namespace lockstep::reports
