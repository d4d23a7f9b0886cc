// Whether what was found is a defect that the lock's contract names as known.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct Contract;
struct KnownFlaw;
}  // namespace lockstep::model

namespace lockstep::reports {

struct Cause;

/// The first whose words are all in one cause: what befell somebody else in the same run, or which
/// faults struck, makes no other bug a known one. Null: none.
[[nodiscard]] const model::KnownFlaw* known_flaw_of(const model::Contract& contract,
                                                    checker::Property broken,
                                                    const std::vector<Cause>& causes);

}  // namespace lockstep::reports
