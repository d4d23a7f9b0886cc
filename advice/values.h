// What a value of a program is known to be, without running it.
//
// A value is a symbol: a literal, an argument, the reply of one call. Two that are spelt alike are
// the same value, so values are kept once and known by number. What follows from a value's being
// true or false is kept with it, so that a comparison counts also where its result lies in a
// variable first.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/lua_ast.h"

namespace lockstep::advice {

/// What is known of a key on some path.
struct Fact {
  enum class Kind : std::uint8_t {
    compared,     ///< the owner that it shows is the caller
    exists,       ///< the key is there
    absent,       ///< it is not
    not_written,  ///< the last conditional write did not happen
  };
  Kind kind;
  std::string key;

  friend auto operator<=>(const Fact&, const Fact&) = default;
};
using Facts = std::vector<Fact>;

/// The reply of a command, as far as comparisons with it tell something.
struct ReplyOf {
  std::string command;        ///< lower case
  std::string key;            ///< its first key's symbol
  bool has_argument = false;  ///< a member or field that comes from the caller
  bool is_decrement = false;  ///< HINCRBY by a negative number
};

using ValueNumber = std::uint32_t;

struct Value {
  enum class Kind : std::uint8_t { unknown, literal, nil, boolean, function, table, global };
  Kind kind = Kind::unknown;
  std::string symbol;  ///< spelt alike: the same value; of a global its path ("redis.call")
  std::string text;    ///< of a literal, what it says; otherwise with `?` for what is unknown
  std::optional<bool> truth;           ///< whether it counts as true, where that is certain
  bool is_number = false;              ///< a literal that is one
  bool from_keys = false;              ///< KEYS has a part in it
  bool from_reply = false;             ///< a reply has a part in it
  bool from_arguments = false;         ///< ARGV has, or whatever the caller may have passed
  std::vector<std::string> read_from;  ///< keys that it was read from
  std::optional<ReplyOf> reply;
  Facts when_true;
  Facts when_false;
  std::optional<ValueNumber> negates;
  FunctionId function = 0;
  std::vector<ValueNumber> items;  ///< of a table: 1, 2, …
  std::map<std::string, ValueNumber> fields;
};

/// All values of a walk.
class Values {
 public:
  Values();

  [[nodiscard]] const Value& operator[](ValueNumber number) const { return values_[number]; }
  /// The value of this symbol; `value` where it is new.
  ValueNumber intern(Value value);

  [[nodiscard]] ValueNumber nil() const { return nil_; }
  [[nodiscard]] ValueNumber boolean(bool truth) const { return truth ? true_ : false_; }
  ValueNumber text(std::string_view text);
  ValueNumber number(std::string_view spelling);
  ValueNumber function(FunctionId function);
  ValueNumber table(std::vector<ValueNumber> items, std::map<std::string, ValueNumber> fields);
  ValueNumber global(std::string_view path);
  /// Something about which nothing is known but what it was made from.
  ValueNumber made_from(std::string_view symbol, const std::vector<ValueNumber>& parts);
  ValueNumber negation(ValueNumber operand);
  ValueNumber concatenation(ValueNumber left, ValueNumber right);
  ValueNumber comparison(std::string_view operator_text, ValueNumber left, ValueNumber right);

 private:
  std::deque<Value> values_;
  std::map<std::string, ValueNumber> numbers_;
  ValueNumber nil_ = 0;
  ValueNumber true_ = 0;
  ValueNumber false_ = 0;
};

}  // namespace lockstep::advice
