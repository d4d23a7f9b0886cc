// How many permits a semaphore grants at once, found by asking it: where each permit is a member
// of its own, a client model need not take several, and one that refuses them is not at fault.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::model {
class Engine;
struct LockPackage;
}  // namespace lockstep::model

namespace lockstep::scenario {
enum class StepKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct PermitsAtOnce;

/// Where a file of a scenario with the lock would be, and what the lock is called there.
struct LockPlace {
  std::string_view path;
  std::string_view lock_name;
};

/// Asks for fewer and fewer at a time, each in a run of its own, without faults. One where the lock
/// has no such permits.
[[nodiscard]] PermitsAtOnce probe_permits(model::Engine& engine, const model::LockPackage& lock,
                                          std::span<const scenario::StepKind> offered,
                                          const LockPlace& place);

}  // namespace lockstep::search
