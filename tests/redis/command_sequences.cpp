#include "tests/redis/command_sequences.h"

#include <array>
#include <stdexcept>

#include "tests/redis/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using Words = std::vector<std::string_view>;

struct Alternatives {
  std::string_view name;
  Words words;
};

constexpr std::array<std::string_view, 5> keys{"a", "b", "h", "L", ""};

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

/// What the placeholders stand for, the plainest first. Few keys, so that commands meet.
const std::vector<Alternatives>& alternatives() {
  static const std::vector<Alternatives> table{
      {"$key", Words(keys.begin(), keys.end())},
      {"$lock", {"L", "a"}},
      {"$owner", {"owner:1", "f"}},
      {"$script", small_scripts()},
      {"$field", {"f", "g", "owner:1", "h", ""}},
      {"$text", {"1", "x", "", "-5", "9223372036854775807", "012", "1.5", " 1", "f\r\n$3"}},
      {"$number",
       {"1", "-1", "0", "10", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "x", "-0", "+1", "01", "1.0", "", " 1"}},
      {"$ms",
       {"10", "1", "2", "100", "499", "500", "1499", "0", "-1", "x", "9223372036854775807",
        "-9223372036854775808", "1700000000000"}},
      {"$s",
       {"1", "2", "10", "0", "-1", "x", "9223372036854775", "9223372036854776",
        "-9223372036854775808"}},
      {"$option", {"NX", "XX", "GET", "KEEPTTL", "nx", "get", "PX", "FOO", "PERSIST"}},
      {"$condition", {"NX", "XX", "GT", "LT", "xx", "FOO"}},
      {"$channel", {"news", "news.1", "other", ""}},
      {"$pattern", {"news*", "?ther", "x[^0-9]"}},
      {"$glob", {"*", "a", "[a-h]", "[^a]", "?", "\\L", "*:*", "[", "[a", "a*b", ""}},
  };
  return table;
}

/// Random numbers that shrink to zero, taken one after another; zeros when they are used up.
class Dice {
 public:
  explicit Dice(const std::vector<std::uint16_t>& numbers) : numbers_(numbers) {}
  std::size_t below(std::size_t bound) {
    return next_ < numbers_.size() ? numbers_[next_++] % bound : 0;
  }

 private:
  const std::vector<std::uint16_t>& numbers_;
  std::size_t next_ = 0;
};

std::string replace(std::string_view word, Dice& dice, std::int64_t start_ms) {
  constexpr std::array<std::int64_t, 8> around_ms{10, 0, 1, -1, 100, 1000, 1500, 2000};
  if (word == "$at") return std::to_string(start_ms + around_ms[dice.below(around_ms.size())]);
  if (word == "$ats") {
    return std::to_string(start_ms / 1000 + static_cast<std::int64_t>(dice.below(4)) - 1);
  }
  for (const Alternatives& each : alternatives()) {
    if (each.name == word) return std::string(each.words[dice.below(each.words.size())]);
  }
  if (!word.empty() && word[0] == '$') throw std::logic_error("no such placeholder");
  return std::string(word);
}

Step make_step(const SequenceKind& kind, const std::vector<std::uint16_t>& numbers) {
  constexpr std::array<std::int64_t, 12> steps_us{0,      0,       0,         1000,  0,       999,
                                                  10'000, 500'000, 1'000'000, 9'000, 490'000, 1};
  Dice dice(numbers);
  Step step;
  const std::string_view line = kind.templates[dice.below(kind.templates.size())];
  step.session = dice.below(kind.sessions);
  step.advance_us = steps_us[dice.below(steps_us.size())];
  for (const std::string_view word : words_of(line)) {
    step.words.push_back(replace(word, dice, kind.start_ms));
  }
  return step;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Step& step) {
  out << "\n  +" << step.advance_us << " us, session " << step.session << ':';
  for (const std::string& word : step.words) {
    Reply shown;
    shown.kind = Reply::Kind::bulk;
    shown.text = word;
    out << ' ' << describe(shown);
  }
  return out;
}

rc::Gen<std::vector<Step>> any_sequence(const SequenceKind& kind) {
  constexpr std::size_t numbers_per_step = 10;
  const auto numbers = rc::gen::container<std::vector<std::uint16_t>>(
      numbers_per_step, rc::gen::inRange<std::uint16_t>(0, 5040));
  const auto step = rc::gen::map(
      numbers, [kind](const std::vector<std::uint16_t>& drawn) { return make_step(kind, drawn); });
  return rc::gen::container<std::vector<Step>>(step);
}

std::span<const std::string_view> sequence_keys() { return keys; }

