#include "scenario/text/suggest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 5> words = {"lock", "unlock", "lease", "mutual-exclusion",
                                                   "n1"};

/// The definition of optimal string alignment, word for word; exponential.
std::size_t slips_by_definition(std::string_view one, std::string_view other) {
  if (one.empty() || other.empty()) return one.size() + other.size();
  const std::string_view one_rest = one.substr(1);
  const std::string_view other_rest = other.substr(1);
  std::size_t best = slips_by_definition(one_rest, other_rest) + (one[0] == other[0] ? 0 : 1);
  best = std::min(best, slips_by_definition(one_rest, other) + 1);
  best = std::min(best, slips_by_definition(one, other_rest) + 1);
  if (one.size() > 1 && other.size() > 1 && one[0] == other[1] && one[1] == other[0]) {
    best = std::min(best, slips_by_definition(one.substr(2), other.substr(2)) + 1);
  }
  return best;
}

TEST(Suggest, CountsInsertionsDeletionsSubstitutionsAndSwapsAsOneSlipEach) {
  EXPECT_EQ(scenario::edit_distance("lease", "lease"), 0U);
  EXPECT_EQ(scenario::edit_distance("leas", "lease"), 1U);
  EXPECT_EQ(scenario::edit_distance("leasse", "lease"), 1U);
  EXPECT_EQ(scenario::edit_distance("leape", "lease"), 1U);
  EXPECT_EQ(scenario::edit_distance("lesae", "lease"), 1U);
  EXPECT_EQ(scenario::edit_distance("", "lease"), 5U);
  EXPECT_EQ(scenario::edit_distance("LEASE", "lease"), 0U);
}

TEST(Suggest, FindsTheNearestWord) {
  EXPECT_EQ(scenario::nearest("lesae", words), "lease");
  EXPECT_EQ(scenario::nearest("unlok", words), "unlock");
  EXPECT_EQ(scenario::nearest("mutual_exclusoin", words), "mutual-exclusion");
  EXPECT_EQ(scenario::nearest("n2", words), "n1");
}

TEST(Suggest, FindsAWordByItsBeginning) {
  EXPECT_EQ(scenario::nearest("mutual", words), "mutual-exclusion");
}

TEST(Suggest, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(scenario::nearest("zebra", words), "");
  EXPECT_EQ(scenario::nearest("", words), "");
  EXPECT_EQ(scenario::nearest("mu", words), "");
  EXPECT_EQ(scenario::nearest("lock", {}), "");
}

TEST(Suggest, DoesNotOfferOneLetterForAnother) {
  constexpr std::array<std::string_view, 2> letters = {"a", "b"};
  EXPECT_EQ(scenario::nearest("c", letters), "");
  EXPECT_EQ(scenario::nearest("A", letters), "a");
}

TEST(Suggest, TakesTheFirstOfEquals) {
  constexpr std::array<std::string_view, 2> nodes = {"n1", "n2"};
  EXPECT_EQ(scenario::nearest("n3", nodes), "n1");
}

TEST(Suggest, PutsASuggestionIntoWords) {
  EXPECT_EQ(scenario::did_you_mean("lesae", words), "; did you mean 'lease'?");
  EXPECT_EQ(scenario::did_you_mean("zebra", words), "");
}

TEST(Suggest, ListsWords) {
  constexpr std::array<std::string_view, 3> three = {"a", "b", "c"};
  EXPECT_EQ(scenario::listed({}), "nothing");
  EXPECT_EQ(scenario::listed(std::span(three).first(1)), "a");
  EXPECT_EQ(scenario::listed(std::span(three).first(2)), "a and b");
  EXPECT_EQ(scenario::listed(three, "or"), "a, b or c");
}

RC_GTEST_PROP(Suggest, AgreesWithTheDefinition, ()) {
  const auto word =
      rc::gen::resize(5, rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
  const std::string one = *word;
  const std::string other = *word;
  RC_ASSERT(scenario::edit_distance(one, other) == slips_by_definition(one, other));
}

}  // namespace
}  // namespace lockstep::model
