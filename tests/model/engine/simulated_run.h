// Runs a scenario given as text once, with its trace, for tests of the simulated cluster.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::model {
class Engine;
class Simulation;
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::model::test {

class SimulatedRun {
 public:
  explicit SimulatedRun(std::string_view text, std::uint64_t seed = 1);
  SimulatedRun(const SimulatedRun&) = delete;
  SimulatedRun& operator=(const SimulatedRun&) = delete;
  ~SimulatedRun();

  [[nodiscard]] const RunResult& result() const { return *result_; }
  [[nodiscard]] const RecordedTrace& trace() const { return trace_; }

  /// The events of one kind, of one actor (empty: of any).
  [[nodiscard]] std::vector<const RecordedEvent*> events(std::string_view kind,
                                                         std::string_view actor = {}) const;

  /// When they happened.
  [[nodiscard]] std::vector<sim::TimeNs> times_of(std::string_view kind,
                                                  std::string_view actor = {}) const;

  [[nodiscard]] std::string_view actor_name(const RecordedEvent& event) const;

  [[nodiscard]] const checker::Verdict& verdict(checker::Property property) const;
  [[nodiscard]] bool violates(checker::Property property) const;

 private:
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Simulation> simulation_;
  RecordedTrace trace_;
  const RunResult* result_ = nullptr;
};

}  // namespace lockstep::model::test
