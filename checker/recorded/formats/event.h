// One event of a history as a file tells it, before anything is made of it.
//
// The readers of all formats fill it; history_builder.h makes operations of it. A value is kept as
// its canonical text, so that JSON's and EDN's are compared alike: a string at the top is its
// characters, null and nil are "nil", and a collection is written as EDN, its elements with single
// spaces between.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "checker/recorded/formats/read_error.h"

namespace lockstep::checker::recorded {

enum class ValueKind : std::uint8_t {
  absent,
  nil,
  whole_number,  ///< of 64 bits; also in `number`
  other_number,
  text,  ///< a string, a keyword (with its colon), a symbol, a truth value
  vector,
  map,
  set,  ///< or a number that has no digits, such as ##Inf
};

struct Value {
  ValueKind kind = ValueKind::absent;
  std::string text;
  std::int64_t number = 0;
  FilePlace place;

  [[nodiscard]] bool is_given() const {
    return kind != ValueKind::absent && kind != ValueKind::nil;
  }
};

/// The fields of an event that mean something; all others are passed over.
enum class Field : std::uint8_t {
  process,
  type,
  function,
  value,
  owner,
  key,
  time,
  token,
  permits,
  count,
  lease_ms,
  lease_ns,
  error,
  format,
  version,
};
inline constexpr std::size_t field_count = static_cast<std::size_t>(Field::version) + 1;

/// The field of this name; :fence and "token" are the same.
[[nodiscard]] std::optional<Field> field_named(std::string_view name);
/// What the field is called in messages.
[[nodiscard]] std::string_view name_of(Field field);

class Event {
 public:
  [[nodiscard]] const Value& at(Field field) const {
    return values_[static_cast<std::size_t>(field)];
  }
  /// Of a field that begins here. REQUIRES: it is absent.
  Value& give(Field field, FilePlace place) {
    given_ |= 1U << static_cast<unsigned>(field);
    Value& value = values_[static_cast<std::size_t>(field)];
    value.place = place;
    return value;
  }
  [[nodiscard]] bool has(Field field) const {
    return (given_ >> static_cast<unsigned>(field) & 1U) != 0;
  }
  void begin(FilePlace place);
  [[nodiscard]] FilePlace place() const { return place_; }
  /// The field's place if it is there, else the event's.
  [[nodiscard]] FilePlace place_of(Field field) const {
    return has(field) ? at(field).place : place_;
  }

 private:
  std::array<Value, field_count> values_;
  std::uint32_t given_ = 0;
  FilePlace place_;
};

/// A number's kind: none where the token is no decimal number that 64 bits hold, whole or not.
[[nodiscard]] std::optional<ValueKind> kind_of_number(std::string_view token, std::int64_t& number);

/// Appends a string as canonical text has it inside of collections: in quotes.
void append_quoted(std::string& text, std::string_view characters);

/// The elements of a collection's canonical text, one after the other.
class Elements {
 public:
  /// REQUIRES: the canonical text of a vector or map.
  explicit Elements(std::string_view canonical)
      : rest_(canonical.substr(1, canonical.size() - 2)) {}
  /// The next element's canonical text; none after the last.
  std::optional<std::string_view> next();

 private:
  std::string_view rest_;
};

/// An element as a value of its own, which stands at the given place.
[[nodiscard]] Value value_of_element(std::string_view element, FilePlace place);

/// Keywords and strings are the same here.
[[nodiscard]] std::string_view without_colon(std::string_view word);

/// Throws ReadError at the field, or at the event if it hasn't got that.
[[noreturn]] void refuse_event(const Event& event, Field field, const std::string& message);

/// A value as a message shows it: short.
[[nodiscard]] std::string shown(std::string_view text);

/// Throws where the value isn't a whole number.
void require_whole(const Event& event, Field field, const Value& value);

}  // namespace lockstep::checker::recorded
