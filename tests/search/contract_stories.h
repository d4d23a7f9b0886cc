// Short stories of a lock, and which assumptions of its contract they do not keep.
#pragma once

#include <optional>
#include <string>

#include "model/lock/assumption.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::search {

/// A scenario of that lock; `rest` has clients and faults.
[[nodiscard]] std::string story(const std::string& lock, const std::string& rest);

/// The assumptions that the run with seed 1 did not keep; none where the property is not violated
/// in it, or no promise.
[[nodiscard]] std::optional<model::AssumptionSet> broken(const std::string& text,
                                                         checker::Property property);

/// What that run says of a promise, as the contract has it told.
[[nodiscard]] checker::Verdict told_of(const std::string& text, checker::Property property);

}  // namespace lockstep::search
