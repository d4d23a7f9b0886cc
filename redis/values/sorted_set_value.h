// A Redis sorted set: byte strings, each once, with a score; in the order of score, then of bytes.
//
// Positions, scores and members are found in O(log n). Redis keeps small sets in a listpack, which
// holds no negative zero and is searched from its ends; which of both a set is, shows in few places
// and is kept here as a flag. Members of a small set are found by a plain scan: locks keep queues
// of a few waiters, and warm they allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "redis/values/item_pool.h"
#include "redis/values/order_statistic_tree.h"

namespace lockstep::redis {

/// Up to where a sorted set stays a listpack.
struct ListpackLimits {
  std::int64_t entries_max = 128;
  std::uint64_t bytes_max = 64;
  bool keeps_negative_zero = false;  ///< 6.0's ziplist does
};

enum class Direction : std::uint8_t { forward, reverse };

class SortedSetValue {
 public:
  using Id = OrderStatisticTree::Id;
  struct Item {
    double score = 0;
    std::string member;
  };

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  /// Keeps the memory of a small set.
  void clear();
  [[nodiscard]] bool is_listpack() const { return is_listpack_; }
  /// It is none from now on. Redis decides it for a new set by what is to come.
  void leave_listpack() { is_listpack_ = false; }
  /// Whether its memory is worth keeping: that of few members, each of at most so many bytes.
  [[nodiscard]] bool is_small(std::size_t bytes_max) const;

  /// An item's handle. Valid until it is erased.
  [[nodiscard]] std::optional<Id> find(std::string_view member) const;
  [[nodiscard]] const Item& operator[](Id id) const { return items_[id]; }
  /// The item at a position. REQUIRES: rank < size().
  [[nodiscard]] const Item& at(std::size_t rank) const { return items_[order_.at(rank)]; }
  [[nodiscard]] std::size_t rank_of(Id id) const;
  /// REQUIRES: the member is not there; the score is a number.
  void add(std::string_view member, double score, const ListpackLimits& limits);
  /// Gives an item another score.
  void move(Id id, double score);
  void erase(Id id);
  void erase_at(std::size_t rank);
  /// How many items at the beginning a predicate holds for. REQUIRES: for none after them.
  template <class Predicate>
  [[nodiscard]] std::size_t partition_point(Predicate is_before) const {
    return order_.partition_point([&](Id id) { return is_before(items_[id]); });
  }
  /// Calls back with each item from position `first` up to, not with, `last`.
  template <class Visit>
  void visit(std::size_t first, std::size_t last, Direction direction, Visit visit) const {
    const auto visit_id = [&](Id id) { visit(items_[id]); };
    if (direction == Direction::forward) {
      order_.visit(first, last, visit_id);
    } else {
      order_.visit_backwards(first, last, visit_id);
    }
  }

  /// For scans that go on while the set changes: items keep their places, numbers below
  /// place_count(). Null where a place is free.
  [[nodiscard]] std::size_t place_count() const { return items_.size(); }
  [[nodiscard]] const Item* in_place(std::size_t place) const {
    const auto id = static_cast<Id>(place);
    return order_.contains(id) ? &items_[id] : nullptr;
  }

  /// Whether two of its members have had the same score since it was made or cleared, so that the
  /// order of their bytes decided which comes first.
  [[nodiscard]] bool has_had_ties() const { return has_had_ties_; }

  /// The same members with the same scores.
  friend bool operator==(const SortedSetValue& a, const SortedSetValue& b);

 private:
  void insert(Id id);
  void insert_by_member(Id id);
  [[nodiscard]] std::size_t rank_by_member(std::string_view member) const;
  void index_members();
  [[nodiscard]] double kept(double score) const;

  ItemPool<Item> items_;
  OrderStatisticTree order_;
  OrderStatisticTree by_member_;  // the items in order of members; kept once there were many
  bool is_indexed_ = false;
  bool is_listpack_ = true;
  bool makes_zero_positive_ = true;  // while it is a listpack
  bool has_had_ties_ = false;
};

}  // namespace lockstep::redis
