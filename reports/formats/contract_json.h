// A lock's contract as JSON: of lockstep explain, and as a part of other documents.
//
// docs/locks.md describes it; contract_words.h has the sentences for people.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/lock/assumption.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct Contract;
}  // namespace lockstep::model

namespace lockstep::reports {

struct ExplainedLock;

[[nodiscard]] nlohmann::ordered_json words_json(model::AssumptionSet assumptions);
[[nodiscard]] nlohmann::ordered_json words_json(const std::vector<checker::Property>& properties);
/// Sanitized; null where it is empty.
[[nodiscard]] nlohmann::ordered_json sanitized_or_null(const std::string& text);

/// The contract as a survival table has it.
[[nodiscard]] nlohmann::ordered_json contract_json(const model::Contract& contract);

/// One document of all locks.
[[nodiscard]] std::string contracts_json(const std::vector<ExplainedLock>& locks);

}  // namespace lockstep::reports
