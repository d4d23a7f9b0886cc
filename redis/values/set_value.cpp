#include "redis/values/set_value.h"

#include <algorithm>
#include <cassert>

#include "redis/protocol/integers.h"

namespace lockstep::redis {
namespace {

/// Memory beyond these is given back.
constexpr std::size_t kept_members_max = 32;
constexpr std::size_t kept_member_bytes_max = 1024;

}  // namespace

void SetValue::clear() {
  is_intset_ = true;
  if (integers_.capacity() > kept_members_max) {
    integers_ = {};
  } else {
    integers_.clear();
  }
  if (texts_.size() > kept_members_max) {
    texts_.release_memory();
    order_.release_memory();
  } else {
    texts_.clear();
    order_.clear();
  }
}

bool SetValue::is_small(std::size_t members_max, std::size_t bytes_max) const {
  if (integers_.capacity() > members_max || texts_.size() > members_max) return false;
  for (OrderStatisticTree::Id id = 0; id < texts_.size(); ++id) {
    if (texts_[id].capacity() > bytes_max) return false;
  }
  return true;
}

std::optional<std::size_t> SetValue::find_integer(std::string_view member) const {
  const std::optional<std::int64_t> integer = parse_integer(member);
  if (!integer) return std::nullopt;
  const auto found = std::lower_bound(integers_.begin(), integers_.end(), *integer);
  if (found == integers_.end() || *found != *integer) return std::nullopt;
  return static_cast<std::size_t>(found - integers_.begin());
}

std::size_t SetValue::rank_of(std::string_view member) const {
  return order_.partition_point([&](OrderStatisticTree::Id id) { return texts_[id] < member; });
}

bool SetValue::has_at(std::size_t rank, std::string_view member) const {
  return rank < order_.size() && texts_[order_.at(rank)] == member;
}

bool SetValue::contains(std::string_view member) const {
  return is_intset_ ? find_integer(member).has_value() : has_at(rank_of(member), member);
}

void SetValue::add_at(std::size_t rank, std::string_view member) {
  const OrderStatisticTree::Id id = texts_.take();
  texts_[id].assign(member);
  order_.insert_at(rank, id);
}

void SetValue::leave_intset() {
  is_intset_ = false;
  for (const std::int64_t integer : integers_) {
    const IntegerText text(integer);
    add_at(rank_of(text.view()), text.view());
  }
  integers_.clear();
}

bool SetValue::add(std::string_view member, std::int64_t intset_entries_max) {
  const std::optional<std::int64_t> integer =
      is_intset_ ? parse_integer(member) : std::optional<std::int64_t>();
  if (is_intset_ && !integer) leave_intset();
  if (!is_intset_) {
    const std::size_t rank = rank_of(member);
    if (has_at(rank, member)) return false;
    add_at(rank, member);
    return true;
  }
  const auto place = std::lower_bound(integers_.begin(), integers_.end(), *integer);
  if (place != integers_.end() && *place == *integer) return false;
  integers_.insert(place, *integer);
  if (static_cast<std::int64_t>(integers_.size()) > intset_entries_max) leave_intset();
  return true;
}

void SetValue::erase_at(std::size_t rank) {
  assert(rank < size());
  if (is_intset_) {
    integers_.erase(integers_.begin() + static_cast<std::ptrdiff_t>(rank));
    return;
  }
  const OrderStatisticTree::Id id = order_.erase_at(rank);
  if (texts_[id].capacity() > kept_member_bytes_max) texts_[id] = {};
  texts_.give_back(id);
}

bool SetValue::erase(std::string_view member) {
  if (is_intset_) {
    const std::optional<std::size_t> rank = find_integer(member);
    if (rank) erase_at(*rank);
    return rank.has_value();
  }
  const std::size_t rank = rank_of(member);
  if (!has_at(rank, member)) return false;
  erase_at(rank);
  return true;
}

SetMember SetValue::at(std::size_t rank) const {
  return is_intset_ ? SetMember(integers_[rank])
                    : SetMember(std::string_view(texts_[order_.at(rank)]));
}

bool operator==(const SetValue& a, const SetValue& b) {
  if (a.size() != b.size()) return false;
  bool are_equal = true;
  a.visit([&](std::string_view member) { are_equal = are_equal && b.contains(member); });
  return are_equal;
}

}  // namespace lockstep::redis
