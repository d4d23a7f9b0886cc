// The models that a recorded history can be held to: their names, what they ask of a history, and
// what a reader may set.
//
// The sequential specification of each is a file of specifications/; decide.h decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

enum class Model : std::uint8_t {
  mutex,            ///< without owners: anyone may release it, as Knossos's mutex
  owned_mutex,      ///< only its owner releases it, and doesn't get it a second time
  reentrant_mutex,  ///< only its owner releases it, as often as it acquired it
  leased_mutex,     ///< the same, and a hold may end by itself when its lease is over
  fifo_mutex,       ///< only its owner releases it, and grants follow the queue
  read_write_lock,
  semaphore,
  latch,
  fenced_lock,  ///< re-entrant, with a token that grows from grant to grant
  reg,          ///< "register": read and write
  cas_register,
  key_value,  ///< cas_register with append
};

/// All models, in the order in which they are listed.
[[nodiscard]] std::span<const Model> all_models();
/// "mutex", "owned-mutex", …
[[nodiscard]] std::string_view to_string(Model model);
/// None where no model has that name.
[[nodiscard]] std::optional<Model> model_from(std::string_view name);
/// One line for a list.
[[nodiscard]] std::string_view summary_of(Model model);

/// Whether an operation that failed says something of the object.
enum class Failures : std::uint8_t {
  ignored,   ///< nothing: it may have timed out, or never have been sent
  observed,  ///< the object refused it, at some moment between its invocation and its completion
};

/// What may be set for a model. The defaults are what Knossos and Porcupine do.
struct Settings {
  /// Acquires, releases, renewals and awaits. Knossos drops what failed.
  Failures failed_lock_operations = Failures::ignored;
  /// That the value differed. So do the etcd histories that Porcupine is tried on.
  Failures failed_compare_and_sets = Failures::observed;
  /// semaphore: how many permits there are; latch: its count. Until a set_count says otherwise.
  std::int64_t initial_number = 1;
  /// The value of registers and keys before any write; a read of nothing, "nil" or "", sees it too.
  std::string initial_value = "nil";
  /// leased_mutex: clocks may differ from the history's by so much, ppm.
  std::int64_t declared_drift_ppm = 0;
  /// key_value: take all keys for one object. Slower, with the same answer; for comparisons.
  bool all_keys_at_once = false;
  /// Ask none of the fast algorithms. The same answer; for comparisons.
  bool search_only = false;
};

/// Why a history can't be held to a model.
struct Misfit {
  std::uint32_t operation = 0;  ///< its index
  std::string what;             ///< "the model mutex knows no write"
};

/// The first operation that the model doesn't know, or that lacks what the model needs.
[[nodiscard]] std::optional<Misfit> find_misfit(const History& history, Model model);

}  // namespace lockstep::checker::recorded
