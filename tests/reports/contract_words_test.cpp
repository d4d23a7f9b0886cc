#include "reports/formats/contract_words.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "checker/property.h"
#include "model/lock/usage.h"
#include "reports/formats/contract_json.h"

namespace lockstep::reports {
namespace {

using checker::Property;
using model::Assumption;

ExplainedLock some_lock() {
  ExplainedLock lock;
  lock.name = "my-lock";
  lock.title = "A lock";
  lock.folder = "locks/my-lock";
  lock.promises = {Property::mutual_exclusion, Property::harm, Property::hold_count,
                   Property::fifo};
  model::Contract& contract = lock.contract;
  contract.is_standard = false;
  const model::AssumptionSet leases = {Assumption::holds_within_lease, Assumption::executed_once};
  contract.assumes = {
      {Property::mutual_exclusion, leases},
      {Property::harm, leases},
      {Property::hold_count, leases | model::AssumptionSet{Assumption::calls_answered}},
      {Property::fifo, {}}};
  contract.executed_once = {"acquire", "try"};
  contract.usage = {{Property::mutual_exclusion, {model::Usage::nobody_forces}},
                    {Property::harm, {model::Usage::nobody_forces}},
                    {Property::hold_count, {}}};
  contract.reasons = {{Assumption::calls_answered, "a lease ends"}};
  return lock;
}

TEST(ContractWords, SayWhatAllAssumeAndWhatSomeNeedBesides) {
  ExplainedLock lock = some_lock();
  lock.promises.pop_back();
  EXPECT_EQ(
      contract_sentences(lock.contract, lock.promises),
      (std::vector<std::string>{
          "All promises hold as long as each hold ends within the lease that its caller asked "
          "for, and no acquire or try that is sent again is executed twice.",
          "hold-count needs besides that each call is answered, and not with a server's error."}));
  EXPECT_EQ(contract_sentences(lock.contract, {Property::fifo}),
            std::vector<std::string>{"All promises hold whatever happens."});
}

TEST(ContractWords, SayWhatSomeNeedWhereAnotherNeedsNothing) {
  const ExplainedLock lock = some_lock();
  EXPECT_EQ(
      contract_sentences(lock.contract, {Property::hold_count, Property::fifo}),
      std::vector<std::string>{
          "hold-count needs that each hold ends within the lease that its caller asked for, no "
          "acquire or try that is sent again is executed twice, and each call is answered, and not "
          "with a server's error."});
}

TEST(ContractWords, SayWhatIsForgotten) {
  model::Contract contract;
  contract.executed_once = {"acquire"};
  contract.remembers = "latch";
  EXPECT_EQ(clause_of(Assumption::executed_once, contract),
            "no acquire that is sent again is executed twice (nor any other request later than its "
            "latch says)");
  contract.remembers.clear();
  contract.forgets_answers = true;
  EXPECT_EQ(clause_of(Assumption::executed_once, contract),
            "no acquire that is sent again is executed twice (nor any other request, where its "
            "answer matters)");
  contract.executed_once = {"*"};
  EXPECT_EQ(clause_of(Assumption::executed_once, contract),
            "no request that is sent again is executed twice");
}

TEST(ContractWords, SayHowLongAHoldWithoutALeaseLasts) {
  model::Contract contract;
  EXPECT_EQ(own_lease_sentence(contract),
            "A hold taken without a lease lasts until it is given back.");
  contract.own_lease = "ttl";
  EXPECT_EQ(own_lease_sentence(contract),
            "A hold taken without a lease has that of the option ttl, which nothing renews.");
  contract.renews = true;
  EXPECT_EQ(own_lease_sentence(contract),
            "A hold taken without a lease has that of the option ttl, which the lock renews by "
            "itself.");
  contract = {};
  contract.family = model::LockFamily::semaphore;
  EXPECT_EQ(own_lease_sentence(contract), "");
}

TEST(ContractWords, SayByHowMuchClocksMayDrift) {
  model::Contract contract;
  contract.drift_ppm = 500;
  EXPECT_EQ(clause_of(Assumption::clocks_steady, contract),
            "no clock steps, stops or drifts by more than 500 ppm");
}

TEST(ContractWords, LeaveOutWhatIsAssumedInVain) {
  model::Contract contract;
  contract.own_lease = "lease";
  const model::AssumptionSet assumed = {Assumption::renewals_get_through, Assumption::executed_once,
                                        Assumption::keys_stay};
  EXPECT_EQ(clauses_of(assumed, contract), "nobody but the lock removes its keys");
  contract.renews = true;
  EXPECT_EQ(clauses_of(assumed, contract),
            "no fault keeps a holder from renewing for a third of its lease, and nobody but the "
            "lock removes its keys");
}

TEST(ContractWords, HaveAClauseForEachAssumptionInBothForms) {
  std::vector<std::string_view> clauses;
  for (std::size_t i = 0; i < model::assumption_count; ++i) {
    clauses.push_back(model::as_long_as(static_cast<Assumption>(i)));
    clauses.push_back(model::where_broken(static_cast<Assumption>(i)));
  }
  std::sort(clauses.begin(), clauses.end());
  EXPECT_EQ(std::unique(clauses.begin(), clauses.end()), clauses.end());
  EXPECT_FALSE(clauses.front().empty());
}

TEST(ContractWords, TellAScreenOfIt) {
  ExplainedLock lock = some_lock();
  lock.promises.pop_back();
  lock.contract.known = {{Property::fifo,
                          "one is passed over",
                          {"passed"},
                          "https://example.org/1",
                          "../../scenarios/passed.toml"}};
  EXPECT_EQ(contract_console(lock),
            R"(my-lock: A lock
judged by its [contract]
A hold taken without a lease lasts until it is given back.

It promises mutual-exclusion, harm and hold-count, as long as
  - each hold ends within the lease that its caller asked for
  - no acquire or try that is sent again is executed twice

hold-count needs besides that
  - each call is answered, and not with a server's error: a lease ends

Rules for callers, and the promises that need them
  - nobody forces a release (all but hold-count)

Known flaws
  - fifo: one is passed over (https://example.org/1)
    shown by scenarios/passed.toml
)");
}

TEST(ContractWords, LetNoNameSteerATerminal) {
  ExplainedLock lock = some_lock();
  const std::string hostile = "x\x1b[31m\n::error::\xff";
  lock.name = lock.title = lock.flaw = hostile;
  lock.contract.executed_once = {hostile};
  lock.contract.remembers = lock.contract.own_lease = hostile;
  lock.contract.renews = true;
  lock.contract.reasons = {{Assumption::keys_stay, hostile}};
  lock.contract.known = {{Property::fifo, hostile, {hostile}, hostile, hostile}};
  const std::string text = contract_console(lock);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\n::error"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(contracts_json({lock})).at("locks").size(), 1U);
}

TEST(ContractWords, AreJsonForPrograms) {
  const auto json = nlohmann::json::parse(contracts_json({some_lock()}));
  EXPECT_EQ(json.at("format"), "lockstep-contract");
  EXPECT_EQ(json.at("version"), 1);
  const auto& lock = json.at("locks").at(0);
  EXPECT_EQ(lock.at("lock"), "my-lock");
  EXPECT_TRUE(lock.at("flaw").is_null());
  EXPECT_EQ(lock.at("sentences").size(), 2U);
  const auto& answered = lock.at("assumptions").at(2);
  EXPECT_EQ(answered.at("assumption"), "calls-answered");
  EXPECT_EQ(answered.at("promises"), nlohmann::json::array({"hold-count"}));
  EXPECT_EQ(answered.at("reason"), "a lease ends");
  EXPECT_EQ(lock.at("contract").at("assumes").at("fifo").size(), 0U);
}

}  // namespace
}  // namespace lockstep::reports
