// Spans in which waiters should have been served (a lock was available, nobody held it), and where
// a wait overlaps them for longer than it may.
//
// There is a list of such spans for every lock, or for every lock and what is asked of it. A
// request for several locks can be served where the spans of all of them overlap.
//
// Only spans that are themselves longer than the bound are kept: no other can overlap anything for
// longer. A list's spans are disjoint, so there are no more than fit into the run; a question walks
// those within its stretch, from a binary search on. Nothing is allocated once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/properties/wait_spans.h"

namespace lockstep::checker {

/// Later than every moment of a run.
inline constexpr Moment end_of_time{never_ns, UINT64_MAX};

class GrantableSpans {
 public:
  /// Forgets all lists.
  void clear(TimeNs bound_ns);
  /// Begins the next list; its number.
  std::uint32_t begin_list();
  /// The current list's spans. Calls come in order; an open where it is open, and a close where it
  /// isn't, change nothing. What is never closed stays open for ever.
  void open(const Moment& at);
  void close(const Moment& at);

  /// Since when all of them have been open, if they are so at the end. REQUIRES: not empty.
  [[nodiscard]] std::optional<Moment> open_since(std::span<const std::uint32_t> lists) const;
  /// The first overlap of all of them with the stretch that is longer than the bound, if any.
  [[nodiscard]] std::optional<Span> first_overlap_beyond_bound(std::span<const std::uint32_t> lists,
                                                               const Span& wait_span) const;

 private:
  [[nodiscard]] std::span<const Span> spans_of(std::uint32_t list) const;

  TimeNs bound_ns_ = 0;
  bool is_open_ = false;
  std::vector<Span> spans_;          ///< list after list
  std::vector<std::size_t> begins_;  ///< where each list begins
};

}  // namespace lockstep::checker