std::span<const std::string_view> data_templates() {
  static constexpr std::array<std::string_view, 79> templates{
      "GET $key",
      "SET $key $text",
      "SET $key $text PX $ms",
      "SET $key $text EX $s",
      "SET $key $text NX PX $ms",
      "SET $key $text PXAT $at",
      "SET $key $text EXAT $ats",
      "SET $key $text $option $option",
      "set $key $text px $ms $option",
      "SETNX $key $text",
      "SETEX $key $s $text",
      "PSETEX $key $ms $text",
      "GETSET $key $text",
      "GETDEL $key",
      "GETEX $key",
      "GETEX $key PX $ms",
      "GETEX $key EXAT $ats",
      "GETEX $key PXAT $at",
      "GETEX $key PERSIST",
      "GETEX $key EX $s $option",
      "INCR $key",
      "DECR $key",
      "INCRBY $key $number",
      "DECRBY $key $number",
      "APPEND $key $text",
      "STRLEN $key",
      "MGET $key $key $key",
      "MSET $key $text $key $text",
      "MSET $key $text $key",
      "MSETNX $key $text $key $text",
      "EXISTS $key $key $key",
      "DEL $key",
      "DEL $key $key $key",
      "UNLINK $key $key",
      "TYPE $key",
      "EXPIRE $key $s",
      "PEXPIRE $key $ms",
      "pexpire $key $ms",
      "EXPIRE $key $s $condition",
      "PEXPIRE $key $ms $condition",
      "PEXPIRE $key $ms $condition $condition",
      "EXPIREAT $key $ats",
      "EXPIREAT $key $ats $condition",
      "PEXPIREAT $key $at",
      "pexpireat $key $at",
      "PEXPIREAT $key $at $condition",
      "TTL $key",
      "PTTL $key",
      "EXPIRETIME $key",
      "PEXPIRETIME $key",
      "PERSIST $key",
      "KEYS $glob",
      "DBSIZE",
      "FLUSHDB",
      "FLUSHALL ASYNC",
      "HSET $key $field $text",
      "HSET $key $field $text $field $text",
      "HSET $key $field $text $field",
      "HMSET $key $field $text $field $text",
      "HSETNX $key $field $text",
      "HGET $key $field",
      "HMGET $key $field $field",
      "HGETALL $key",
      "HDEL $key $field",
      "HDEL $key $field $field",
      "HEXISTS $key $field",
      "HINCRBY $key $field $number",
      "hincrby $key $field $number",
      "HLEN $key",
      "HKEYS $key",
      "HVALS $key",
      "HSTRLEN $key $field",
      "SELECT $number",
      "TIME",
      "ECHO $text",
      "PING $text",
      "NOSUCH $key $text",
      "GET $key $key",
      "WAIT 0 0",
  };
  return templates;
}

std::span<const std::string_view> transaction_templates() {
  static constexpr std::array<std::string_view, 20> templates{
      "MULTI",
      "EXEC",
      "SET $key $text",
      "HINCRBY $key $field $number",
      "MULTI",
      "EXEC",
      "PEXPIRE $key $ms",
      "WATCH $key",
      "WATCH $key",
      "DISCARD",
      "SET $key $text PX $ms",
      "GET $key",
      "UNWATCH",
      "NOSUCH",
      "DEL $key",
      "EXEC now",
      "SELECT $number",
      "PUBLISH news hi",
      "FLUSHDB",
      "GET",
  };
  return templates;
}

std::span<const std::string_view> pubsub_templates() {
  static constexpr std::array<std::string_view, 18> templates{
      "PUBLISH $channel $text",
      "SUBSCRIBE $channel",
      "PUBLISH $channel $text",
      "SUBSCRIBE $channel $channel $channel",
      "PSUBSCRIBE $pattern",
      "UNSUBSCRIBE $channel",
      "UNSUBSCRIBE $channel $channel",
      "PUNSUBSCRIBE $pattern",
      "PING",
      "PING $text",
      "GET $key",
      "NOSUCH",
      "PUBSUB NUMSUB $channel $channel",
      "PUBSUB CHANNELS",
      "PUBSUB CHANNELS $glob",
      "PUBSUB NUMPAT",
      "PUBSUB FOO",
      "MULTI",
  };
  return templates;
}

std::span<const std::string_view> script_templates() {
  static constexpr std::array<std::string_view, 20> templates{
      "EVAL $script 2 $key $key $number $field",
      "SET $key $text",
      "EVAL $script 2 $key $key $ms $field",
      "HSET $key $field $text",
      "EVAL $script 2 $key $key $text $field",
      "SET $key $text PX $ms",
      "EVAL $script 2 $key $key $ms $field",
      "EVAL_RO $script 2 $key $key $text $field",
      "eval $script 2 $key $key $text $field",
      "EVAL $script $number $key $key",
      "SCRIPT LOAD $script",
      "SCRIPT EXISTS 4e6d8fc8bb01276962cce5371fa795a7763657ae",
      "SCRIPT EXISTS abc ''",
      "SCRIPT FLUSH",
      "SCRIPT KILL",
      "SCRIPT $option",
      "EVALSHA 4E6D8FC8BB01276962CCE5371FA795A7763657AE $number $key",
      "EVALSHA abc 3 $key",
      "MULTI",
      "EXEC",
  };
  return templates;
}

}  // namespace lockstep::redis::test
