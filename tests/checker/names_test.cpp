#include <gtest/gtest.h>

#include <set>
#include <string>

#include "checker/drift.h"
#include "checker/history.h"
#include "checker/pair_table.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict_kind.h"

namespace lockstep::checker {
namespace {

TEST(Names, TheSameTextIsInternedOnce) {
  Names names;
  const NameId a = names.intern("a/1");
  EXPECT_EQ(names.intern("b/1"), NameId{1});
  EXPECT_EQ(names.intern("a/1"), a);
  EXPECT_EQ(names.size(), 2U);
  EXPECT_EQ(names.text(a), "a/1");
}

TEST(Names, AreForgottenByClear) {
  Names names;
  names.intern("a/1");
  names.clear();
  EXPECT_EQ(names.size(), 0U);
  EXPECT_EQ(names.intern("b/1"), NameId{0});
}

TEST(Names, AreNumberedAsTheyComeHoweverManyThereAre) {
  Names names;
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t i = 0; i < 5'000; ++i) {
      ASSERT_EQ(names.intern("call/" + std::to_string(i)), NameId{i});
      ASSERT_EQ(names.intern("call/" + std::to_string(i / 2)), NameId{i / 2});
    }
    EXPECT_EQ(names.text(NameId{4'321}), "call/4321");
    // A run goes on from a state before, with many names or with few.
    for (const std::uint32_t kept : {3'000U, 33U, 32U, 31U, 2U}) {
      names.forget_after(kept);
      ASSERT_EQ(names.size(), kept);
      ASSERT_EQ(names.intern("another"), NameId{kept});
      ASSERT_EQ(names.intern("call/1"), NameId{1});
      ASSERT_EQ(names.intern("call/4000"), NameId{kept + 1});
    }
    names.clear();
    ASSERT_EQ(names.size(), 0U);
  }
}

TEST(PropertyNames, ReadBackAsTheSameProperty) {
  std::set<std::string_view> seen;
  for (const Property property : all_properties()) {
    EXPECT_EQ(property_from(to_string(property)), property);
    seen.insert(to_string(property));
  }
  EXPECT_EQ(seen.size(), 14U);
  EXPECT_EQ(seen.count("lease-linearizability"), 1U);
}

TEST(PropertyNames, AnyOtherTextIsNone) {
  EXPECT_EQ(property_from("mutual_exclusion"), std::nullopt);
  EXPECT_EQ(property_from(""), std::nullopt);
}

TEST(VerdictKinds, HaveTheirNames) {
  EXPECT_EQ(to_string(VerdictKind::holds), "holds");
  EXPECT_EQ(to_string(VerdictKind::violated), "violated");
  EXPECT_EQ(to_string(VerdictKind::unknown), "unknown");
}

TEST(Milliseconds, ReadAsAPersonWritesThem) {
  const struct {
    TimeNs time_ns;
    const char* text;
  } cases[] = {
      {0, "0 ms"},
      {1, "0.000001 ms"},
      {40'000, "0.04 ms"},
      {999, "0.000999 ms"},
      {1'499, "0.001 ms"},
      {800'244, "0.8 ms"},
      {976'078, "0.976 ms"},
      {999'499, "0.999 ms"},
      {999'999, "1 ms"},
      {1'000'000, "1 ms"},
      {1'049'999, "1 ms"},
      {1'050'000, "1.1 ms"},
      {999'949'999, "999.9 ms"},
      {999'950'000, "1,000 ms"},
      {5'000'300'000, "5,000.3 ms"},
      {1'234'567'890'123, "1,234,567.9 ms"},
      {-2'500'000, "-2.5 ms"},
      {INT64_MIN, "-9,223,372,036,854.8 ms"},
      {never_ns, "never"},
  };
  for (const auto& [time_ns, text] : cases) EXPECT_EQ(milliseconds(time_ns), text) << time_ns;
}

TEST(Drift, IsTakenExactlyAndNeverOverflows) {
  EXPECT_EQ(drift_over(10'000'000'000, 100), 1'000'000);
  EXPECT_EQ(drift_over(999, 1'000), 0);  // 0.999 rounds down
  EXPECT_EQ(drift_over(1'999'999, 999'999), 1'999'997);
  EXPECT_EQ(drift_over(never_ns, 1'000'000), never_ns);
  EXPECT_EQ(drift_over(never_ns, 7'000'000), never_ns);  // counts as the whole
  EXPECT_EQ(drift_over(never_ns, -5), 0);
}

TEST(Drift, ShortensALeaseButRoundsItsEndUp) {
  EXPECT_EQ(earliest_end(100, 1'000, 0), 1'100);
  EXPECT_EQ(earliest_end(100, 1'000, 1'000), 1'099);
  EXPECT_EQ(earliest_end(100, 999, 1'000), 1'099);  // 998.001 rounds up
  EXPECT_EQ(earliest_end(100, 1'000, 1'000'000), 100);
  EXPECT_EQ(earliest_end(100, never_ns, 0), never_ns);
  EXPECT_EQ(earliest_end(never_ns - 5, 6, 0), never_ns);
}

TEST(PairTable, KeepsEveryPairApartAsItGrows) {
  PairTable<int> table;
  for (std::uint32_t first = 0; first < 40; ++first) {
    for (std::uint32_t second = 0; second < 40; ++second) {
      EXPECT_EQ(table.at(NameId{first}, NameId{second}), 0);
      table.at(NameId{first}, NameId{second}) = static_cast<int>(first * 40 + second + 1);
    }
  }
  for (std::uint32_t first = 0; first < 40; ++first) {
    for (std::uint32_t second = 0; second < 40; ++second) {
      EXPECT_EQ(table.at(NameId{first}, NameId{second}), static_cast<int>(first * 40 + second + 1));
    }
  }
  table.clear();
  EXPECT_EQ(table.at(NameId{3}, no_name), 0);
  EXPECT_EQ(table.at(NameId{3}, NameId{4}), 0);
}

}  // namespace
}  // namespace lockstep::checker
