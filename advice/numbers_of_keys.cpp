#include "advice/numbers_of_keys.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

using lua::is_one_of;

constexpr std::array<std::string_view, 6> reckonings = {"+", "-", "*", "/", "%", "^"};
constexpr std::array<std::string_view, 4> orders = {"<", "<=", ">", ">="};
constexpr std::array<std::string_view, 3> string_reads = {"get", "getset", "getdel"};
constexpr std::array<std::string_view, 3> string_writes = {"set", "setnx", "getset"};
constexpr std::array<std::string_view, 6> words = {"semaphore", "latch",     "permit",
                                                   "counter",   "countdown", "setcount"};

bool is_number_of_key(const Value& value) {
  return value.reply && is_one_of(value.reply->command, string_reads);
}

}  // namespace

void NumbersOfKeys::look_at(const Values& values, const CommandCall& call, const Value& key,
                            const KeyState& known) {
  const KeyEffect effect = effect_of(values, call);
  if (effect == KeyEffect::count) numbers_.insert(key.symbol);
  if (effect == KeyEffect::hash_write && call.words.size() > 2) {
    const bool is_of_all = values[call.words[1]].kind == Value::Kind::literal;
    if (!is_of_all) owned_.insert(key.symbol);
    if (is_of_all && call.name.starts_with("hincrby")) numbers_.insert(key.symbol);
  }
  if (call.words.size() > 1 && is_one_of(call.name, string_writes)) {
    const Value& written = values[call.words[1]];
    const bool is_emptied = written.kind == Value::Kind::literal && written.text == "0" &&
                            known.exists == std::optional(true);
    if (is_emptied || ordered_.contains({key.symbol, written.symbol})) numbers_.insert(key.symbol);
  }
}

void NumbersOfKeys::look_at_operation(std::string_view operator_text, const Value& left,
                                      const Value& right) {
  const bool is_reckoning = is_one_of(operator_text, reckonings);
  if (!is_reckoning && !is_one_of(operator_text, orders)) return;
  for (const auto& [read, other] : {std::pair(&left, &right), std::pair(&right, &left)}) {
    if (!is_number_of_key(*read)) continue;
    if (is_reckoning) {
      numbers_.insert(read->reply->key);
    } else {
      ordered_.insert({read->reply->key, other->symbol});
    }
  }
}

void NumbersOfKeys::tell_of_writes(State& state, const Value& channel) {
  if (!channel.from_keys) return;
  for (auto& [symbol, key] : state.keys) {
    if (key.unleased && is_one_of(key.unleased->command, string_writes)) key.unleased.reset();
  }
}

bool NumbersOfKeys::are_named_by(std::string_view path) {
  const std::size_t file = path.rfind('/');
  const bool has_folder = file != std::string_view::npos && file > 0;
  const std::size_t folder = has_folder ? path.rfind('/', file - 1) : std::string_view::npos;
  std::string lower(folder == std::string_view::npos ? path : path.substr(folder + 1));
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  // An unlock's latch is a lock's.
  const std::size_t name = lower.find('/') == std::string::npos ? 0 : lower.find('/') + 1;
  if (lower.find("lock", name) != std::string::npos) return false;
  return std::any_of(words.begin(), words.end(), [&lower](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

}  // namespace lockstep::advice
