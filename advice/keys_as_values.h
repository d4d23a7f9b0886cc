// Which elements of KEYS a script uses as values only: as a hash's field, a list's element, what it
// compares with what was read.
//
// Only elements by number. Where KEYS is used as a whole (a loop, unpack), nothing is said.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "advice/key_effects.h"
#include "advice/values.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

class KeysAsValues {
 public:
  /// `call`: nothing if the command's name is not certain; then each word may be a key.
  void look_at(const Values& values, const CommandCall& call);
  void look_at_unknown(const Values& values, const std::vector<ValueNumber>& words);
  void look_at_comparison(const Value& left, const Value& right, const lua::Place& place);

  struct Use {
    std::string element;  ///< "KEYS[2]"
    std::string how;      ///< "HEXISTS takes it as a value"
    lua::Place place;
  };
  /// The first use of each element that is never a key.
  [[nodiscard]] std::vector<Use> found() const;

 private:
  void add_key(const Value& value);
  void add_value(const Value& value, std::string how, const lua::Place& place);

  std::map<std::string, Use, std::less<>> values_;  // by element
  std::set<std::string, std::less<>> keys_;
  bool is_whole_ = false;
};

}  // namespace lockstep::advice
