// What else than a broken property makes a run of a search worth a look: a client model or a server
// script made a mistake, a bound of the scenario was passed, or it is unknown whether all
// properties held.
//
// Of each kind, and of each line of a client model or script that failed, the first run is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/fuzz/notable_run.h"

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model
namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::search {

enum class IncidentKind : std::uint8_t {
  client_failed,
  error_without_fault,  ///< a request of the lock failed though no fault struck: a bug of the lock
  script_failed,        ///< the same after a fault; both only where nothing is expected to break
  overlap,   ///< two believed for longer than the scenario's bound that they had the lock
  wait,      ///< a thread waited for longer than its bound
  requests,  ///< a client sent more requests in a second than its bound
  unknown,   ///< the run ended before a property that is asked about could be judged
};
inline constexpr std::size_t incident_kind_count =
    static_cast<std::size_t>(IncidentKind::unknown) + 1;

/// "client-failed", for files and programs.
[[nodiscard]] std::string_view to_string(IncidentKind kind);
[[nodiscard]] std::optional<IncidentKind> incident_from(std::string_view word);

struct Incident : NotableRun {
  IncidentKind kind{};
  std::string what;  ///< in words, without a full stop
};

/// What a run had of that, each with its words; most have nothing. The outcome is one of the
/// scenario, whose expectations are asked.
[[nodiscard]] std::vector<Incident> incidents_of(const ScenarioOutcome& outcome,
                                                 const model::RunResult& result);

/// Of the same kind, but for two mistakes in different lines.
[[nodiscard]] bool is_the_same(const Incident& one, const Incident& other);

/// Adds a later one: counted, where the same is there.
void add_incident(std::vector<Incident>& incidents, Incident later);

}  // namespace lockstep::search
