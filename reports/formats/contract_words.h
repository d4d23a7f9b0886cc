// A lock's contract in words: which of its promises hold as long as what is so.
//
// For programs: contract_json.h.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/lock/assumption.h"
#include "model/lock/contract.h"

namespace lockstep::reports {

/// What is told of a lock.
struct ExplainedLock {
  std::string name;  ///< "plain/unlatched"
  std::string title;
  std::string flaw;              ///< of a variant; empty: nothing is known to be wrong with it
  std::filesystem::path folder;  ///< of its lock.toml
  std::vector<checker::Property> promises;
  model::Contract contract;
};

/// Promises that assume the same.
struct PromisesAlike {
  std::vector<checker::Property> promises;
  model::AssumptionSet assumed;
};

/// In the order of the promises. Left out is what the contract assumes in vain: of leases
/// where there are none, of renewals where nothing is renewed.
[[nodiscard]] std::vector<PromisesAlike> promises_alike(
    const model::Contract& contract, const std::vector<checker::Property>& promises);

/// What callers are asked for so that promises are kept.
struct AskedRule {
  std::string_view word;      ///< "one-order"
  std::string_view sentence;  ///< "several locks are taken in one order"
  std::vector<checker::Property> promises;
};
/// In the order of the rules; those about something that a lock of its family has.
[[nodiscard]] std::vector<AskedRule> asked_rules(const model::Contract& contract,
                                                 const std::vector<checker::Property>& promises);

/// What all groups assume.
[[nodiscard]] model::AssumptionSet assumed_by_all(const std::vector<PromisesAlike>& groups);

/// A clause behind "as long as", with what the contract says of its own: "no acquire that is sent
/// again is executed twice".
[[nodiscard]] std::string clause_of(model::Assumption assumption, const model::Contract& contract);

/// "each hold ends within …, and nobody but the lock removes its keys": of what means something.
[[nodiscard]] std::string clauses_of(model::AssumptionSet assumptions,
                                     const model::Contract& contract);

/// "All promises hold as long as …, and …." Then, for all that assume the same: "harm needs besides
/// that …."
[[nodiscard]] std::vector<std::string> contract_sentences(
    const model::Contract& contract, const std::vector<checker::Property>& promises);

/// "its [contract]", "the standard contract of lease locks".
[[nodiscard]] std::string whose_contract(const model::Contract& contract);

/// How long a hold lasts whose caller asks for no lease: a sentence. Empty for a lock whose holds
/// have none, such as a semaphore's permits.
[[nodiscard]] std::string own_lease_sentence(const model::Contract& contract);

/// All of it, on a screen: promise by promise, reasons, known flaws.
[[nodiscard]] std::string contract_console(const ExplainedLock& lock);

}  // namespace lockstep::reports
