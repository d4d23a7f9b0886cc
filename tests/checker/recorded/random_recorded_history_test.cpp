// decide() against the brute force on small random histories of every model, and on ones that are
// linearizable by construction. LOCKSTEP_HISTORIES=1000000 makes it as many in all
// (docs/checker.md).
#include "random_recorded_history.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <string>

#include "checker/history.h"
#include "checker/recorded/decide.h"
#include "checker/recorded/fast_path.h"
#include "linearizability_oracle.h"
#include "tests/checker/lease_oracle.h"
#include "tests/checker/random_history.h"

namespace lockstep::checker::recorded::testing {
namespace {

#ifdef NDEBUG
constexpr std::int64_t histories_in_all = 24'000;
#else
constexpr std::int64_t histories_in_all = 3'000;  // no optimisation
#endif

/// For one model, in one of RapidCheck's 100 cases.
std::int64_t histories_each() {
  const char* wanted = std::getenv("LOCKSTEP_HISTORIES");
  const std::int64_t in_all = wanted == nullptr ? histories_in_all : std::atoll(wanted);
  return in_all / static_cast<std::int64_t>(all_models().size()) / 100 + 1;
}

bool agree(const History& history, Model model, const Settings& settings) {
  const bool expected = is_linearizable_by_brute_force(history, model, settings);
  return decide(history, model, {}, settings).answer ==
         (expected ? Answer::linearizable : Answer::not_linearizable);
}

/// Leaves out operations as long as the two still disagree.
History shrunk(History history, Model model, const Settings& settings) {
  for (std::size_t index = 0; index < history.operations.size();) {
    History fewer = history;
    fewer.operations.erase(fewer.operations.begin() + static_cast<std::ptrdiff_t>(index));
    if (agree(fewer, model, settings)) {
      ++index;
    } else {
      history.operations = fewer.operations;
      index = 0;
    }
  }
  return history;
}

std::string told(const History& history, const RecordedShape& shape) {
  const auto name = [](Failures failures) {
    return failures == Failures::ignored ? "ignored" : "observed";
  };
  return std::string(to_string(shape.model)) + ", locks " +
         name(shape.settings.failed_lock_operations) + ", compare-and-set " +
         name(shape.settings.failed_compare_and_sets) + ", initially " +
         shape.settings.initial_value + " " + std::to_string(shape.settings.initial_number) + "\n" +
         to_text(history);
}

History changed_history(const RecordedShape& shape, Draw& draw) {
  History history = random_recorded_history(shape, draw);
  for (std::int64_t changes = draw.below(8); changes > 0; --changes) mutate(history, shape, draw);
  return history;
}

class EveryModel : public ::testing::TestWithParam<Model> {};

TEST_P(EveryModel, AgreesWithAllOrders) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    for (std::int64_t round = histories_each(); round > 0; --round) {
      const RecordedShape shape = random_shape(model, draw);
      const History history = changed_history(shape, draw);
      RC_ASSERT(!find_misfit(history, model));
      if (!agree(history, model, shape.settings)) {
        RC_FAIL(told(shrunk(history, model, shape.settings), shape));
      }
    }
  });
}

/// The same shortest prefix too; and where the fast algorithm speaks, it needs no help.
TEST_P(EveryModel, TheFastAlgorithmAgreesWithTheSearch) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    for (std::int64_t round = histories_each(); round > 0; --round) {
      RecordedShape shape = random_shape(model, draw);
      if (draw.one_in(4)) shape.operations *= 4;
      const History history = changed_history(shape, draw);
      const Decision fast = decide(history, model, {}, shape.settings);
      Settings search_only = shape.settings;
      search_only.search_only = true;
      const Decision slow = decide(history, model, {}, search_only);
      for (std::size_t part = 0; part < fast.parts.size(); ++part) {
        RC_ASSERT(slow.parts[part].method == Method::search);
        if (fast.parts[part].answer != slow.parts[part].answer ||
            fast.parts[part].explanation.until != slow.parts[part].explanation.until) {
          RC_FAIL(told(history, shape));
        }
      }
      if (model == Model::reg && shape.unique_values) {
        for (const KeyDecision& part : fast.parts) RC_ASSERT(part.method == Method::zones);
      }
      if (fast.parts.size() != 1) continue;
      std::vector<std::uint32_t> all(history.operations.size());
      std::iota(all.begin(), all.end(), 0U);
      const FastResult said = ask_fast_path(history, model, shape.settings, {}, all);
      if (said.answer != FastAnswer::cannot_say && !said.may_be_late) {
        RC_ASSERT(fast.parts[0].method == said.method);
      }
    }
  });
}

/// What is known before this event: what completes later may have happened, or not.
History cut(const History& history, std::uint32_t end) {
  History before = history;
  before.operations.clear();
  for (Operation operation : history.operations) {
    if (operation.invoked >= end) continue;
    if (operation.completed >= end) {
      if (operation.function == Function::read || operation.outcome == Outcome::fail) continue;
      operation.outcome = Outcome::info;
    }
    before.operations.push_back(operation);
  }
  return before;
}

/// All but fenced_lock: there an acquire under way counts with the token that it is going to have
/// (SearchResult::stuck), which cut() takes away.
class EveryModelThatCanBeCut : public EveryModel {};

