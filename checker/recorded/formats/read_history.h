// Reads histories that were recorded elsewhere: JSON Lines, Jepsen's EDN, and Jepsen's log.
//
// Streams the file: what is in memory are the operations and their texts, never the file nor a
// line. docs/check.md describes the formats.
#pragma once

#include <array>
#include <cstdint>
#include <istream>
#include <optional>
#include <string_view>

#include "checker/recorded/formats/read_error.h"
#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

enum class InputFormat : std::uint8_t {
  json_lines,
  edn,
  jepsen_log,
  trace,  ///< of a simulated run: others read it (reports/trace/trace_history.h)
};
inline constexpr std::array<std::string_view, 4> input_format_names = {"jsonl", "edn", "jepsen-log",
                                                                       "trace"};
[[nodiscard]] constexpr std::string_view name_of(InputFormat format) {
  return input_format_names[static_cast<std::size_t>(format)];
}

/// Whether values are pairs of a key and a value, as Jepsen's `independent` makes them.
enum class KeyedValues : std::uint8_t {
  by_first,  ///< as the first operation's value is one or not
  always,
  never,
};

/// Whether times that go back are an error. The order of events is the file's in any case.
enum class EventTimes : std::uint8_t { used, ignored };

struct ReadOptions {
  std::optional<InputFormat> format;  ///< none: what the file looks like; never `trace`
  KeyedValues keyed = KeyedValues::by_first;
  EventTimes times = EventTimes::used;
  /// For operations and texts together.
  std::uint64_t memory_bytes_max = 4ULL << 30U;
};

/// A history, and what the reader made it of.
struct ReadResult {
  History history;
  InputFormat format = InputFormat::json_lines;
  std::uint64_t bytes = 0;
  std::uint64_t passed_over = 0;  ///< events of no client
  std::uint64_t left_out = 0;     ///< failed operations with an error
};

/// Throws ReadError where the stream holds no history, and HistoryTooLarge.
[[nodiscard]] ReadResult read_history(std::istream& stream, const ReadOptions& options = {});

}  // namespace lockstep::checker::recorded
