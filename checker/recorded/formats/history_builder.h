// Makes operations of events: pairs invocations with completions and refuses what is no history.
//
// A history keeps to these rules, whatever its format: a process has at most one operation under
// way; a completion is of the operation that its process began last; times, where there are some,
// never go back. After `info` a thread may go on under its old process or under a new one, with its
// old owner. Events of processes that aren't clients (:nemesis) are passed over.
//
// A failed operation that has an `error` is left out: it failed for another reason than the
// object's state (no connection, say), so it is no observation either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/recorded/formats/event.h"
#include "checker/recorded/formats/read_history.h"
#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

class HistoryBuilder {
 public:
  explicit HistoryBuilder(const ReadOptions& options) : options_(options) {}

  /// Throws ReadError at the event's place, and HistoryTooLarge.
  void add(const Event& event);
  /// The operations of all events. The builder is spent.
  [[nodiscard]] History finish();

  [[nodiscard]] std::uint64_t passed_over() const { return passed_over_; }
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

 private:
  enum class KeysFound : std::uint8_t { none_yet, nowhere, in_field, in_values };
  static constexpr std::uint32_t nothing_under_way = UINT32_MAX;

  void invoke(const Event& event, TextId process);
  void complete(const Event& event, TextId process, Outcome outcome);
  void require_same(const Event& event, const Operation& operation);
  void take_time(const Event& event, std::int64_t& time_ns);
  std::uint32_t take_position(const Event& event);

  const Value& unkeyed_value(const Event& event, Operation& operation);
  const Value& unkeyed_result(const Event& event, const Operation& operation);
  void take_arguments(const Event& event, const Value& value, Operation& operation);
  void take_lock_arguments(const Event& event, const Value& value, Operation& operation);
  void take_numbers(const Event& event, Operation& operation);
  void take_result(const Event& event, const Value& value, Operation& operation);
  void require_argument(const Event& event, const Value& value, const Operation& operation);

  TextId intern(std::string_view text);
  TextId intern(const Value& value);
  std::uint32_t& under_way(TextId process);

  ReadOptions options_;
  History history_;
  std::vector<std::uint32_t> under_way_;  // by process: the index of its operation
  std::uint64_t texts_bytes_ = 0;
  std::uint64_t passed_over_ = 0;
  std::uint64_t left_out_ = 0;
  std::int64_t last_time_ns_ = no_number;
  KeysFound keys_ = KeysFound::none_yet;
  Value element_;  // of a value that is a key and a value
};

}  // namespace lockstep::checker::recorded
