// The tree of positions against a plain vector.
#include "redis/values/order_statistic_tree.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace lockstep::redis::test {
namespace {

std::vector<OrderStatisticTree::Id> contents(const OrderStatisticTree& tree) {
  std::vector<OrderStatisticTree::Id> ids;
  tree.visit(0, tree.size(), [&](OrderStatisticTree::Id id) { ids.push_back(id); });
  return ids;
}

struct Change {
  bool erases = false;
  std::uint32_t place = 0;
};

rc::Gen<std::vector<Change>> any_changes() {
  return rc::gen::container<std::vector<Change>>(
      rc::gen::construct<Change>(rc::gen::weightedElement<bool>({{2, false}, {1, true}}),
                                 rc::gen::arbitrary<std::uint32_t>()));
}

RC_GTEST_PROP(RankedTreeTest, HoldsItsItemsInTheOrderTheyWerePutIn, ()) {
  OrderStatisticTree tree;
  std::vector<OrderStatisticTree::Id> model;
  OrderStatisticTree::Id next = 0;
  for (const Change& change : *any_changes()) {
    if (change.erases && !model.empty()) {
      const std::size_t rank = change.place % model.size();
      RC_ASSERT(tree.erase_at(rank) == model[rank]);
      model.erase(model.begin() + static_cast<std::ptrdiff_t>(rank));
    } else {
      const std::size_t rank = change.place % (model.size() + 1);
      tree.insert_at(rank, next);
      model.insert(model.begin() + static_cast<std::ptrdiff_t>(rank), next++);
    }
    RC_ASSERT(contents(tree) == model);
  }
  for (std::size_t rank = 0; rank < model.size(); ++rank) RC_ASSERT(tree.at(rank) == model[rank]);
}

RC_GTEST_PROP(RankedTreeTest, VisitsAnyPartBothWays, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 200);
  const auto last = *rc::gen::inRange<std::size_t>(0, size + 1);
  const auto first = *rc::gen::inRange<std::size_t>(0, last + 1);
  OrderStatisticTree tree;
  for (std::size_t i = 0; i < size; ++i) tree.insert_at(i, static_cast<OrderStatisticTree::Id>(i));
  std::vector<OrderStatisticTree::Id> expected;
  for (std::size_t i = first; i < last; ++i)
    expected.push_back(static_cast<OrderStatisticTree::Id>(i));
  std::vector<OrderStatisticTree::Id> visited;
  tree.visit(first, last, [&](OrderStatisticTree::Id id) { visited.push_back(id); });
  RC_ASSERT(visited == expected);
  visited.clear();
  tree.visit_backwards(first, last, [&](OrderStatisticTree::Id id) { visited.push_back(id); });
  RC_ASSERT(visited == std::vector<OrderStatisticTree::Id>(expected.rbegin(), expected.rend()));
  RC_ASSERT(tree.partition_point([&](OrderStatisticTree::Id id) { return id < first; }) == first);
}

/// How many items a search for a position looks at: what balance is about.
std::size_t depth_of(const OrderStatisticTree& tree, OrderStatisticTree::Id wanted) {
  std::size_t looked_at = 0;
  static_cast<void>(tree.partition_point([&](OrderStatisticTree::Id id) {
    ++looked_at;
    return id < wanted;
  }));
  return looked_at;
}

TEST(RankedTreeTest, StaysShallowWhateverTheOrderOfInsertions) {
  constexpr std::size_t size = 20'000;
  constexpr double depth_max = 2.5 * 15;  // 2.5 times the binary logarithm
  for (const bool backwards : {false, true}) {
    OrderStatisticTree tree;
    for (OrderStatisticTree::Id id = 0; id < size; ++id) {
      tree.insert_at(backwards ? 0 : tree.size(),
                     backwards ? OrderStatisticTree::Id{size} - 1 - id : id);
    }
    while (tree.size() > size / 2) tree.erase_at(tree.size() / 3);
    for (OrderStatisticTree::Id id = 0; id < size; id += 97) {
      ASSERT_LE(static_cast<double>(depth_of(tree, id)), depth_max);
    }
  }
}

}  // namespace
}  // namespace lockstep::redis::test
