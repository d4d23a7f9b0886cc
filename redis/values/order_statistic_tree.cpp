#include "redis/values/order_statistic_tree.h"

#include <cassert>
#include <utility>

namespace lockstep::redis {
namespace {

// Weights are sizes plus one. A side may weigh three times the other; a rotation is single where
// the inner grandchild weighs less than twice the outer. Known to keep the balance.
constexpr std::size_t weight_ratio_max = 3;
constexpr std::size_t single_rotation_ratio = 2;

}  // namespace

void OrderStatisticTree::update_size(Id id) {
  Links& links = links_[id];
  links.size = static_cast<std::uint32_t>(size_of(links.left) + size_of(links.right) + 1);
}

OrderStatisticTree::Id OrderStatisticTree::rotate_left(Id id) {
  const Id right = links_[id].right;
  links_[id].right = links_[right].left;
  links_[right].left = id;
  update_size(id);
  update_size(right);
  return right;
}

OrderStatisticTree::Id OrderStatisticTree::rotate_right(Id id) {
  const Id left = links_[id].left;
  links_[id].left = links_[left].right;
  links_[left].right = id;
  update_size(id);
  update_size(left);
  return left;
}

OrderStatisticTree::Id OrderStatisticTree::balance(Id id) {
  update_size(id);
  const auto weight = [this](Id each) { return size_of(each) + 1; };
  const auto [left, right, size] = links_[id];
  if (weight(right) > weight_ratio_max * weight(left)) {
    const Links& heavy = links_[right];
    if (weight(heavy.left) >= single_rotation_ratio * weight(heavy.right)) {
      links_[id].right = rotate_right(right);
    }
    return rotate_left(id);
  }
  if (weight(left) > weight_ratio_max * weight(right)) {
    const Links& heavy = links_[left];
    if (weight(heavy.right) >= single_rotation_ratio * weight(heavy.left)) {
      links_[id].left = rotate_left(left);
    }
    return rotate_right(id);
  }
  return id;
}

OrderStatisticTree::Id OrderStatisticTree::insert_below(Id parent, std::size_t rank, Id id) {
  if (parent == none) return id;
  const std::size_t before = size_of(links_[parent].left);
  if (rank <= before) {
    links_[parent].left = insert_below(links_[parent].left, rank, id);
  } else {
    links_[parent].right = insert_below(links_[parent].right, rank - before - 1, id);
  }
  return balance(parent);
}

OrderStatisticTree::Id OrderStatisticTree::erase_below(Id parent, std::size_t rank, Id& erased) {
  const auto [left, right, size] = links_[parent];
  const std::size_t before = size_of(left);
  if (rank < before) {
    links_[parent].left = erase_below(left, rank, erased);
    return balance(parent);
  }
  if (rank > before) {
    links_[parent].right = erase_below(right, rank - before - 1, erased);
    return balance(parent);
  }
  erased = parent;
  if (left == none) return right;
  if (right == none) return left;
  // A neighbour takes the place of one that has items on both sides.
  Id neighbour = none;
  if (before > size_of(right)) {
    const Id rest = erase_below(left, before - 1, neighbour);
    links_[neighbour] = {rest, right, 1};
  } else {
    const Id rest = erase_below(right, 0, neighbour);
    links_[neighbour] = {left, rest, 1};
  }
  return balance(neighbour);
}

void OrderStatisticTree::insert_at(std::size_t rank, Id id) {
  assert(rank <= size() && !contains(id) && id != none);
  if (id >= links_.size()) links_.resize(std::size_t{id} + 1);
  links_[id] = {none, none, 1};
  root_ = insert_below(root_, rank, id);
}

OrderStatisticTree::Id OrderStatisticTree::erase_at(std::size_t rank) {
  assert(rank < size());
  Id erased = none;
  root_ = erase_below(root_, rank, erased);
  links_[erased] = {};
  return erased;
}

OrderStatisticTree::Id OrderStatisticTree::at(std::size_t rank) const {
  assert(rank < size());
  for (Id id = root_;;) {
    const std::size_t before = size_of(links_[id].left);
    if (rank == before) return id;
    if (rank < before) {
      id = links_[id].left;
    } else {
      rank -= before + 1;
      id = links_[id].right;
    }
  }
}

void OrderStatisticTree::clear() {
  links_.clear();
  root_ = none;
}

void OrderStatisticTree::release_memory() {
  links_ = {};
  root_ = none;
}

}  // namespace lockstep::redis
