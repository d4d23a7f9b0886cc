// A trace sink that keeps each event as a line of text, for tests to read.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/trace.h"

namespace lockstep::sim::testing {

/// Keeps "at actor kind name=value …" for each event; the actor is "-" where there is none.
class RecordingSink final : public TraceSink {
 public:
  explicit RecordingSink(const Trace& trace) : trace_(trace) {}

  void on_event(const EventView& event) override {
    std::string line = std::to_string(event.at) + ' ';
    line += event.actor == no_actor ? "-" : trace_.actor(event.actor).name;
    line += ' ';
    line += event.kind;
    for (const Field& field : event.fields) {
      line += ' ';
      line += field.name;
      line += '=';
      if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
        line += std::to_string(*number);
      } else {
        line += std::get<std::string_view>(field.value);
      }
    }
    lines_.push_back(std::move(line));
  }

  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  /// The lines whose kind is the one given.
  [[nodiscard]] std::vector<std::string> lines_of(std::string_view kind) const {
    std::vector<std::string> found;
    for (const std::string& line : lines_) {
      const std::string padded = line + ' ';
      if (padded.find(' ' + std::string(kind) + ' ') != std::string::npos) found.push_back(line);
    }
    return found;
  }
  void clear() { lines_.clear(); }

 private:
  const Trace& trace_;
  std::vector<std::string> lines_;
};

}  // namespace lockstep::sim::testing
