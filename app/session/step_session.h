// A session of lockstep step: the current event, and the answer to each command.
//
// A command is a line. The session reads no input itself, so a terminal, a pipe and an option can
// feed it alike.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/states/event_words.h"
#include "reports/states/states.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"

namespace lockstep::model {
class Engine;
}

namespace lockstep::app {

/// The run to step through; the scenario's faults are the run's.
struct SteppedRun {
  scenario::Scenario scenario;
  search::RunRecord example;
  reports::States states;
};

class StepSession {
 public:
  /// Does not own the engine.
  StepSession(SteppedRun run, model::Engine& engine);

  enum class Reply : std::uint8_t { done, not_understood, quit };
  struct Answer {
    Reply reply = Reply::done;
    std::string text;  ///< lines, each with a line feed
  };
  [[nodiscard]] Answer answer(std::string_view line);

  /// The run, what broke, and the current event.
  [[nodiscard]] std::string greeting() const;
  [[nodiscard]] std::string prompt() const;

 private:
  using Words = std::vector<std::string>;
  using Handler = Answer (StepSession::*)(const Words&);
  struct Form {
    std::string_view word;
    std::string_view letter;  ///< its short form; empty: none
    std::string_view arguments;
    std::string_view summary;
    Handler handler;
  };
  [[nodiscard]] static const std::vector<Form>& forms();

  Answer next(const Words& words);
  Answer back(const Words& words);
  Answer go(const Words& words);
  Answer first(const Words& words);
  Answer last(const Words& words);
  Answer violation(const Words& words);
  Answer actor(const Words& words);
  Answer find(const Words& words);
  Answer state(const Words& words);
  Answer clocks(const Words& words);
  Answer where(const Words& words);
  Answer faults(const Words& words);
  Answer without(const Words& words);
  Answer help(const Words& words);
  Answer quit(const Words& words);

  [[nodiscard]] std::size_t event_count() const { return run_.example.trace.events.size(); }
  [[nodiscard]] Answer stand_at(reports::EventIndex event);
  [[nodiscard]] std::string event_line(reports::EventIndex event) const;
  [[nodiscard]] std::string event_and_changes(reports::EventIndex event) const;
  [[nodiscard]] std::string state_line(const reports::StateLine& line) const;
  [[nodiscard]] std::vector<std::string> subjects() const;
  [[nodiscard]] Answer refuse(std::string_view why) const;
  /// "next 3" → 3; nothing if it is no number from 1 on.
  [[nodiscard]] static std::optional<std::uint64_t> count_from(const Words& words);
  [[nodiscard]] std::string run_without(std::size_t fault);

  SteppedRun run_;
  model::Engine& engine_;
  reports::EventWords words_;
  reports::EventIndex at_ = 0;
};

}  // namespace lockstep::app
