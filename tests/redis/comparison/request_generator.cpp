#include "tests/redis/comparison/request_generator.h"

#include <stdexcept>

#include "redis/protocol/letter_case.h"
#include "redis/server/command_table.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using namespace std::string_view_literals;
using Words = std::vector<std::string_view>;

constexpr std::array<std::string_view, 9> keys{"a", "b", "h", "L", "s", "z", "n", "k\0\xff"sv, ""};

/// Small scripts of what is particular to commands in scripts: several effects, errors half-way,
/// databases, expiry, what is refused. KEYS: two; ARGV: a number, a field.
const Words& small_scripts() {
  static const Words scripts{
      "return redis.call('get', KEYS[1])",
      "redis.call('set', KEYS[1], ARGV[1], 'PX', 10) return redis.call('Incr', KEYS[2])",
      "redis.call('set', KEYS[1], ARGV[1]) redis.call('nosuch') redis.call('del', KEYS[1])",
      "local r = redis.pcall('incr', KEYS[1]) redis.call('hincrby', KEYS[2], ARGV[2], 1) return r",
      "redis.call('select', 1) redis.call('set', KEYS[1], 'x') return redis.call('dbsize')",
      "redis.call('set', KEYS[1], 1) redis.call('SELECT', 10) return redis.call('incr', KEYS[1])",
      "redis.call('pexpire', KEYS[1], ARGV[1]) return redis.call('pttl', KEYS[2])",
      "return {redis.call('time'), redis.call('pttl', KEYS[1]), redis.call('hgetall', KEYS[2])}",
      "redis.call('publish', 'news', ARGV[1]) return redis.call('exists', KEYS[1], KEYS[2])",
      "local k = redis.call('keys', '*') table.sort(k) return k",
      "redis.call('hset', KEYS[1], ARGV[2], ARGV[1]) return redis.call('hdel', KEYS[1], ARGV[2])",
      "return redis.call('flushall')",
      "return redis.call('wait', 0, 0)",
      "return redis.call('get')",
      "return redis.pcall('hget', KEYS[1], ARGV[2], 'more')",
      "#!lua flags=no-writes\nreturn redis.call('get', KEYS[1])",
      "#!lua flags=no-writes\nreturn redis.call('set', KEYS[1], 1)",
      "#!lua\nreturn redis.call('set', KEYS[1], ARGV[1])",
      "return redis.call('script', 'exists', 'x')",
      "return redis.call('pubsub', 'numpat')",
      "return redis.call('pubsub', 'foo')",
      "this is no Lua",
  };
  return scripts;
}

/// Libraries of functions, some of them refused.
const Words& small_libraries() {
  static const Words libraries{
      "#!lua name=one\nredis.register_function('get', function(keys, args) return "
      "{redis.call('get', keys[1]), args[1]} end)",
      "#!lua name=one\nlocal n = 0\nredis.register_function('count', function() n = n + 1 return n "
      "end)\nredis.register_function('put', function(k, a) redis.call('set', k[1], a[1]) return "
      "redis.call('incr', k[2]) end)",
      "#!lua name=two\nredis.register_function{function_name='look', callback=function(keys) "
      "return "
      "redis.call('exists', keys[1]) end, flags={'no-writes'}, description='looks'}",
      "#!lua name=two\nredis.register_function('fail', function() error('boom') end)\n"
      "redis.register_function('call_unknown', function() return redis.call('nosuch') end)",
      "#!lua name=three\nredis.register_function{function_name='put', flags={'allow-oom', "
      "'no-cluster'}, callback=function(k, a) redis.call('del', k[1]) return #a end}",
      "#!lua name=three\nredis.register_function('get', function() return KEYS end)",
      "#!lua name=three\nreturn 1",
      "#!lua name=three\nredis.call('get', 'a')",
      "#!lua name=three\nredis.register_function('a b', function() end)",
      "#!lua name=three\nredis.register_function{function_name='x', callback=1}",
      "#!lua name=three\nx = 1",
      "#!lua name=th-ree\nreturn 1",
      "#!lua\nreturn 1",
      "#!js name=three\nreturn 1",
      "return 1",
      "#!lua name=three\nthis is no Lua",
  };
  return libraries;
}

const std::string& long_text() {
  static const std::string text(70, 'x');  // too long for a listpack
  return text;
}

struct Alternatives {
  std::string_view name;
  Words words;
};

