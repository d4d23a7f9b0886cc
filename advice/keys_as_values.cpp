#include "advice/keys_as_values.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lua/source/token_classes.h"
#include "redis/server/command_table.h"
#include "sim/ascii.h"

namespace lockstep::advice {
namespace {

constexpr std::string_view opening = "KEYS[";

/// Commands that only read, with a field, a member or an element behind the key.
constexpr std::array<std::string_view, 11> readers_of_members = {
    "hget", "hexists", "hmget", "hstrlen",  "sismember", "smismember",
    "lpos", "zscore",  "zrank", "zrevrank", "zmscore"};
constexpr std::array<std::string_view, 5> removers_of_members = {"hdel", "srem", "zrem", "lrem",
                                                                 "smove"};

/// Whether each word behind the keys is a value.
bool takes_values(const Values& values, const CommandCall& call) {
  if (lua::is_one_of(call.name, readers_of_members)) return true;
  if (lua::is_one_of(call.name, removers_of_members)) return true;
  switch (effect_of(values, call)) {
    case KeyEffect::overwrite:
    case KeyEffect::create:
    case KeyEffect::hash_write:
    case KeyEffect::count:
    case KeyEffect::collect:
    case KeyEffect::leased:
    case KeyEffect::lease:
      return true;
    case KeyEffect::none:
    case KeyEffect::read:
    case KeyEffect::persist:
    case KeyEffect::removal:
      break;
  }
  return false;
}

/// The length of an element at the beginning: "KEYS[12]"; 0: it is none with a number.
std::size_t element_length(std::string_view symbol) {
  if (!symbol.starts_with(opening)) return 0;
  std::size_t end = opening.size();
  while (end < symbol.size() && sim::is_digit(symbol[end])) ++end;
  const bool is_closed = end > opening.size() && end < symbol.size() && symbol[end] == ']';
  return is_closed ? end + 1 : 0;
}

}  // namespace

void KeysAsValues::add_key(const Value& value) {
  if (!value.from_keys) return;
  bool has_element = false;
  const std::string_view symbol = value.symbol;
  for (std::size_t at = symbol.find(opening); at != std::string_view::npos;
       at = symbol.find(opening, at + 1)) {
    const std::size_t length = element_length(symbol.substr(at));
    if (length == 0) continue;
    keys_.emplace(symbol.substr(at, length));
    has_element = true;
  }
  is_whole_ = is_whole_ || !has_element;
}

void KeysAsValues::add_value(const Value& value, std::string how, const lua::Place& place) {
  const bool is_element = value.from_keys && element_length(value.symbol) == value.symbol.size();
  if (is_element) values_.insert({value.symbol, {value.symbol, std::move(how), place}});
}

void KeysAsValues::look_at_unknown(const Values& values, const std::vector<ValueNumber>& words) {
  for (const ValueNumber word : words) add_key(values[word]);
}

void KeysAsValues::look_at(const Values& values, const CommandCall& call) {
  if (!takes_values(values, call)) return look_at_unknown(values, call.words);
  const std::vector<std::size_t> keys = key_indices(call);
  std::string name = call.name;
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  for (std::size_t i = 0; i < call.words.size(); ++i) {
    if (std::find(keys.begin(), keys.end(), i) != keys.end()) {
      add_key(values[call.words[i]]);
    } else {
      add_value(values[call.words[i]], name + " takes it as a value", call.place);
    }
  }
}

void KeysAsValues::look_at_comparison(const Value& left, const Value& right,
                                      const lua::Place& place) {
  constexpr std::string_view how = "it is compared with what was read";
  if (right.from_reply) add_value(left, std::string(how), place);
  if (left.from_reply) add_value(right, std::string(how), place);
}

std::vector<KeysAsValues::Use> KeysAsValues::found() const {
  std::vector<Use> uses;
  if (is_whole_) return uses;
  for (const auto& [element, use] : values_) {
    if (!keys_.contains(element)) uses.push_back(use);
  }
  return uses;
}

}  // namespace lockstep::advice
