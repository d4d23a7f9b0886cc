// The rows of a survival table.
#include "scenario/faults/fault_group.h"

#include <gtest/gtest.h>

#include <set>

#include "scenario/faults/fault_kind.h"

namespace lockstep::scenario {
namespace {

TEST(FaultGroups, EachHasAKindAndAShortNameOfItsOwn) {
  std::set<FaultGroup> groups;
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    groups.insert(group_of(static_cast<FaultKind>(i)));
  }
  EXPECT_EQ(groups.size(), fault_group_count);
  for (const FaultGroup group : groups) {
    EXPECT_LE(to_string(group).size(), 14U);
    EXPECT_EQ(fault_group_from(to_string(group)), group);
  }
  EXPECT_FALSE(fault_group_from("no fault"));
}

}  // namespace
}  // namespace lockstep::scenario