/// What the placeholders stand for. Few of each, so that commands meet.
const std::vector<Alternatives>& alternatives() {
  static const std::vector<Alternatives> table{
      {"$lock", {"L", "a"}},
      {"$owner", {"owner:1", "f"}},
      {"$script", small_scripts()},
      {"$field", {"f", "g", "owner:1", "h", "", "1", "10", "-3", "\0\xff"sv, long_text()}},
      {"$text",
       {"1", "x", "", "-5", "9223372036854775807", "012", "1.5", " 1", "f\r\n$3", "a\0b\xfe"sv,
        "10", long_text()}},
      {"$number",
       {"1", "-1", "0", "10", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "x", "-0", "+1", "01", "1.0", "", " 1", "2", "3"}},
      {"$ms",
       {"10", "1", "2", "100", "499", "500", "1499", "0", "-1", "x", "9223372036854775807",
        "-9223372036854775808", "1700000000000"}},
      {"$s",
       {"1", "2", "10", "0", "-1", "x", "9223372036854775", "9223372036854776",
        "-9223372036854775808"}},
      {"$index", {"0", "1", "-1", "2", "-2", "3", "-100", "100", "x", "", "-9223372036854775808"}},
      {"$count", {"1", "2", "0", "10", "-1", "-2", "x", "9223372036854775807", "1.5"}},
      {"$score",
       {"1", "2", "0", "-1", "1.5", "3.25", "-inf", "+inf", "inf", "nan", "x", "", "0.1", "1e17",
        "-0", "1e-7", "9007199254740993", "0x10", " 1"}},
      {"$bound",
       {"-inf", "+inf", "1", "(1", "2", "(2", "0", "1.5", "(x", "x", "", "(", "-1", "1e400"}},
      {"$lex", {"-", "+", "[f", "(f", "[", "(g", "[owner:1", "f", "[10", ""}},
      {"$option", {"NX", "XX", "GET", "KEEPTTL", "nx", "get", "PX", "FOO", "PERSIST"}},
      {"$condition", {"NX", "XX", "GT", "LT", "xx", "FOO"}},
      {"$channel", {"news", "news.1", "other", ""}},
      {"$pattern", {"news*", "?ther", "x[^0-9]"}},
      {"$glob", {"*", "a", "[a-h]", "[^a]", "?", "\\L", "*:*", "[", "[a", "a*b", ""}},
      {"$aggregate", {"SUM", "MIN", "MAX", "max", "FOO"}},
      {"$events", {"", "K", "Eg", "KE$", "Elshz", "KEx", "Kgl", "Egn", "foo"}},
      {"$library", small_libraries()},
      {"$libname", {"one", "two", "One", "three", "*", "t*"}},
      {"$function", {"get", "put", "count", "GET", "fail", "call_unknown", "none", "look"}},
      {"$word", {"LEFT", "RIGHT", "left", "BEFORE", "AFTER", "COUNT", "LIMIT", "MATCH", "FOO"}},
  };
  return table;
}

constexpr std::size_t any_type = 99;
constexpr std::size_t string_type = 0;
constexpr std::size_t hash_type = 1;
constexpr std::size_t list_type = 2;
constexpr std::size_t set_type = 3;
constexpr std::size_t sorted_set_type = 4;

struct TypedCommand {
  std::string_view beginning;
  std::size_t type;
};

/// The first beginning that fits counts. Others work on any type.
constexpr std::array typed_commands{
    TypedCommand{"hello", any_type},       TypedCommand{"h", hash_type},
    TypedCommand{"lastsave", any_type},    TypedCommand{"lolwut", any_type},
    TypedCommand{"l", list_type},          TypedCommand{"rpush", list_type},
    TypedCommand{"rpop", list_type},       TypedCommand{"bl", list_type},
    TypedCommand{"brpop", list_type},      TypedCommand{"z", sorted_set_type},
    TypedCommand{"bz", sorted_set_type},   TypedCommand{"sadd", set_type},
    TypedCommand{"srem", set_type},        TypedCommand{"sismember", set_type},
    TypedCommand{"smismember", set_type},  TypedCommand{"smembers", set_type},
    TypedCommand{"scard", set_type},       TypedCommand{"spop", set_type},
    TypedCommand{"srandmember", set_type}, TypedCommand{"smove", set_type},
    TypedCommand{"sscan", set_type},       TypedCommand{"get", string_type},
    TypedCommand{"set", string_type},      TypedCommand{"psetex", string_type},
    TypedCommand{"incr", string_type},     TypedCommand{"decr", string_type},
    TypedCommand{"append", string_type},   TypedCommand{"strlen", string_type},
    TypedCommand{"substr", string_type},
};

