// Workloads that use all functions of a lock: what clients do in a search.
//
// They come in families. Each tests something else (contention, the watchdog, waits that
// end, several locks, …); within a family every run draws its own steps and times. The times are
// the lock's own, as far as its options state them. Most families follow the rules for callers of
// any lock (model/lock/usage.h); the last ones break one rule each.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::model {
struct LockPackage;
enum class Usage : std::uint8_t;
}  // namespace lockstep::model

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
enum class StepKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct Workload {
  std::string name;                  ///< "contention", "waits that end"
  std::string text;                  ///< a whole scenario file, without faults
  std::vector<model::Usage> breaks;  ///< the rules that it breaks
  std::size_t weight = 1;            ///< turns for each that another one has
  /// The faults that its story takes, of those that the contract does not exclude; empty: any.
  std::vector<scenario::FaultKind> faults = {};
};

struct PermitsAtOnce {
  int count = 1;  ///< as many as the client model grants together, where each is a member
};

/// In the order of what they find: the first ones most. `offered`: the functions of the client
/// model (Engine::offered). `lock_name`: how the files name the lock ("plain/unlatched",
/// "./my-lock"); empty: by its own name. Throws InputError where [search] of lock.toml weights one
/// that there is not.
[[nodiscard]] std::vector<Workload> workloads_of(const model::LockPackage& lock,
                                                 std::span<const scenario::StepKind> offered,
                                                 std::string_view lock_name = {},
                                                 PermitsAtOnce permits = {});

}  // namespace lockstep::search
