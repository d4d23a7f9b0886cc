#include "reports/trace/trace_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include "checker/history.h"
#include "model/trace_vocabulary.h"
#include "scenario/text/input_error.h"
#include "sim/time.h"

namespace lockstep::reports {
namespace {

namespace recorded = checker::recorded;
using recorded::Function;

/// Of the lines of choices before the events (trace_file_writer.cpp).
constexpr std::size_t choices_on_a_line = 1'000;

std::uint32_t line_of_first_event(const model::RecordedTrace& trace) {
  const std::size_t lines = (trace.choices.size() + choices_on_a_line - 1) / choices_on_a_line;
  return static_cast<std::uint32_t>(lines + 2);
}

enum class Sharing : std::uint8_t { none, readers_and_writers };

Function function_of(std::string_view kind, Sharing sharing) {
  const bool is_shared = sharing == Sharing::readers_and_writers;
  if (kind == "acquire-shared") return Function::read_acquire;
  if (kind == "release-shared") return Function::read_release;
  if (kind == "acquire") return is_shared ? Function::write_acquire : Function::acquire;
  if (kind == "release") return is_shared ? Function::write_release : Function::release;
  return kind == "force-release" ? Function::force_release : Function::renew;
}

recorded::Outcome outcome_from(std::string_view word) {
  return word == "ok"     ? recorded::Outcome::ok
         : word == "fail" ? recorded::Outcome::fail
                          : recorded::Outcome::info;
}

/// Fills a history with the events of a trace that are the lock service's.
class HistoryOfTrace {
 public:
  explicit HistoryOfTrace(const model::RecordedTrace& trace)
      : trace_(trace), line_(line_of_first_event(trace)) {
    const bool is_shared = std::any_of(
        trace.events.begin(), trace.events.end(),
        [](const model::RecordedEvent& each) { return each.text("kind").ends_with("-shared"); });
    if (is_shared) sharing_ = Sharing::readers_and_writers;
  }

  recorded::History history() {
    for (const model::RecordedEvent& event : trace_.events) {
      if (event.kind == model::trace_kind::service_invoked) invoke(event);
      if (event.kind == model::trace_kind::service_completed) complete(event);
      ++line_;
    }
    return std::move(history_);
  }

 private:
  void invoke(const model::RecordedEvent& event) {
    recorded::Operation operation;
    operation.function = function_of(event.text("kind"), sharing_);
    operation.process =
        history_.texts.intern(trace_.actors[static_cast<std::size_t>(event.actor)].name);
    operation.owner = operation.process;
    operation.key = history_.texts.intern(event.text("lock"));
    operation.invoked = history_.events++;
    operation.invoked_line = line_;
    operation.invoked_ns = event.at;
    const std::int64_t lease_ms = event.number("lease_ms");
    if (lease_ms > 0 && lease_ms <= INT64_MAX / sim::millisecond_ns) {
      operation.number = lease_ms * sim::millisecond_ns;
    }
    under_way_[event.number("operation")] = history_.operations.size();
    history_.operations.push_back(operation);
  }

  void complete(const model::RecordedEvent& event) {
    const auto found = under_way_.find(event.number("operation"));
    if (found == under_way_.end()) return;
    recorded::Operation& operation = history_.operations[found->second];
    under_way_.erase(found);
    operation.outcome = outcome_from(event.text("outcome"));
    operation.completed = history_.events++;
    operation.completed_line = line_;
    operation.completed_ns = event.at;
  }

  const model::RecordedTrace& trace_;
  recorded::History history_;
  std::map<std::int64_t, std::size_t> under_way_;  // by the operation's number in the trace
  std::uint32_t line_;
  Sharing sharing_ = Sharing::none;
};

}  // namespace

bool begins_as_trace(std::istream& stream) {
  constexpr std::string_view beginning = "{\"lockstep_trace\"";
  std::array<char, beginning.size()> bytes{};
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto count = static_cast<std::size_t>(stream.gcount());
  stream.clear();
  stream.seekg(0);
  return std::string_view(bytes.data(), count) == beginning;
}

recorded::History history_of(const model::RecordedTrace& trace) {
  return HistoryOfTrace(trace).history();
}

recorded::ReadResult history_of(const TraceFile& file) {
  recorded::ReadResult result;
  result.format = recorded::InputFormat::trace;
  result.history = history_of(file.example.trace);
  if (!result.history.operations.empty()) return result;
  throw scenario::InputError::about(file.path, "the run has no operation on a lock");
}

}  // namespace lockstep::reports
