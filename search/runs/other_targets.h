// Other hosts for a fault that strikes what the lock does not use, other moments for one that
// strikes when it does not matter, and other latencies where the network is slow by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/runs/likely_changes.h"
#include "sim/time.h"

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
struct FaultSpec;
struct Scenario;
struct Trigger;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct RunRecord;

/// A good part of what clients wait for an answer, which is some seconds: for each thing that a
/// server handles, or each way where a call has to connect first.
inline constexpr sim::DurationNs bearable_ns = 700 * sim::millisecond_ns;
/// For each way, of which a call has two.
inline constexpr sim::DurationNs bearable_way_ns = 1'400 * sim::millisecond_ns;
/// For each way, where a call has to connect first and the lock is asked more than once: then
/// answers come all the same.
inline constexpr sim::DurationNs easy_way_ns = 300 * sim::millisecond_ns;
/// Where there are more masters the others are not tried.
inline constexpr std::uint32_t masters_tried_max = 6;

/// Whether the host is a sentinel or a replica.
[[nodiscard]] bool is_aside(const scenario::Scenario& scenario, const std::string& host);

/// What waits for the fault goes with it.
void retarget(scenario::Scenario& changed, std::size_t fault, const std::string& other);

/// The masters, in place of a replica or a sentinel, which the lock may never ask, and in a cluster
/// of the one that a client is cut off from. `of_fault` says which fault a line belongs to.
[[nodiscard]] std::vector<LikelyChange> changes_to_masters(const scenario::Scenario& scenario,
                                                           std::size_t fault,
                                                           const std::string& of_fault);

/// What its master has written reaches a replica late, or not at all.
[[nodiscard]] bool keeps_replica_behind(scenario::FaultKind kind);

/// Which client the fault strikes, or cuts off; none: it strikes no client that takes a lock.
[[nodiscard]] std::optional<std::size_t> struck_client(const scenario::Scenario& scenario,
                                                       const scenario::FaultSpec& fault);

/// As that client acquires; none: it takes no lock.
[[nodiscard]] std::optional<scenario::Trigger> as_it_acquires(const scenario::Scenario& scenario,
                                                              std::size_t client);

/// It strikes then, in place of whatever the file says.
[[nodiscard]] LikelyChange at_moment(const scenario::FaultSpec& struck, std::size_t fault,
                                     const scenario::Trigger& trigger, const std::string& of_fault);

/// First of whom it strikes: who waits for a lock loses none. `of_fault` says which fault a line
/// belongs to.
[[nodiscard]] std::vector<LikelyChange> changes_to_moment(const scenario::Scenario& scenario,
                                                          std::size_t fault,
                                                          const std::string& of_fault);

/// Of one that waits for what a node never executed: what it did execute; of one that strikes as a
/// release is called that takes several steps: between these. `runs_struck`: in how many runs it
/// struck.
[[nodiscard]] std::vector<LikelyChange> changes_to_step(const scenario::Scenario& scenario,
                                                        const RunRecord& example, std::size_t fault,
                                                        std::uint64_t runs_struck,
                                                        const std::string& of_fault);

/// Of a scenario without faults that makes links or nodes slow: slower or quicker ones, or those of
/// the node that has the lock.
[[nodiscard]] std::vector<LikelyChange> changes_to_network(const scenario::Scenario& scenario);

/// Of one so slow that nobody gets the lock: one that is a little less slow, or calls that wait for
/// longer. Never a quick network, for the question is what a slow one does. `timeout_ns`: for how
/// long the lock's calls wait for an answer.
[[nodiscard]] std::vector<LikelyChange> changes_to_answers(const scenario::Scenario& scenario,
                                                           sim::DurationNs timeout_ns);

/// Of masters that vote: the same between its client and others, up to a majority.
[[nodiscard]] std::vector<LikelyChange> changes_to_majority(const scenario::Scenario& scenario,
                                                            std::size_t fault);

/// Of one that ends a master that does not have the lock: another one, which comes back. (To be the
/// last of all changes, as there is a table among its lines.)
[[nodiscard]] std::vector<LikelyChange> changes_to_master_and_back(
    const scenario::Scenario& scenario, std::size_t fault, const std::string& of_fault);

/// Of a network that a fault makes slow: calls that wait for longer, so that it may be slower
/// still.
[[nodiscard]] std::vector<LikelyChange> longer_patience(const scenario::Scenario& scenario,
                                                        sim::DurationNs timeout_ns);

}  // namespace lockstep::search
