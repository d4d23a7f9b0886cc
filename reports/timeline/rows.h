// The rows of a timeline: one for each instant that has something to show, or for a run of instants
// folded into one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene.h"

namespace lockstep::reports {

/// What was folded into a row, of one kind and one actor.
struct FoldedNotes {
  NoteKind kind;
  std::string actor;  ///< as shown; may be empty
  std::size_t times = 0;
  sim::TimeNs first_ns = 0;
  sim::TimeNs last_ns = 0;
  std::set<std::string> nodes = {};  ///< at which, as shown; empty where there is but one
};

struct Row {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;                        ///< as from_ns unless folded
  std::size_t folded = 0;                      ///< how many instants it stands for; 0: it is itself
  std::vector<FoldedNotes> folded_notes = {};  ///< in order of NoteKind, then of actor
  bool has_messages = false;                   ///< begins or ends of messages that had an effect
};

/// The moment that a reader came for: where the overlap begins, else the last bad news, else the
/// end.
[[nodiscard]] sim::TimeNs focus_of(const Scene& scene, const model::RecordedTrace& trace);

/// The so many moments that a reader needs most, in their order; those of messages that arrive are
/// not among them.
[[nodiscard]] std::vector<sim::TimeNs> chosen_moments(const Scene& scene,
                                                      const model::RecordedTrace& trace,
                                                      std::size_t moments_max);

/// Folded rows in which nothing happened to the lock, its queue or the resource.
enum class SilentRows : std::uint8_t { shown, left_out };

class Rows {
 public:
  /// Folds runs of routine instants where there are more than `rows_max`: tries that were refused,
  /// renewals that went well, what comes with them. Where that is not enough, folds essential ones
  /// too, those furthest from the focus first: sooner the coming and going of messages than what
  /// they did to the lock, its queue and the resource, and the beginning and what went wrong last.
  /// Crashes, promotions and what the violation consists of are never folded, nor are writes unless
  /// there are very many: but for these there are never more than `rows_max` rows (≥ 5).
  /// Fewer than `folded_min` instants are not worth a fold.
  Rows(const Scene& scene, const model::RecordedTrace& trace, std::size_t rows_max,
       std::size_t folded_min = 3, SilentRows silent = SilentRows::shown);

  [[nodiscard]] const std::vector<Row>& all() const { return rows_; }
  [[nodiscard]] std::size_t folded() const;
  /// Whether there was no room for silent rows.
  [[nodiscard]] bool are_tight() const { return silent_ == SilentRows::left_out; }
  /// Moments of silent rows that were left out.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }
  /// The row that shows this instant: the last that does not begin after it. REQUIRES: a row.
  [[nodiscard]] std::size_t row_at(sim::TimeNs at) const;
  /// Whether this instant has no row of its own.
  [[nodiscard]] bool is_folded(sim::TimeNs at) const;

 private:
  void join_folded();
  void leave_out_silent();
  void count_folded_notes(const Scene& scene, const model::RecordedTrace& trace);
  void drop_empty(const Scene& scene, const model::RecordedTrace& trace,
                  const std::vector<sim::TimeNs>& filled);

  std::vector<Row> rows_;
  std::size_t dropped_ = 0;
  std::size_t left_out_ = 0;
  SilentRows silent_;
};

}  // namespace lockstep::reports
