#include "checker/recorded/history_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/recorded/function_names.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::string_view history_format = "lockstep-history";
constexpr std::int64_t history_version = 1;
constexpr std::int64_t ns_per_ms = 1'000'000;
/// What a text costs beside its characters: a string, a node of a hash map and its bucket.
constexpr std::uint64_t text_overhead_bytes = 112;

std::string_view without_colon(std::string_view word) {
  if (word.starts_with(':')) word.remove_prefix(1);
  return word;
}

[[noreturn]] void refuse_event(const Event& event, Field field, const std::string& message) {
  throw ReadError(event.place_of(field), message);
}

/// A value as a message shows it: short, and on one line.
std::string shown(std::string_view text) {
  constexpr std::size_t bytes_max = 40;
  std::string shortened(text.substr(0, bytes_max));
  while (text.size() > bytes_max && !shortened.empty() &&
         (static_cast<unsigned char>(shortened.back()) & 0x80U) != 0) {
    shortened.pop_back();
  }
  if (text.size() > bytes_max) shortened += "…";
  return shortened;
}

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

/// The two elements of a vector of two.
struct PairOfElements {
  std::string_view first;
  std::string_view second;
};
std::optional<PairOfElements> pair_in(std::string_view canonical) {
  Elements elements(canonical);
  const auto first = elements.next();
  const auto second = elements.next();
  if (!second || elements.next()) return std::nullopt;
  return PairOfElements{*first, *second};
}
std::optional<PairOfElements> pair_in(const Value& value) {
  return value.kind == ValueKind::vector ? pair_in(value.text) : std::nullopt;
}

/// Whether an invocation's value is a key and what the function takes.
bool looks_keyed(const Value& value, Function function) {
  const auto pair = pair_in(value);
  if (!pair) return false;
  if (function != Function::compare_and_set) return true;
  return pair->second.starts_with('[') && pair_in(pair->second).has_value();
}

/// A member of a value that is a map.
std::optional<Value> member_of(const Value& map, std::string_view name, std::string_view other) {
  Elements elements(map.text);
  for (auto member = elements.next(); member; member = elements.next()) {
    const auto value = elements.next();
    if (!value) break;
    const Value key = value_of_element(*member, map.place);
    const std::string_view word = without_colon(key.text);
    if (word == name || word == other) return value_of_element(*value, map.place);
  }
  return std::nullopt;
}

bool is_of_lock(Function function) {
  return function != Function::read && function != Function::write &&
         function != Function::compare_and_set && function != Function::append;
}

void require_whole(const Event& event, Field field, const Value& value) {
  if (value.kind == ValueKind::whole_number && value.number != no_number) return;
  refuse_event(
      event, field,
      fmt::format("expected a whole number as {}, not {}", name_of(field), shown(value.text)));
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
                             name_of(history_.operations[before].function),
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
                 fmt::format("{} completes the {} of line {}", name_of(function_of(event)),
                             name_of(operation.function), operation.invoked_line));
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

// -- values --

/// What the invocation's value says beside the key, which it gives to the operation.
const Value& HistoryBuilder::unkeyed_value(const Event& event, Operation& operation) {
  const Value& value = event.at(Field::value);
  const Value& key = event.at(Field::key);
  const bool may_be_keyed = !key.is_given() && options_.keyed != KeyedValues::never;
  const bool is_keyed = may_be_keyed && keys_ != KeysFound::nowhere &&
                        keys_ != KeysFound::in_field && looks_keyed(value, operation.function);
  const KeysFound found = key.is_given() ? KeysFound::in_field
                          : is_keyed     ? KeysFound::in_values
                                         : KeysFound::nowhere;
  if (options_.keyed == KeyedValues::always && found != KeysFound::in_values) {
    refuse_event(event, Field::value, "expected a value of two: a key and the operation's value");
  }
  if (keys_ == KeysFound::none_yet) keys_ = found;
  if (keys_ != found) {
    refuse_event(event, key.is_given() ? Field::key : Field::value,
                 keys_ == KeysFound::nowhere ? "a key, which the operations before have not"
                 : keys_ == KeysFound::in_field
                     ? "expected a key, as the operations before have one"
                     : "expected a value of two, a key and a value, as the operations before have");
  }
  if (found == KeysFound::in_field) operation.key = intern(key);
  if (found != KeysFound::in_values) return value;
  const auto pair = pair_in(value);
  operation.key = intern(value_of_element(pair->first, value.place));
  element_ = value_of_element(pair->second, value.place);
  return element_;
}

