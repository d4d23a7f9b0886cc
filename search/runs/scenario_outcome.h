// The outcome of many runs of a scenario: what each property came to, and whether the scenario met
// its expectations.
//
// In a closed scenario `violates` means in every run, `holds` means in every run. A fault that is
// written in the file must strike in at least one run: otherwise the expectation was met by nothing
// happening, and the scenario is not as expected. The same goes for what it expects sometimes; what
// it sets bounds to must stay within them in every run.
//
// Where the scenario leaves its faults open, each run draws its own, and `violates` means in at
// least one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/observers/takeovers.h"
#include "search/runs/moved_faults.h"
#include "search/runs/run_record.h"
#include "sim/boxed.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Measures;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

enum class OutcomeKind : std::uint8_t { as_expected, not_as_expected, unknown };
[[nodiscard]] std::string_view to_string(OutcomeKind kind);

/// What the scenario expects of a property.
enum class Expected : std::uint8_t { nothing, holds, violated };

struct PropertySummary {
  checker::Property property;
  Expected expected = Expected::nothing;
  std::uint64_t held = 0;
  std::uint64_t violated = 0;
  std::uint64_t unknown = 0;
  std::uint64_t could_break = 0;      ///< in how many runs what it forbids could have happened
  std::uint64_t put_to_the_test = 0;  ///< of these, in how many a fault mattered, if there are any
  std::uint64_t first_violating_seed = 0;  ///< meaningful where violated > 0
  std::uint64_t first_holding_seed = 0;    ///< meaningful where held > 0
};

struct ProbeSummary {
  std::string fault;  ///< "pause a for 15s when a acquired"
  std::uint64_t runs_struck = 0;
  std::uint64_t runs_mattered = 0;  ///< of these, in how many a strike mattered
};

/// A kind of fault among those that runs drew.
struct DrawnKindSummary {
  scenario::FaultKind kind;
  std::uint64_t drawn = 0;     ///< in all runs
  std::uint64_t struck = 0;    ///< of these, how many struck
  std::uint64_t mattered = 0;  ///< of these, how many mattered
};

/// What became of held locks when other data began to count (model/observers/takeovers.h).
struct TakeoverSummary {
  model::TakeoverKind kind;
  std::uint64_t runs = 0;         ///< in how many it happened
  std::uint64_t runs_held = 0;    ///< … with a lock that was held
  std::uint64_t runs_lacked = 0;  ///< … which the data that counted then lacked
};

/// What was expected to hold and is unknown, since nothing put it to the test (untested.h).
struct Untested {
  checker::Property property;
  std::string why;     ///< one sentence
  std::string change;  ///< lines of a scenario file that would change it; empty: none is known
};

/// Runs in which a client model, or a server script of the lock, made a mistake of its own.
struct FailureSummary {
  std::uint64_t runs = 0;
  std::uint64_t first_seed = 0;  ///< meaningful where runs > 0
  std::string first;             ///< "a/1: plain/client.lua:12: …"
};

/// What was expected to happen sometimes.
struct SometimesSummary {
  std::string what;  ///< "b acquired while a believes"
  std::uint64_t runs_seen = 0;
};

enum class BoundKind : std::uint8_t {
  overlap,   ///< for how long two believed at once that they had the lock
  wait,      ///< for how long a thread waited for it
  requests,  ///< how many a client sent in a second
};

/// A bound, and what was measured: ns, or requests in a second.
struct BoundSummary {
  BoundKind kind = BoundKind::overlap;
  std::int64_t at_most = 0;
  std::int64_t most = 0;  ///< never_ns: for ever
  std::uint64_t most_seed = 0;
  std::uint64_t runs_over = 0;
  std::uint64_t first_seed_over = 0;  ///< meaningful where runs_over > 0

  /// The key of a scenario file that sets it: "overlap_at_most".
  [[nodiscard]] std::string_view name() const;
  /// As the file says it: "5s", "20".
  [[nodiscard]] std::string limit() const;
  /// What was measured: "5,001.5 ms", "for ever", "1523".
  [[nodiscard]] std::string measured() const;
  /// "overlap_at_most is 5s, but two believed at once that they had the lock for longer".
  [[nodiscard]] std::string complaint() const;
  [[nodiscard]] bool is_duration() const { return kind != BoundKind::requests; }
};
/// What a run had of that. REQUIRES: the scenario sets bounds.
[[nodiscard]] std::int64_t measure_of(BoundKind kind, const checker::Measures& measures);

/// The faults and wrong clocks without any one of which a property does not break, and which do
/// alone (needed_faults.h).
struct NeededFaults {
  checker::Property property;
  std::vector<std::size_t> faults;       ///< numbers in the example's faults
  std::vector<std::size_t> clocks = {};  ///< numbers in the example's wrong clocks
  /// Of each of these faults, in their order: with it moved in time, beside the others.
  std::vector<MovedFault> moved = {};
};

/// How a complaint begins of a property that was to hold and broke.
[[nodiscard]] std::string expected_to_hold(checker::Property property);

/// How runs are numbered: by seed, or by their place in a search.
enum class RunNumbering : std::uint8_t { seeds, places };

struct ScenarioOutcome {
  // Not here, where a scenario is only declared.
  ScenarioOutcome();
  ScenarioOutcome(const ScenarioOutcome&);
  ScenarioOutcome(ScenarioOutcome&&) noexcept;
  ScenarioOutcome& operator=(const ScenarioOutcome&);
  ScenarioOutcome& operator=(ScenarioOutcome&&) noexcept;
  ~ScenarioOutcome();

  sim::Boxed<scenario::Scenario> scenario;
  RunNumbering numbers = RunNumbering::seeds;
  OutcomeKind kind = OutcomeKind::unknown;
  std::uint64_t runs = 0;
  bool interrupted = false;
  std::vector<PropertySummary> properties;
  std::vector<ProbeSummary> probes;
  std::vector<DrawnKindSummary> drawn_kinds;  ///< where faults are left open
  std::vector<TakeoverSummary> takeovers;     ///< in the order of the kinds
  std::vector<Untested> untested;
  std::vector<SometimesSummary> sometimes;
  std::vector<BoundSummary> bounds;
  sim::DurationNs longest_lease_ns = 0;  ///< that a lock was given in any run
  FailureSummary client_failures;
  FailureSummary script_failures;
  std::uint64_t runs_out_of_time = 0;    ///< ended by the scenario's horizon
  std::uint64_t runs_out_of_events = 0;  ///< ended by the scenario's event limit
  /// With this horizon one of the former comes to rest; 0: none was found, or looked for.
  sim::DurationNs later_horizon_ns = 0;

  /// As the file would say that; empty: there is none.
  [[nodiscard]] std::string later_horizon() const;
  /// What happened instead of what was expected, one sentence each. Empty where as expected.
  std::vector<std::string> complaints;
  /// The first run that shows what matters: the complaint, else a violation, also of a property
  /// that the scenario does not mention.
  RunRecord example;
  /// What each violation of the example needs, in the order of its verdicts; empty where nothing
  /// broke, without faults and wrong clocks, and where nobody asked.
  std::vector<NeededFaults> needed;
};

/// The example's verdicts as they are told: first what was expected to hold and broke, then what
/// broke as expected, then all that nobody asked for; each in the order of the example.
[[nodiscard]] std::vector<checker::Verdict> verdicts_as_told(const ScenarioOutcome& outcome);

}  // namespace lockstep::search
