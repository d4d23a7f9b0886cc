// Symbolic values of a program.
//
// A value is a symbol: a literal, an argument, the reply of one call. Values spelt alike are the
// same value, so each is stored once and has a number. A value carries the facts that follow from
// its being true or false, so a comparison also counts if its result is kept in a variable first.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::advice {

/// A fact about a key on some path.
struct Fact {
  enum class Kind : std::uint8_t {
    compared,     ///< the owner in it is the caller
    exists,       ///< the key exists
    absent,       ///< it does not exist
    not_written,  ///< the last conditional write did not happen
    leased,       ///< if it exists, it has a TTL
  };
  Kind kind;
  std::string key;

  friend auto operator<=>(const Fact&, const Fact&) = default;
};
using Facts = std::vector<Fact>;

/// The reply of a command, as far as comparisons with it yield facts.
struct ReplyOf {
  std::string command;        ///< lower case
  std::string key;            ///< its first key's symbol
  bool has_argument = false;  ///< a member or field given by the caller
  bool is_decrement = false;  ///< HINCRBY by a negative number
};

using ValueNumber = std::uint32_t;

struct Value {
  enum class Kind : std::uint8_t { unknown, literal, nil, boolean, function, table, global };
  Kind kind = Kind::unknown;
  std::string symbol;           ///< identifies the value; of a global its path ("redis.call")
  std::string text;             ///< of a literal its value; otherwise with `?` for unknown parts
  std::optional<bool> truth;    ///< whether it counts as true, if certain
  bool is_number = false;       ///< a number literal
  bool from_keys = false;       ///< depends on KEYS
  bool from_reply = false;      ///< depends on a reply
  bool from_arguments = false;  ///< depends on ARGV or other input from the caller
  std::vector<std::string> read_from;  ///< keys that it was read from
  std::optional<ReplyOf> reply;
  Facts when_true;
  Facts when_false;
  std::optional<ValueNumber> negates;
  lua::FunctionId function = 0;
  std::vector<ValueNumber> items;  ///< of a table: 1, 2, …
  std::map<std::string, ValueNumber> fields;
};

/// All values of one execution.
class Values {
 public:
  Values();

  [[nodiscard]] const Value& operator[](ValueNumber number) const { return values_[number]; }
  /// Returns the value with this symbol; adds `value` if the symbol is new.
  ValueNumber intern(Value value);

  [[nodiscard]] ValueNumber nil() const { return nil_; }
  [[nodiscard]] ValueNumber boolean(bool truth) const { return truth ? true_ : false_; }
  ValueNumber text(std::string_view text);
  ValueNumber number(std::string_view spelling);
  ValueNumber function(lua::FunctionId function);
  ValueNumber table(std::vector<ValueNumber> items, std::map<std::string, ValueNumber> fields);
  ValueNumber global(std::string_view path);
  /// A value of which only the parts are known.
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
