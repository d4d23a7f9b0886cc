#include "redis/values/sorted_set_value.h"

#include <cassert>

namespace lockstep::redis {
namespace {

/// Up to so many items a scan finds a member faster than an index.
constexpr std::size_t scanned_items_max = 32;
/// An erased member's memory beyond this is given back.
constexpr std::size_t kept_bytes_max = 1024;

}  // namespace

void SortedSetValue::clear() {
  if (is_indexed_) {
    items_.release_memory();
    order_.release_memory();
    by_member_.release_memory();
  } else {
    items_.clear();
    order_.clear();
  }
  is_indexed_ = false;
  is_listpack_ = true;
  has_had_ties_ = false;
}

bool SortedSetValue::is_small(std::size_t bytes_max) const {
  if (is_indexed_) return false;
  for (Id id = 0; id < items_.size(); ++id) {
    if (items_[id].member.capacity() > bytes_max) return false;
  }
  return true;
}

std::size_t SortedSetValue::rank_by_member(std::string_view member) const {
  return by_member_.partition_point([&](Id id) { return items_[id].member < member; });
}

std::optional<SortedSetValue::Id> SortedSetValue::find(std::string_view member) const {
  if (is_indexed_) {
    const std::size_t rank = rank_by_member(member);
    if (rank == by_member_.size()) return std::nullopt;
    const Id id = by_member_.at(rank);
    return items_[id].member == member ? std::optional(id) : std::nullopt;
  }
  for (Id id = 0; id < items_.size(); ++id) {
    if (items_[id].member == member && order_.contains(id)) return id;
  }
  return std::nullopt;
}

std::size_t SortedSetValue::rank_of(Id id) const {
  const Item& item = items_[id];
  return partition_point([&](const Item& other) {
    return other.score < item.score || (other.score == item.score && other.member < item.member);
  });
}

/// The item is compared with what will stand before it and behind it, and so with any other that
/// has its score.
void SortedSetValue::insert(Id id) {
  const Item& item = items_[id];
  const std::size_t rank = partition_point([&](const Item& other) {
    if (other.score != item.score) return other.score < item.score;
    has_had_ties_ = true;
    return other.member < item.member;
  });
  order_.insert_at(rank, id);
}

void SortedSetValue::insert_by_member(Id id) {
  by_member_.insert_at(rank_by_member(items_[id].member), id);
}

void SortedSetValue::index_members() {
  is_indexed_ = true;
  order_.visit(0, order_.size(), [this](Id id) { insert_by_member(id); });
}

double SortedSetValue::kept(double score) const {
  return is_listpack_ && makes_zero_positive_ ? score + 0.0 : score;  // -0 + 0 is 0
}

void SortedSetValue::add(std::string_view member, double score, const ListpackLimits& limits) {
  assert(!find(member));
  const auto size_after = static_cast<std::int64_t>(size()) + 1;
  if (size_after > limits.entries_max || member.size() > limits.bytes_max) is_listpack_ = false;
  makes_zero_positive_ = !limits.keeps_negative_zero;
  const Id id = items_.take();
  items_[id].member.assign(member);
  items_[id].score = kept(score);
  insert(id);
  if (is_indexed_) {
    insert_by_member(id);
  } else if (items_.size() > scanned_items_max) {
    index_members();
  }
}

void SortedSetValue::move(Id id, double score) {
  order_.erase_at(rank_of(id));
  items_[id].score = kept(score);
  insert(id);
}

void SortedSetValue::erase_at(std::size_t rank) {
  const Id id = order_.erase_at(rank);
  std::string& member = items_[id].member;
  if (is_indexed_) by_member_.erase_at(rank_by_member(member));
  if (member.capacity() > kept_bytes_max) member = {};
  items_.give_back(id);
}

void SortedSetValue::erase(Id id) { erase_at(rank_of(id)); }

bool operator==(const SortedSetValue& a, const SortedSetValue& b) {
  if (a.size() != b.size()) return false;
  bool are_equal = true;
  std::size_t rank = 0;
  a.visit(0, a.size(), Direction::forward, [&](const SortedSetValue::Item& item) {
    const SortedSetValue::Item& other = b.at(rank++);
    are_equal = are_equal && item.score == other.score && item.member == other.member;
  });
  return are_equal;
}

}  // namespace lockstep::redis
