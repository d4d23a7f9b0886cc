// What the operations still to come demand of a value, so that a search may drop what has no
// future.
//
// A read that is still to be placed demands its value (so does a compare-and-set that succeeded).
// Whatever the object holds before it must become that value by then. So either what it holds is
// the beginning of the value, and for each piece of what is missing an append is still to come; or
// an operation is still to come that replaces it by a beginning of the value. Where neither is so,
// no order leads on.
//
// Asked are the demands under way at the return that the search waits for, and the next one after
// them; others will be asked when they are nearer. An answer "has a future" is no promise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "checker/recorded/formats/contents.h"

namespace lockstep::checker::recorded {

class PendingReads {
 public:
  struct Span {
    std::uint32_t operation = 0;
    std::uint64_t invoked = 0;
    std::uint64_t returned = 0;
  };

  enum class Future : std::uint8_t {
    open,
    none,
    replaced,  ///< nothing sees this content, or what it grows to, before it is replaced
  };

  void pending_read(const Span& span, std::uint32_t content) {
    pending_reads_.push_back({span, content});
  }
  /// Somebody may see that the object does not have some content, or replace one without telling.
  void may_observe_absence() { may_observe_absence_ = true; }
  /// The operation may leave the object with this content.
  void produce(const Span& span, std::uint32_t content);
  /// The operation adds this text.
  void extend(const Span& span, TextId piece, std::string_view text);
  /// To be called when all are in. O(n log n), and once over the bytes of each demanded content.
  void arrange(const Contents& contents);

  /// Where the search waits for the return at `position`; only what returns until `until` must be.
  /// is_open(operation): not placed yet.
  template <typename IsOpen>
  [[nodiscard]] Future future_of(const Contents& contents, std::uint32_t content,
                                 std::uint64_t position, std::uint64_t until,
                                 IsOpen is_open) const {
    bool may_be_seen = may_observe_absence_;
    auto pending_read = std::lower_bound(
        pending_reads_.begin(), pending_reads_.end(), position,
        [](const PendingRead& one, std::uint64_t at) { return one.span.returned < at; });
    for (; pending_read != pending_reads_.end() && pending_read->span.returned <= until;
         ++pending_read) {
      const bool lies_ahead = pending_read->span.invoked > position;
      if (!lies_ahead && !is_open(pending_read->span.operation)) continue;
      if (may_grow(contents, content, *pending_read, position, is_open)) {
        may_be_seen = true;
      } else if (!may_come(pending_read->producers, pending_read->span, position, is_open)) {
        return Future::none;
      } else if (!may_be_seen) {
        return may_be_seen_before(contents, content, pending_read, position, is_open)
                   ? Future::open
                   : Future::replaced;
      }
      if (lies_ahead) break;
    }
    return Future::open;
  }

  [[nodiscard]] std::uint64_t memory_bytes() const { return memory_bytes_ + pieces_.size() * 96; }

 private:
  struct PendingRead {
    Span span;
    std::uint32_t content = 0;
    std::uint64_t first_invoked = 0;            ///< of this and all that return later
    std::vector<std::uint32_t> producers = {};  ///< in groups_: of each beginning of the content
  };
  /// Operations that leave one content, or add one text, in order of invocation.
  struct Group {
    std::uint32_t content = 0;
    std::uint64_t length = 0;  ///< of the text
    std::vector<Span> spans;
    std::vector<std::uint64_t> last_return;  ///< of the first so many
  };
  /// How many operations of a group, or pieces, are looked at, at most; beyond, all is well.
  static constexpr int looks_max = 32;

  /// Whether something may be placed before this demand, which needs the content replaced, that
  /// sees what it is now or grows to.
  template <typename IsOpen>
  [[nodiscard]] bool may_be_seen_before(const Contents& contents, std::uint32_t content,
                                        std::vector<PendingRead>::const_iterator replaced,
                                        std::uint64_t position, IsOpen is_open) const {
    int looks = 0;
    for (auto other = replaced + 1; other != pending_reads_.end(); ++other) {
      if (other->first_invoked > replaced->span.returned) return false;
      if (++looks > looks_max) return true;
      if (other->span.invoked > replaced->span.returned) continue;
      if (other->span.invoked <= position && !is_open(other->span.operation)) continue;
      if (may_grow(contents, content, *other, position, is_open)) return true;
    }
    return false;
  }

  /// Whether appends may make the demanded content of this one. Where several fit, it isn't asked
  /// what follows.
  template <typename IsOpen>
  [[nodiscard]] bool may_grow(const Contents& contents, std::uint32_t content,
                              const PendingRead& pending_read, std::uint64_t position,
                              IsOpen is_open) const {
    if (!contents.begins(pending_read.content, content)) return false;
    const std::uint64_t whole = contents.length_of(pending_read.content);
    std::uint64_t length = contents.length_of(content);
    for (int looks = 0; length < whole && looks < looks_max; ++looks) {
      const std::vector<std::uint32_t>& fitting = pieces_at(contents, pending_read.content, length);
      if (!may_come(fitting, pending_read.span, position, is_open)) return false;
      if (fitting.size() > 1) return true;
      length += groups_[fitting.front()].length;
    }
    return true;
  }

  /// Whether an operation of these groups is still to come before the demand.
  template <typename IsOpen>
  [[nodiscard]] bool may_come(const std::vector<std::uint32_t>& numbers, const Span& pending_read,
                              std::uint64_t position, IsOpen is_open) const {
    int looks = 0;
    for (const std::uint32_t number : numbers) {
      const Group& group = groups_[number];
      const auto after =
          std::upper_bound(group.spans.begin(), group.spans.end(), pending_read.returned,
                           [](std::uint64_t at, const Span& span) { return at < span.invoked; });
      // From the latest, which are the likeliest to be open.
      for (auto index = static_cast<std::size_t>(after - group.spans.begin()); index > 0;) {
        --index;
        if (group.last_return[index] < position) break;
        const Span& span = group.spans[index];
        if (span.operation == pending_read.operation) continue;
        const bool is_placed =
            span.returned < position || (span.invoked <= position && !is_open(span.operation));
        if (!is_placed || ++looks > looks_max) return true;
      }
    }
    return false;
  }

  /// The groups of the texts that stand in the content at this place.
  const std::vector<std::uint32_t>& pieces_at(const Contents& contents, std::uint32_t content,
                                              std::uint64_t place) const;
  void find_producers(const Contents& contents);
  void count_memory();

  std::vector<PendingRead> pending_reads_;  ///< in order of return
  std::vector<Group> groups_;
  std::unordered_map<std::uint32_t, std::uint32_t> of_content_;  ///< → its place in groups_
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_hash_;  ///< of a text, likewise
  std::unordered_map<TextId, std::uint32_t> of_piece_;  ///< → its place in groups_
  std::uint64_t longest_text_ = 0;
  bool may_observe_absence_ = false;
  /// (content, place) → what pieces_at found
  mutable std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> pieces_;
  std::uint64_t memory_bytes_ = 0;
};

}  // namespace lockstep::checker::recorded
