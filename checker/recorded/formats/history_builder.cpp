#include "checker/recorded/formats/history_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/recorded/formats/event.h"
#include "checker/recorded/formats/function_names.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::string_view history_format = "lockstep-history";
constexpr std::int64_t history_version = 1;
/// What a text costs beside its characters: a string, a node of a hash map and its bucket.
constexpr std::uint64_t text_overhead_bytes = 112;

/// Nothing where the event begins an operation.
std::optional<Outcome> outcome_of(const Event& event) {
  const std::string_view type = without_colon(event.at(Field::type).text);
  if (type == "invoke") return std::nullopt;
  if (type == "ok") return Outcome::ok;
  if (type == "fail") return Outcome::fail;
  if (type == "info") return Outcome::info;
  if (!event.has(Field::type)) {
    refuse_event(event, Field::type, "the event has no type; expected invoke, ok, fail or info");
  }
  refuse_event(event, Field::type,
               fmt::format("expected the type invoke, ok, fail or info, not {}", shown(type)));
}

Function function_of(const Event& event) {
  const std::string_view name = without_colon(event.at(Field::function).text);
  if (const auto function = function_named(name)) return *function;
  if (!event.has(Field::function)) {
    refuse_event(event, Field::function, "the event has no f; expected the operation's name");
  }
  refuse_event(
      event, Field::function,
      fmt::format("there is no operation {}; there are {}", shown(name), all_function_names()));
}

bool is_nemesis(const Event& event) {
  return without_colon(event.at(Field::process).text) == "nemesis";
}

bool is_header(const Event& event) {
  return event.has(Field::format) && !event.has(Field::type) && !event.has(Field::process);
}

void require_known_format(const Event& event) {
  const Value& format = event.at(Field::format);
  if (format.text != history_format) {
    refuse_event(event, Field::format,
                 fmt::format("expected the format {}, not {}", history_format, shown(format.text)));
  }
  const Value& version = event.at(Field::version);
  if (version.kind != ValueKind::whole_number || version.number != history_version) {
    refuse_event(event, Field::version, fmt::format("expected version {}", history_version));
  }
}

}  // namespace

// -- events --

void HistoryBuilder::add(const Event& event) {
  if (is_header(event)) return require_known_format(event);
  if (is_nemesis(event)) {
    ++passed_over_;
    return;
  }
  const Value& process = event.at(Field::process);
  if (!process.is_given()) {
    refuse_event(event, Field::process, "the event has no process; expected a number or a name");
  }
  const TextId id = intern(process);
  const auto outcome = outcome_of(event);
  if (outcome) {
    complete(event, id, *outcome);
  } else {
    invoke(event, id);
  }
}

void HistoryBuilder::invoke(const Event& event, TextId process) {
  const std::uint32_t before = under_way(process);
  if (before != nothing_under_way) {
    refuse_event(event, Field::process,
                 fmt::format("process {} begins an operation while its {} of line {} is under way",
                             shown(history_.texts.text(process)),
                             to_string(history_.operations[before].function),
                             history_.operations[before].invoked_line));
  }
  Operation operation;
  operation.function = function_of(event);
  operation.process = process;
  const Value& owner = event.at(Field::owner);
  operation.owner = owner.is_given() ? intern(owner) : process;
  operation.invoked_line = static_cast<std::uint32_t>(event.place().line);
  operation.invoked = take_position(event);
  take_time(event, operation.invoked_ns);
  const Value& value = unkeyed_value(event, operation);
  take_arguments(event, value, operation);
  under_way(process) = static_cast<std::uint32_t>(history_.operations.size());
  history_.operations.push_back(operation);
}

