// A Redis set: byte strings, each once.
//
// Redis keeps a set of integers sorted while it is small (an intset) and gives no order to others;
// here others are in the order of their bytes, so that nothing depends on hashing. O(log n), and an
// intset as in Redis: a sorted array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/integer_text.h"
#include "redis/values/item_pool.h"
#include "redis/values/order_statistic_tree.h"

namespace lockstep::redis {

/// A member as text, valid until the set changes.
class SetMember {
 public:
  explicit SetMember(std::string_view text) : text_(text) {}
  explicit SetMember(std::int64_t integer) : digits_(IntegerText(integer)) {}
  [[nodiscard]] std::string_view view() const { return digits_ ? digits_->view() : text_; }

 private:
  std::string_view text_;
  std::optional<IntegerText> digits_;
};

class SetValue {
 public:
  static constexpr std::int64_t default_intset_entries_max = 512;

  [[nodiscard]] std::size_t size() const { return is_intset_ ? integers_.size() : order_.size(); }
  /// Keeps the memory of a small set.
  void clear();
  [[nodiscard]] bool is_intset() const { return is_intset_; }
  /// Whether its memory is worth keeping: that of few members, each of at most so many bytes.
  [[nodiscard]] bool is_small(std::size_t members_max, std::size_t bytes_max) const;

  [[nodiscard]] bool contains(std::string_view member) const;
  /// True where the member is new.
  bool add(std::string_view member, std::int64_t intset_entries_max = default_intset_entries_max);
  bool erase(std::string_view member);
  void erase_at(std::size_t rank);
  /// The member at a position in the set's order. REQUIRES: rank < size().
  [[nodiscard]] SetMember at(std::size_t rank) const;
  /// Calls back with each member, a text, in the set's order.
  template <class Visit>
  void visit(Visit visit) const {
    for (const std::int64_t integer : integers_) visit(IntegerText(integer).view());
    order_.visit(0, order_.size(),
                 [&](OrderStatisticTree::Id id) { visit(std::string_view(texts_[id])); });
  }

  /// For scans that go on while the set changes: members keep their places, numbers below
  /// place_count(). Null where a place is free. REQUIRES: is no intset.
  [[nodiscard]] std::size_t place_count() const { return texts_.size(); }
  [[nodiscard]] const std::string* in_place(std::size_t place) const {
    const auto id = static_cast<OrderStatisticTree::Id>(place);
    return order_.contains(id) ? &texts_[id] : nullptr;
  }

  /// The same members.
  friend bool operator==(const SetValue& a, const SetValue& b);

 private:
  [[nodiscard]] std::optional<std::size_t> find_integer(std::string_view member) const;
  [[nodiscard]] std::size_t rank_of(std::string_view member) const;
  [[nodiscard]] bool has_at(std::size_t rank, std::string_view member) const;
  void add_at(std::size_t rank, std::string_view member);
  void leave_intset();

  bool is_intset_ = true;
  std::vector<std::int64_t> integers_;  // sorted, of an intset
  ItemPool<std::string> texts_;         // of another set
  OrderStatisticTree order_;
};

}  // namespace lockstep::redis
