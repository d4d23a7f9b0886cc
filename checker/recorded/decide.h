// Is a recorded history linearizable? The entry to this folder.
//
// Each key's operations are decided by themselves: linearizability is local (Herlihy & Wing, 1990),
// a history has a linearization iff the histories of all its objects have. Where a model has a fast
// exact algorithm it is asked first; its "yes" is an order that is replayed through the sequential
// specification, its "no" is a few operations on which the general search must agree. Everything
// else the general search decides (checker/linearizability/linearizability.h).
//
// What an outcome means: `ok` took effect between its invocation and its completion, `fail` took
// none (Settings says whether it observed anything), `info` took effect at some time after its
// invocation, or never.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "checker/linearizability/limits.h"
#include "checker/recorded/explanation.h"
#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded {

enum class Answer : std::uint8_t {
  linearizable,
  not_linearizable,
  unknown,  ///< a limit came first
};
[[nodiscard]] std::string_view to_string(Answer answer);

/// What decided.
enum class Method : std::uint8_t {
  search,  ///< the general one
  zones,   ///< of registers whose written values are unique: zones.h
  sweep,   ///< of mutexes and semaphores: mutex_sweep.h, counting_sweep.h
};
[[nodiscard]] std::string_view to_string(Method method);

/// The answer for one key.
struct KeyDecision {
  TextId key = no_text;
  Answer answer = Answer::linearizable;
  Method method = Method::search;
  /// Linearizable: the operations in an order that explains them. What says nothing (a failed
  /// write, an unknown read) and what need not have happened is left out.
  std::vector<std::uint32_t> order;
  /// Otherwise.
  Explanation explanation;
  std::string unknown_because;  ///< "2,000,000 steps were made"
  std::size_t operations = 0;   ///< of this key, all of them
  std::uint64_t steps = 0;
  std::uint64_t memory_bytes = 0;
};

struct Decision {
  /// Not linearizable if any part isn't; else unknown if any part is.
  Answer answer = Answer::linearizable;
  std::vector<KeyDecision> parts;  ///< in order of the keys' first operations
};

/// Decides all keys, also after one that isn't linearizable. The limits hold for each key.
/// REQUIRES: !unfit(history, model).
[[nodiscard]] Decision decide(const History& history, Model model, const Limits& limits = {},
                              const Settings& settings = {});

}  // namespace lockstep::checker::recorded
