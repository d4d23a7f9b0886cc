// lease-linearizability against the brute force, on tens of thousands of small random histories,
// and on larger ones that are linearizable by construction.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "checker/observations.h"
#include "checker/properties/lease_linearizability.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "lease_oracle.h"
#include "random_history.h"

namespace lockstep::checker::testing::lease_random {
namespace {

/// Judges one history after the other with the same buffers.
class Judge {
 public:
  Judge() {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) names_.intern(name);
  }

  VerdictKind verdict(const std::vector<Operation>& operations, const HistoryShape& shape) {
    history_.operations = operations;
    Verdict verdict;
    verdict.property = Property::lease_linearizability;
    judge_.judge({names_, history_, observations_, shape.drift_ppm, shape.reentry}, verdict);
    return verdict.kind;
  }
  [[nodiscard]] std::uint64_t steps() const { return judge_.steps(); }

 private:
  Names names_;
  History history_;
  Observations observations_;
  LeaseLinearizability judge_{Limits{}};
};

bool agree(Judge& judge, const std::vector<Operation>& operations, const HistoryShape& shape) {
  const bool expected = is_linearizable_by_brute_force(operations, shape.drift_ppm, shape.reentry);
  const VerdictKind got = judge.verdict(operations, shape);
  return got == (expected ? VerdictKind::holds : VerdictKind::violated);
}

/// Leaves out operations as long as the two still disagree.
std::vector<Operation> shrink(Judge& judge, std::vector<Operation> operations,
                              const HistoryShape& shape) {
  for (std::size_t index = 0; index < operations.size();) {
    std::vector<Operation> fewer = operations;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(index));
    if (agree(judge, fewer, shape)) {
      ++index;
    } else {
      operations = fewer;
      index = 0;
    }
  }
  return operations;
}

HistoryShape small_shape(Draw& draw) {
  HistoryShape shape;
  const bool mostly_unknown = draw.one_in(3);
  shape.operation_count = static_cast<std::size_t>(2 + draw.below(mostly_unknown ? 12 : 9));
  shape.owner_count = 2 + draw.below(2);
  shape.threads_per_owner = draw.one_in(4) ? 2 : 1;
  shape.unknown_one_in = mostly_unknown ? 1 : draw.one_in(3) ? 0 : 2 + draw.below(8);
  shape.lease_ns_max = draw.one_in(3) ? 6 : 20;
  shape.step_ns_max = draw.one_in(3) ? 8 : 2;
  static constexpr std::array<std::int64_t, 5> drifts_ppm{0, 0, 100'000, 333'333, 1'000'000};
  shape.drift_ppm = drifts_ppm[static_cast<std::size_t>(draw.below(5))];
  shape.reentry = draw.one_in(4) ? Reentry::refused : Reentry::counted;
  if (shape.reentry == Reentry::refused) shape.threads_per_owner = 1;  // each knows its own tokens
  return shape;
}

std::vector<Operation> mutated_history(const HistoryShape& shape, Draw& draw) {
  std::vector<Operation> operations = random_history(shape, draw);
  for (std::int64_t mutations = draw.below(4); mutations > 0; --mutations) {
    mutate(operations, shape, draw);
  }
  return operations;
}

TEST(RandomHistories, AreOfBothKindsOftenEnoughToCompare) {
  Draw draw(1);
  Judge judge;
  int violated = 0;
  for (int round = 0; round < 1000; ++round) {
    const HistoryShape shape = small_shape(draw);
    violated += judge.verdict(mutated_history(shape, draw), shape) == VerdictKind::violated ? 1 : 0;
  }
  EXPECT_GT(violated, 150);
  EXPECT_LT(violated, 850);
}

#ifdef NDEBUG
constexpr int histories_each = 250;
#else
constexpr int histories_each = 40;  // sanitizers and no optimisation: as long as the rest
#endif

RC_GTEST_PROP(LeaseLinearizability, AgreesWithTheBruteForceOnSmallHistories, (std::uint64_t seed)) {
  Draw draw(seed);
  Judge judge;
  for (int round = 0; round < histories_each; ++round) {
    HistoryShape shape = small_shape(draw);
    const std::vector<Operation> operations = mutated_history(shape, draw);
    const bool may_be_the_clients = shape.reentry == Reentry::counted && draw.one_in(3);
    if (may_be_the_clients) shape.reentry = Reentry::counted_by_client;
    if (!agree(judge, operations, shape)) {
      RC_FAIL("drift " + std::to_string(shape.drift_ppm) + " ppm\n" +
              to_text(shrink(judge, operations, shape)));
    }
  }
}

RC_GTEST_PROP(LeaseLinearizability, NeverRejectsAHistoryThatIsLinearizableByConstruction,
              (std::uint64_t seed)) {
  Draw draw(seed);
  Judge judge;
  for (int round = 0; round < 20; ++round) {
    HistoryShape shape = small_shape(draw);
    shape.operation_count = static_cast<std::size_t>(20 + draw.below(60));
    shape.owner_count = 3 + draw.below(3);
    // Attempts that nobody knows the end of, each with releases of its own that nobody knows the
    // end of, are beyond any search.
    const bool is_by_acquisition = shape.reentry == Reentry::refused;
    if (is_by_acquisition && shape.unknown_one_in > 0) shape.unknown_one_in += 3;
    const std::vector<Operation> operations = random_history(shape, draw);
    const VerdictKind verdict = judge.verdict(operations, shape);
    if (verdict != VerdictKind::holds)
      RC_FAIL(std::string(to_string(verdict)) + "\n" + std::to_string(judge.steps()) + " steps\n" +
              to_text(operations));
  }
}

}  // namespace
}  // namespace lockstep::checker::testing::lease_random
