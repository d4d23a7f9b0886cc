// Which keys of a lone script hold a number of something: a counter, permits, a latch's count. They
// stay for good and belong to nobody, so what is asked of a lock's key is not asked of them.
//
// A key counts as one where the script counts it (INCR), reckons with what it read from it, keeps
// the largest (a fencing token's), or tells others of the number that it set; or where the script's
// name says so.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "advice/key_effects.h"
#include "advice/paths.h"
#include "advice/values.h"

namespace lockstep::advice {

class NumbersOfKeys {
 public:
  /// `known`: of the key, before the call.
  void look_at(const Values& values, const CommandCall& call, const Value& key,
               const KeyState& known);
  void look_at_operation(std::string_view operator_text, const Value& left, const Value& right);
  /// What was set on this way without a TTL and is told now is a number that others wait for.
  static void tell_of_writes(State& state, const Value& channel);

  [[nodiscard]] bool contains(const std::string& key) const {
    return numbers_.contains(key) && !owned_.contains(key);
  }

  /// By the file's name, or its folder's: "Semaphore.trySetPermitsAsync.lua", "latch/set.lua".
  [[nodiscard]] static bool are_named_by(std::string_view path);

 private:
  std::set<std::string> numbers_;
  std::set<std::string> owned_;                            // hashes with a field of the caller's
  std::set<std::pair<std::string, std::string>> ordered_;  // key, what its number was compared with
};

}  // namespace lockstep::advice
