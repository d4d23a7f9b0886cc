// Numbered items in an order, found by their position in O(log n): what sorted sets and big sets
// are kept in.
//
// The items themselves are elsewhere, this knows their numbers only. Who puts them in says where;
// who searches says what lies before (partition_point). A weight-balanced tree in one flat array: a
// copy is a plain copy, and used again it allocates nothing once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lockstep::redis {

class OrderStatisticTree {
 public:
  /// An item's number. Small numbers: memory is kept for all up to the largest.
  using Id = std::uint32_t;

  [[nodiscard]] std::size_t size() const { return size_of(root_); }
  [[nodiscard]] bool contains(Id id) const { return id < links_.size() && links_[id].size > 0; }
  /// REQUIRES: rank ≤ size(), and the item is not in the tree.
  void insert_at(std::size_t rank, Id id);
  /// Takes the item at a position out. REQUIRES: rank < size().
  Id erase_at(std::size_t rank);
  /// REQUIRES: rank < size().
  [[nodiscard]] Id at(std::size_t rank) const;
  /// How many items at the beginning a predicate holds for. REQUIRES: for none after them.
  template <class Predicate>
  [[nodiscard]] std::size_t partition_point(Predicate is_before) const;
  /// Calls back with each item from position `first` up to, not with, `last`; `last` ≤ size().
  template <class Visit>
  void visit(std::size_t first, std::size_t last, Visit visit) const;
  /// The same from the last one back to the first.
  template <class Visit>
  void visit_backwards(std::size_t first, std::size_t last, Visit visit) const;
  /// Keeps memory.
  void clear();
  void release_memory();

 private:
  static constexpr Id none = UINT32_MAX;
  struct Links {
    Id left = none;
    Id right = none;
    std::uint32_t size = 0;  // of the subtree; 0: not in the tree
  };

  [[nodiscard]] std::size_t size_of(Id id) const { return id == none ? 0 : links_[id].size; }
  void update_size(Id id);
  [[nodiscard]] Id rotate_left(Id id);
  [[nodiscard]] Id rotate_right(Id id);
  [[nodiscard]] Id balance(Id id);
  [[nodiscard]] Id insert_below(Id parent, std::size_t rank, Id id);
  [[nodiscard]] Id erase_below(Id parent, std::size_t rank, Id& erased);
  template <class Visit>
  void visit_below(Id id, std::size_t first, std::size_t last, Visit& visit) const;
  template <class Visit>
  void visit_backwards_below(Id id, std::size_t first, std::size_t last, Visit& visit) const;

  std::vector<Links> links_;  // by item
  Id root_ = none;
};

template <class Predicate>
std::size_t OrderStatisticTree::partition_point(Predicate is_before) const {
  std::size_t count = 0;
  for (Id id = root_; id != none;) {
    if (is_before(id)) {
      count += size_of(links_[id].left) + 1;
      id = links_[id].right;
    } else {
      id = links_[id].left;
    }
  }
  return count;
}

template <class Visit>
void OrderStatisticTree::visit_below(Id id, std::size_t first, std::size_t last,
                                     Visit& visit) const {
  if (id == none || first >= last) return;
  const std::size_t before = size_of(links_[id].left);
  if (first < before) visit_below(links_[id].left, first, last < before ? last : before, visit);
  if (first <= before && before < last) visit(id);
  if (last > before + 1) {
    visit_below(links_[id].right, first > before ? first - before - 1 : 0, last - before - 1,
                visit);
  }
}

template <class Visit>
void OrderStatisticTree::visit_backwards_below(Id id, std::size_t first, std::size_t last,
                                               Visit& visit) const {
  if (id == none || first >= last) return;
  const std::size_t before = size_of(links_[id].left);
  if (last > before + 1) {
    visit_backwards_below(links_[id].right, first > before ? first - before - 1 : 0,
                          last - before - 1, visit);
  }
  if (first <= before && before < last) visit(id);
  if (first < before) {
    visit_backwards_below(links_[id].left, first, last < before ? last : before, visit);
  }
}

template <class Visit>
void OrderStatisticTree::visit(std::size_t first, std::size_t last, Visit visit) const {
  visit_below(root_, first, last, visit);
}

template <class Visit>
void OrderStatisticTree::visit_backwards(std::size_t first, std::size_t last, Visit visit) const {
  visit_backwards_below(root_, first, last, visit);
}

}  // namespace lockstep::redis
