#include "checker/recorded/decide.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "checker/recorded/counting/counting_lock.h"
#include "checker/recorded/counting/counting_proof.h"
#include "checker/recorded/fast_path.h"
#include "checker/recorded/general.h"
#include "checker/recorded/mutex/hold_proof.h"
#include "checker/recorded/specifications/fenced_lock.h"
#include "checker/recorded/specifications/fifo_mutex.h"
#include "checker/recorded/specifications/key_value.h"
#include "checker/recorded/specifications/latch.h"
#include "checker/recorded/specifications/leased_mutex.h"
#include "checker/recorded/specifications/mutex.h"
#include "checker/recorded/specifications/owned_mutex.h"
#include "checker/recorded/specifications/read_write_lock.h"
#include "checker/recorded/specifications/register.h"
#include "checker/recorded/specifications/semaphore.h"

namespace lockstep::checker::recorded {
namespace {

struct KeyedOperations {
  TextId key = no_text;
  std::vector<std::uint32_t> operations;  // in order of invocation
};

std::vector<KeyedOperations> by_key(const History& history, bool all_at_once) {
  std::vector<KeyedOperations> keys;
  std::unordered_map<TextId, std::size_t> place;
  std::size_t last = 0;
  for (std::uint32_t index = 0; index < history.operations.size(); ++index) {
    const TextId key = all_at_once ? no_text : history.operations[index].key;
    if (!keys.empty() && keys[last].key == key) {
      keys[last].operations.push_back(index);
      continue;
    }
    const auto [entry, is_new] = place.try_emplace(key, keys.size());
    if (is_new) keys.push_back({key, {}});
    last = entry->second;
    keys[last].operations.push_back(index);
  }
  return keys;
}

std::string_view noun_of(Model model) {
  switch (model) {
    case Model::semaphore:
      return "semaphore";
    case Model::latch:
      return "latch";
    case Model::reg:
    case Model::cas_register:
      return "register";
    case Model::key_value:
      return "key";
    case Model::mutex:
    case Model::owned_mutex:
    case Model::reentrant_mutex:
    case Model::leased_mutex:
    case Model::fifo_mutex:
    case Model::read_write_lock:
    case Model::fenced_lock:
      break;
  }
  return "lock";
}

std::string object_of(const History& history, Model model, TextId key) {
  const std::string_view noun = noun_of(model);
  return key == no_text ? fmt::format("the {}", noun)
                        : fmt::format("{} \"{}\"", noun, history.texts.text(key));
}

bool confirm_by_counting(const History& history, Model model, const Settings& settings,
                         std::span<const std::uint32_t> operations, const CountingProof& proof,
                         KeyDecision& part) {
  const auto lock = read_as_counting(history, model, settings, operations);
  if (!lock || !is_true(proof, *lock)) return false;
  part.answer = Answer::not_linearizable;
  part.explanation.stuck = proof.steps.back().operation;
  part.explanation.until = proof.steps.back().until;
  part.explanation.proof = proof;
  return true;
}

bool confirm_by_holds(const History& history, std::span<const std::uint32_t> operations,
                      const HoldProof& proof, KeyDecision& part) {
  if (!is_true(proof, history, operations)) return false;
  part.answer = Answer::not_linearizable;
  part.explanation.stuck = proof.stuck;
  part.explanation.until = history.operations[proof.stuck].completed;
  part.explanation.hold_proof = proof;
  return true;
}

/// Whether what the fast path says could be shown; then the part has the answer.
template <typename Spec>
bool confirm(const History& history, Model model, const Settings& settings,
             GeneralDecision<Spec>& general, std::span<const std::uint32_t> operations,
             const FastResult& fast, KeyDecision& part) {
  if (fast.proof) {
    return confirm_by_counting(history, model, settings, operations, *fast.proof, part);
  }
  if (fast.hold_proof) return confirm_by_holds(history, operations, *fast.hold_proof, part);
  Spec specification(history.texts, settings);
  if (fast.answer == FastAnswer::linearizable) {
    if (!general.accepts(specification, operations, fast.order)) return false;
    part.answer = Answer::linearizable;
    part.order = fast.order;
    part.memory_bytes = general.memory_bytes();
    return true;
  }
  general.decide(specification, fast.blamed, part, fast.until);
  part.explanation.core = fast.blamed;
  return part.answer == Answer::not_linearizable;
}

/// Where a fast algorithm asked for less than the model, and there are few operations: whether the
/// search knows of a shorter prefix that has no order.
template <typename Spec>
void look_for_shorter(const History& history, const Settings& settings, const Limits& limits,
                      std::span<const std::uint32_t> operations, KeyDecision& part) {
  constexpr std::size_t few = 10'000;
  if (operations.size() > few) return;
  Limits soon = limits;
  soon.steps_max = std::min<std::uint64_t>(soon.steps_max, 10 * few);
  Spec specification(history.texts, settings);
  KeyDecision shorter = part;
  shorter.explanation.core.clear();
  shorter.explanation.proof.reset();
  shorter.explanation.hold_proof.reset();
  GeneralDecision<Spec>(history, soon)
      .decide(specification, operations, shorter, part.explanation.until - 1);
  if (shorter.answer == Answer::not_linearizable) part = std::move(shorter);
}

/// One specification for each key, and one search with its buffers for all.
template <typename Spec>
void decide_each(const History& history, Model model, const Settings& settings,
                 const Limits& limits, const std::vector<KeyedOperations>& keys,
                 std::vector<KeyDecision>& parts) {
  GeneralDecision<Spec> general(history, limits);
  for (std::size_t index = 0; index < keys.size(); ++index) {
    const std::vector<std::uint32_t>& operations = keys[index].operations;
    KeyDecision& part = parts[index];
    const FastResult fast = ask_fast_path(history, model, settings, limits, operations);
    part.steps = fast.steps;
    if (fast.answer != FastAnswer::cannot_say &&
        confirm(history, model, settings, general, operations, fast, part)) {
      part.method = fast.method;
      if (fast.answer == FastAnswer::not_linearizable && fast.may_be_late) {
        look_for_shorter<Spec>(history, settings, limits, operations, part);
      }
      continue;
    }
    Spec specification(history.texts, settings);
    part.explanation.core.clear();
    general.decide(specification, operations, part);
  }
}

void decide_all(const History& history, Model model, const Settings& settings, const Limits& limits,
                const std::vector<KeyedOperations>& keys, std::vector<KeyDecision>& parts) {
  const auto with = [&]<typename Spec>() {
    decide_each<Spec>(history, model, settings, limits, keys, parts);
  };
  switch (model) {
    case Model::mutex:
      return with.operator()<Sequential<Mutex>>();
    case Model::owned_mutex:
      return with.operator()<Sequential<OwnedMutex>>();
    case Model::reentrant_mutex:
      return with.operator()<Sequential<ReentrantMutex>>();
    case Model::leased_mutex:
      return with.operator()<LeasedMutexOfHistory>();
    case Model::fifo_mutex:
      return with.operator()<Sequential<FifoMutex>>();
    case Model::read_write_lock:
      return with.operator()<Sequential<ReadWriteLock>>();
    case Model::semaphore:
      return with.operator()<Sequential<Semaphore>>();
    case Model::latch:
      return with.operator()<Sequential<Latch>>();
    case Model::fenced_lock:
      return with.operator()<Sequential<FencedLock>>();
    case Model::reg:
    case Model::cas_register:
      return with.operator()<Sequential<Register>>();
    case Model::key_value:
      if (settings.all_keys_at_once) return with.operator()<Sequential<KeyValueMap>>();
      return with.operator()<Sequential<KeyValue>>();
  }
}

}  // namespace

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::linearizable:
      return "linearizable";
    case Answer::not_linearizable:
      return "not linearizable";
    case Answer::unknown:
      return "unknown";
  }
  return "unknown";
}

std::string_view to_string(Method method) {
  switch (method) {
    case Method::search:
      return "search";
    case Method::zones:
      return "zones";
    case Method::sweep:
      return "sweep";
  }
  return "search";
}

Decision decide(const History& history, Model model, const Limits& limits,
                const Settings& settings) {
  const bool all_at_once = model == Model::key_value && settings.all_keys_at_once;
  const std::vector<KeyedOperations> keys = by_key(history, all_at_once);
  Decision decision;
  for (const KeyedOperations& each : keys) {
    KeyDecision& part = decision.parts.emplace_back();
    part.key = each.key;
    part.operations = each.operations.size();
    part.explanation.object = object_of(history, model, each.key);
  }
  decide_all(history, model, settings, limits, keys, decision.parts);
  for (const KeyDecision& part : decision.parts) {
    if (part.answer == Answer::not_linearizable) decision.answer = part.answer;
    if (part.answer == Answer::unknown && decision.answer == Answer::linearizable) {
      decision.answer = part.answer;
    }
  }
  return decision;
}

}  // namespace lockstep::checker::recorded