/// The same for the completion of an operation that took effect.
const Value& HistoryBuilder::unkeyed_result(const Event& event, const Operation& operation) {
  const Value& value = event.at(Field::value);
  if (keys_ != KeysFound::in_values || !value.is_given()) return value;
  const auto pair = pair_in(value);
  if (!pair) refuse_event(event, Field::value, "expected a value of two: a key and a value");
  const Value key = value_of_element(pair->first, value.place);
  if (key.text != history_.texts.text(operation.key)) {
    refuse_event(event, Field::value,
                 fmt::format("the key {} is not that of the invocation in line {}", shown(key.text),
                             operation.invoked_line));
  }
  element_ = value_of_element(pair->second, value.place);
  return element_;
}

void HistoryBuilder::take_arguments(const Event& event, const Value& value, Operation& operation) {
  if (is_of_lock(operation.function)) return take_lock_arguments(event, value, operation);
  if (operation.function == Function::read) return;
  if (operation.function == Function::compare_and_set) {
    const auto pair = pair_in(value);
    if (!pair) {
      refuse_event(event, Field::value,
                   "expected a value of two: what cas expects and its new one");
    }
    operation.argument = intern(value_of_element(pair->first, value.place));
    operation.second_argument = intern(value_of_element(pair->second, value.place));
    return;
  }
  if (value.kind == ValueKind::absent) {
    refuse_event(event, Field::value, fmt::format("{} has no value", name_of(operation.function)));
  }
  operation.argument = intern(value);
}

/// Of a lock, a semaphore or a latch.
void HistoryBuilder::take_lock_arguments(const Event& event, const Value& value,
                                         Operation& operation) {
  take_numbers(event, operation);
  if (!value.is_given()) return;
  if (value.kind == ValueKind::map) {
    const auto owner = member_of(value, "owner", "client");
    if (owner && owner->is_given() && !event.has(Field::owner)) operation.owner = intern(*owner);
    return;
  }
  const bool takes_number = operation.function == Function::acquire ||
                            operation.function == Function::release ||
                            operation.function == Function::set_count;
  const bool is_number = value.kind == ValueKind::whole_number && value.number >= 0;
  if (!takes_number || !is_number || operation.number != no_number) {
    refuse_event(event, Field::value,
                 fmt::format("expected no value of {}{}, not {} (a lock's name belongs into key)",
                             name_of(operation.function),
                             takes_number ? ", or how many in all" : "", shown(value.text)));
  }
  operation.number = value.number;
}

void HistoryBuilder::take_numbers(const Event& event, Operation& operation) {
  for (const Field field : {Field::permits, Field::count, Field::lease_ms, Field::lease_ns}) {
    const Value& value = event.at(field);
    if (!value.is_given()) continue;
    require_whole(event, field, value);
    const std::int64_t most = field == Field::lease_ms ? INT64_MAX / ns_per_ms : INT64_MAX;
    if (value.number < 0 || value.number > most) {
      refuse_event(event, field, fmt::format("expected {} from 0 to {}", name_of(field), most));
    }
    if (operation.number != no_number) {
      refuse_event(event, field,
                   fmt::format("expected only one of permits, count, lease_ms and lease_ns"));
    }
    operation.number = field == Field::lease_ms ? value.number * ns_per_ms : value.number;
  }
}

void HistoryBuilder::take_result(const Event& event, const Value& value, Operation& operation) {
  switch (operation.function) {
    case Function::read:
      if (value.kind == ValueKind::absent) {
        refuse_event(event, Field::value, "the read says no value; expected one, or null");
      }
      operation.result = intern(value);
      return;
    case Function::write:
    case Function::append:
    case Function::compare_and_set:
      return require_argument(event, value, operation);
    default:
      break;
  }
  std::optional<Value> token;
  if (event.at(Field::token).is_given()) token = event.at(Field::token);
  if (!token && value.kind == ValueKind::map) token = member_of(value, "token", "fence");
  const bool may_be_token =
      operation.function == Function::acquire && operation.number == no_number;
  if (!token && may_be_token && value.kind == ValueKind::whole_number) token = value;
  if (!token || !token->is_given()) return;
  require_whole(event, Field::token, *token);
  operation.token = token->number;
}

/// A completion that repeats the argument repeats it as it was.
void HistoryBuilder::require_argument(const Event& event, const Value& value,
                                      const Operation& operation) {
  if (!value.is_given()) return;
  const auto is_text = [&](std::string_view element, TextId id) {
    return value_of_element(element, value.place).text == history_.texts.text(id);
  };
  bool is_same = false;
  if (operation.function == Function::compare_and_set) {
    const auto pair = pair_in(value);
    is_same = pair && is_text(pair->first, operation.argument) &&
              is_text(pair->second, operation.second_argument);
  } else {
    is_same = value.text == history_.texts.text(operation.argument);
  }
  if (is_same) return;
  refuse_event(event, Field::value,
               fmt::format("the {} completes with {}, another value than its invocation's in line "
                           "{}; repeat that, or leave it out",
                           name_of(operation.function), shown(value.text), operation.invoked_line));
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