/// Whether by a fast algorithm, by the search, or by prefixes where the search looks ahead.
TEST_P(EveryModelThatCanBeCut, TheShortestPrefixAgreesWithAllOrders) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    for (std::int64_t round = histories_each(); round > 0; --round) {
      RecordedShape shape = random_shape(model, draw);
      if (model == Model::key_value) shape.settings.all_keys_at_once = true;
      const History history = changed_history(shape, draw);
      const Decision decision = decide(history, model, {}, shape.settings);
      if (decision.parts.size() != 1 || decision.answer == Answer::linearizable) continue;
      const std::uint32_t until = decision.parts[0].explanation.until;
      const Explanation& explanation = decision.parts[0].explanation;
      RC_ASSERT((explanation.proof || explanation.hold_proof) != !explanation.final_paths.empty());
      if (!is_linearizable_by_brute_force(cut(history, until), model, shape.settings) ||
          is_linearizable_by_brute_force(cut(history, until + 1), model, shape.settings)) {
        RC_FAIL(std::to_string(until) + " " + told(history, shape));
      }
    }
  });
}

TEST_P(EveryModel, NeverRejectsWhatIsLinearizableByConstruction) {
  const Model model = GetParam();
  rc::detail::checkGTest([model](std::uint64_t seed) {
    Draw draw(seed);
    RecordedShape shape = random_shape(model, draw);
    shape.operations = 20 + draw.below(60);
    shape.unknown_one_in = shape.unknown_one_in == 0 ? 0 : 8;
    const History history = random_recorded_history(shape, draw);
    const Decision decision = decide(history, model, {}, shape.settings);
    if (decision.answer != Answer::linearizable) {
      RC_FAIL(std::string(to_string(decision.answer)) + " " + told(history, shape));
    }
  });
}

TEST_P(EveryModel, HistoriesAreOfBothKindsOftenEnoughToCompare) {
  Draw draw(1);
  int refused = 0;
  for (int round = 0; round < 300; ++round) {
    const RecordedShape shape = random_shape(GetParam(), draw);
    const Decision decision = decide(changed_history(shape, draw), shape.model, {}, shape.settings);
    refused += decision.answer == Answer::not_linearizable ? 1 : 0;
  }
  EXPECT_GT(refused, 30);
  EXPECT_LT(refused, 270);
}

std::string name_of_model(const ::testing::TestParamInfo<Model>& info) {
  std::string name(to_string(info.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, EveryModel,
                         ::testing::Values(Model::mutex, Model::owned_mutex, Model::reentrant_mutex,
                                           Model::fifo_mutex, Model::read_write_lock,
                                           Model::semaphore, Model::latch, Model::fenced_lock,
                                           Model::reg, Model::cas_register, Model::key_value),
                         name_of_model);

INSTANTIATE_TEST_SUITE_P(Recorded, EveryModelThatCanBeCut,
                         ::testing::Values(Model::mutex, Model::owned_mutex, Model::reentrant_mutex,
                                           Model::fifo_mutex, Model::read_write_lock,
                                           Model::semaphore, Model::latch, Model::reg,
                                           Model::cas_register, Model::key_value),
                         name_of_model);

// leased_mutex has generators and a brute force of its own: those of simulated runs.

Function function_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::acquire:
      return Function::acquire;
    case OperationKind::renew:
      return Function::renew;
    case OperationKind::release:
      return Function::release;
    case OperationKind::force_release:
      return Function::force_release;
  }
  return Function::acquire;
}

History recorded_from(const std::vector<checker::Operation>& operations) {
  History history;
  std::vector<std::uint64_t> events;
  for (const checker::Operation& each : operations) {
    events.push_back(each.invoked.order);
    if (each.completed) events.push_back(each.completed->order);
  }
  std::sort(events.begin(), events.end());
  events.erase(std::unique(events.begin(), events.end()), events.end());
  const auto position = [&](std::uint64_t order) {
    return static_cast<std::uint32_t>(std::lower_bound(events.begin(), events.end(), order) -
                                      events.begin());
  };
  for (const checker::Operation& each : operations) {
    Operation operation;
    operation.function = function_of(each.kind);
    operation.owner = history.texts.intern(std::to_string(static_cast<std::uint32_t>(each.owner)));
    operation.process = operation.owner;
    operation.invoked = position(each.invoked.order);
    operation.invoked_ns = each.invoked.at_ns;
    if (each.lease_ns > 0) operation.number = each.lease_ns;
    if (each.outcome_is_known()) {
      operation.outcome = each.outcome == checker::Outcome::ok ? Outcome::ok : Outcome::fail;
      operation.completed = position(each.completed->order);
      operation.completed_ns = each.completed->at_ns;
    }
    history.operations.push_back(operation);
  }
  std::sort(history.operations.begin(), history.operations.end(),
            [](const Operation& one, const Operation& two) { return one.invoked < two.invoked; });
  return history;
}

TEST(LeasedMutexOfHistory, AgreesWithTheBruteForceOfSimulatedRuns) {
  rc::detail::checkGTest([](std::uint64_t seed) {
    Draw draw(seed);
    for (std::int64_t round = histories_each(); round > 0; --round) {
      lockstep::checker::testing::HistoryShape shape;
      shape.operation_count = static_cast<std::size_t>(2 + draw.below(8));
      shape.drift_ppm = draw.one_in(2) ? 0 : 333'333;
      std::vector<checker::Operation> operations =
          lockstep::checker::testing::random_history(shape, draw);
      for (std::int64_t changes = draw.below(4); changes > 0; --changes) {
        lockstep::checker::testing::mutate(operations, shape, draw);
      }
      const bool expected = lockstep::checker::testing::is_linearizable_by_brute_force(
          operations, shape.drift_ppm, shape.reentry);
      Settings settings;
      settings.failed_lock_operations = Failures::observed;
      settings.declared_drift_ppm = shape.drift_ppm;
      const History history = recorded_from(operations);
      RC_ASSERT(!find_misfit(history, Model::leased_mutex));
      const Answer answer = decide(history, Model::leased_mutex, {}, settings).answer;
      if ((answer == Answer::linearizable) != expected) RC_FAIL(to_text(history));
    }
  });
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
