// Runs a lock in a simulated cluster and keeps the trace as lines, for tests to look at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "sim/trace.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
enum class VerdictKind : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::test {

struct TraceLine {
  sim::TimeNs at_ns;
  std::string actor;
  std::string kind;
  std::string fields;  ///< "label=acquire attempt=2"

  [[nodiscard]] bool has(std::string_view text) const {
    return fields.find(text) != std::string::npos;
  }
};

class LineSink final : public sim::TraceSink {
 public:
  void on_event(const sim::EventView& event) override;
  const std::vector<sim::Actor>* actors = nullptr;
  std::vector<TraceLine> lines;
};

/// A scenario of one Redis node, whose clients are written as "a: lock; write; unlock".
class LockRun {
 public:
  explicit LockRun(std::string lock);

  scenario::Scenario scenario;

  /// Adds a client with one thread for each text of steps ("lock lease=10s; write; unlock").
  scenario::ClientSpec& client(const std::string& name, const std::vector<std::string>& threads,
                               std::uint32_t rounds = 1);
  /// A fault at a milestone: "a acquired".
  scenario::FaultSpec& fault(scenario::FaultKind kind, const std::string& target);
  scenario::FaultSpec& message_fault(scenario::FaultKind kind, const std::string& label,
                                     std::uint32_t nth = 1);

  const model::RunResult& run(std::uint64_t seed = 1);
  [[nodiscard]] const std::vector<TraceLine>& lines() const { return sink_.lines; }
  /// The events of a kind, by an actor (empty: any) whose fields hold the text.
  [[nodiscard]] std::vector<TraceLine> find(std::string_view kind, std::string_view actor = {},
                                            std::string_view text = {}) const;
  [[nodiscard]] std::size_t count(std::string_view kind, std::string_view actor = {},
                                  std::string_view text = {}) const {
    return find(kind, actor, text).size();
  }
  /// "lock: ok", "unlock: fail" … of one thread, in order.
  [[nodiscard]] std::vector<std::string> steps_of(std::string_view actor) const;
  [[nodiscard]] checker::VerdictKind verdict(checker::Property property) const;
  [[nodiscard]] std::string text() const;

 private:
  std::unique_ptr<model::Engine> engine_;
  std::unique_ptr<model::Simulation> simulation_;
  LineSink sink_;
  const model::RunResult* result_ = nullptr;
};

/// The folder with the locks of this repository.
[[nodiscard]] std::string scripts_folder();

}  // namespace lockstep::test