void HistoryBuilder::complete(const Event& event, TextId process, Outcome outcome) {
  const std::uint32_t index = std::exchange(under_way(process), nothing_under_way);
  if (index == nothing_under_way) {
    refuse_event(event, Field::process,
                 fmt::format("process {} completes an operation, and has none under way",
                             shown(history_.texts.text(process))));
  }
  Operation& operation = history_.operations[index];
  require_same(event, operation);
  operation.outcome = outcome;
  operation.completed_line = static_cast<std::uint32_t>(event.place().line);
  operation.completed = take_position(event);
  take_time(event, operation.completed_ns);
  if (outcome == Outcome::ok) take_result(event, unkeyed_result(event, operation), operation);
  if (outcome == Outcome::fail && event.at(Field::error).is_given()) {
    operation.process = no_text;
    ++left_out_;
  }
}

/// What a completion repeats must be what the invocation said.
void HistoryBuilder::require_same(const Event& event, const Operation& operation) {
  if (event.has(Field::function) && function_of(event) != operation.function) {
    refuse_event(event, Field::function,
                 fmt::format("{} completes the {} of line {}", to_string(function_of(event)),
                             to_string(operation.function), operation.invoked_line));
  }
  for (const auto& [field, expected] :
       {std::pair(Field::owner, operation.owner), std::pair(Field::key, operation.key)}) {
    const Value& value = event.at(field);
    if (!value.is_given() || (expected != no_text && value.text == history_.texts.text(expected))) {
      continue;
    }
    refuse_event(event, field,
                 fmt::format("the {} {} is not that of the invocation in line {}", name_of(field),
                             shown(value.text), operation.invoked_line));
  }
}

void HistoryBuilder::take_time(const Event& event, std::int64_t& time_ns) {
  const Value& time = event.at(Field::time);
  if (options_.times == EventTimes::ignored || !time.is_given()) return;
  require_whole(event, Field::time, time);
  if (time.number < last_time_ns_) {
    refuse_event(event, Field::time,
                 fmt::format("time goes back, from {} to {}; events stand in the order in which "
                             "they happened (--ignore-times takes the file's order for it)",
                             last_time_ns_, time.number));
  }
  last_time_ns_ = time.number;
  time_ns = time.number;
}

std::uint32_t HistoryBuilder::take_position(const Event& event) {
  if (history_.events == never_completed - 1) {
    refuse_event(event, Field::process, "more events than positions have numbers");
  }
  return history_.events++;
}

// -- memory --

TextId HistoryBuilder::intern(std::string_view text) {
  const std::size_t before = history_.texts.size();
  const TextId id = history_.texts.intern(text);
  if (history_.texts.size() > before) texts_bytes_ += text.size() + text_overhead_bytes;
  const std::uint64_t bytes = texts_bytes_ + under_way_.capacity() * sizeof(std::uint32_t) +
                              history_.operations.capacity() * sizeof(Operation);
  if (bytes > options_.memory_bytes_max) {
    throw HistoryTooLarge(
        fmt::format("the history's {} operations and {} texts need more memory "
                    "than {} bytes",
                    history_.operations.size(), history_.texts.size(), options_.memory_bytes_max));
  }
  return id;
}

TextId HistoryBuilder::intern(const Value& value) {
  if (value.kind == ValueKind::set && value.text == "##NaN") {
    throw ReadError(value.place, "expected a value that equals itself, not NaN");
  }
  return intern(value.kind == ValueKind::nil ? std::string_view("nil") : value.text);
}

std::uint32_t& HistoryBuilder::under_way(TextId process) {
  const auto index = static_cast<std::size_t>(process);
  if (index >= under_way_.size()) under_way_.resize(index + 1, nothing_under_way);
  return under_way_[index];
}

History HistoryBuilder::finish() {
  if (left_out_ > 0) {
    const auto is_left_out = [](const Operation& operation) {
      return operation.process == no_text;
    };
    auto& operations = history_.operations;
    operations.erase(std::remove_if(operations.begin(), operations.end(), is_left_out),
                     operations.end());
  }
  return std::move(history_);
}

}  // namespace lockstep::checker::recorded
