// The values of events: keys in them, arguments, results. What each may be docs/check.md says.
#include <fmt/format.h>

#include "checker/recorded/formats/event.h"
#include "checker/recorded/formats/function_names.h"
#include "checker/recorded/formats/history_builder.h"

namespace lockstep::checker::recorded {
namespace {

constexpr std::int64_t ns_per_ms = 1'000'000;

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

}  // namespace

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
    refuse_event(event, Field::value,
                 fmt::format("{} has no value", to_string(operation.function)));
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
                             to_string(operation.function),
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
    case Function::acquire:
    case Function::release:
    case Function::renew:
    case Function::force_release:
    case Function::read_acquire:
    case Function::read_release:
    case Function::write_acquire:
    case Function::write_release:
    case Function::set_count:
    case Function::count_down:
    case Function::await:
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
  refuse_event(
      event, Field::value,
      fmt::format("the {} completes with {}, another value than its invocation's in line "
                  "{}; repeat that, or leave it out",
                  to_string(operation.function), shown(value.text), operation.invoked_line));
}

}  // namespace lockstep::checker::recorded