/// The last part of "brpop" is also that of "brpoplpush": both work on lists.
bool begins_with(std::string_view name, std::string_view beginning) {
  return name.size() >= beginning.size() &&
         equals_ignoring_case(name.substr(0, beginning.size()), beginning);
}

}  // namespace

std::optional<std::size_t> type_of_command(std::string_view name) {
  for (const TypedCommand& each : typed_commands) {
    if (!begins_with(name, each.beginning)) continue;
    if (each.type == any_type) return std::nullopt;
    return each.type;
  }
  return std::nullopt;
}

std::span<const std::string_view> sequence_keys() { return keys; }

std::span<const std::string_view> population_templates() {
  static const std::vector<std::string_view> offered = [] {
    constexpr std::array<std::string_view, 11> all{
        "SET $key $text",
        "SET $key 10 PX $ms",
        "HSET $key $field $text $field 10 $field $text",
        "HSET $key f 1 g 2",
        "RPUSH $key $text $text 1 2 f",
        "RPUSH $key $field",
        "SADD $key 1 2 10",
        "SADD $key $field $field x",
        "ZADD $key 1 f 2 g 2 h",
        "ZADD $key $score $field 3 $field 1.5 10",
        "PEXPIRE $key 10",
    };
    std::vector<std::string_view> known;
    for (const std::string_view line : all) {
      if (find_command(words_of(line)[0]) != nullptr) known.push_back(line);
    }
    return known;
  }();
  return offered;
}

std::vector<std::string> RequestGenerator::request(std::string_view line) {
  std::vector<std::string> words;
  for (const std::string_view each : words_of(line)) {
    if (words.empty()) wanted_type_ = type_of_command(each);
    words.push_back(word(each));
  }
  return words;
}

std::string RequestGenerator::word(std::string_view placeholder) {
  constexpr std::array<std::int64_t, 8> around_ms{10, 0, 1, -1, 100, 1000, 1500, 2000};
  if (placeholder.empty() || placeholder[0] != '$') return std::string(placeholder);
  if (placeholder == "$key") return key();
  if (placeholder == "$at") return std::to_string(start_ms_ + dice_.one_of(around_ms));
  if (placeholder == "$ats") {
    return std::to_string(start_ms_ / 1000 + static_cast<std::int64_t>(dice_.below(4)) - 1);
  }
  if (placeholder == "$field" && dice_.one_in(2)) {
    std::string part = part_of_key();
    if (!part.empty()) return part;
  }
  for (const Alternatives& each : alternatives()) {
    if (each.name != placeholder) continue;
    const std::string_view chosen = dice_.one_of(each.words);
    const bool is_too_long = length_ == WordLength::small && chosen == long_text();
    return std::string(is_too_long ? each.words.front() : chosen);
  }
  throw std::logic_error("no such placeholder: " + std::string(placeholder));
}

std::string RequestGenerator::key() {
  last_key_ = dice_.one_of(keys);
  if (!wanted_type_ || dice_.one_in(4)) return last_key_;
  std::vector<std::string_view> fitting;
  for (const auto& [name, entry] : data_.entries()) {
    if (entry.value.index() == *wanted_type_) fitting.push_back(name);
  }
  if (!fitting.empty()) last_key_ = dice_.one_of(fitting);
  return last_key_;
}

std::string RequestGenerator::part_of_key() {
  const Entry* const entry = data_.stored(last_key_);
  if (entry == nullptr) return {};
  if (const auto* const list = std::get_if<ListValue>(&entry->value)) {
    return (*list)[dice_.below(list->size())];
  }
  if (const auto* const set = std::get_if<SetValue>(&entry->value)) {
    return std::string(set->at(dice_.below(set->size())).view());
  }
  if (const auto* const set = std::get_if<SortedSetValue>(&entry->value)) {
    return set->at(dice_.below(set->size())).member;
  }
  const auto* const hash = std::get_if<HashValue>(&entry->value);
  return hash == nullptr || hash->size() == 0 ? std::string() : dice_.one_of(hash->fields()).first;
}

void RequestGenerator::disturb(std::vector<std::string>& words) {
  switch (dice_.below(3)) {
    case 0:
      if (words.size() > 1) words.pop_back();
      return;
    case 1:
      words.emplace_back(dice_.one_in(2) ? "more" : "1");
      return;
    default:
      for (char& letter : words[0]) {
        if (dice_.one_in(2)) letter = lower_case(letter);
      }
  }
}

}  // namespace lockstep::redis::test
