#include "tests/redis/comparison/generated_scripts.h"

#include "tests/redis/comparison/script_runner.h"

namespace lockstep::redis::test {
namespace {

bool is_small_number(std::string_view word) {
  return !word.empty() && word.size() < 8 && word[0] != '0' &&
         word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The words as arguments of a call: literals, numbers, or words of KEYS and ARGV.
class ScriptText {
 public:
  explicit ScriptText(Dice& dice) : dice_(dice) {}

  void add_call(const std::vector<std::string>& words) {
    const bool is_caught = dice_.one_in(2);
    if (dice_.one_in(6)) body_ += "if redis.call('exists', 'a') == 0 then ";
    const bool is_conditional = body_.ends_with("then ");
    body_ += "r[#r + 1] = ";
    body_ += is_caught ? "redis.pcall(" : "redis.call(";
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) body_ += ", ";
      add_word(words[i]);
    }
    body_ += is_conditional ? ") end\n" : ")\n";
  }

  std::vector<std::string> eval() {
    std::string script = dice_.one_in(12) ? "#!lua flags=no-writes\n" : "";
    script += "local r = {}\n";
    script += body_;
    script += dice_.one_in(4) ? "return #r" : "return r";
    std::vector<std::string> words{"EVAL", script, std::to_string(keys_.size())};
    words.insert(words.end(), keys_.begin(), keys_.end());
    words.insert(words.end(), arguments_.begin(), arguments_.end());
    return words;
  }

 private:
  void add_word(const std::string& word) {
    const std::size_t way = dice_.below(4);
    if (way == 0) {
      keys_.push_back(word);
      body_ += "KEYS[" + std::to_string(keys_.size()) + "]";
    } else if (way == 1) {
      arguments_.push_back(word);
      body_ += "ARGV[" + std::to_string(arguments_.size()) + "]";
    } else if (way == 2 && is_small_number(word)) {
      body_ += word;
    } else {
      body_ += lua_literal(word);
    }
  }

  Dice& dice_;
  std::string body_;
  std::vector<std::string> keys_;
  std::vector<std::string> arguments_;
};

}  // namespace

std::vector<std::string> generated_script(Dice& dice, RequestGenerator maker,
                                          std::span<const std::string_view> calls) {
  constexpr std::size_t calls_max = 5;
  ScriptText script(dice);
  const std::size_t count = 1 + dice.below(calls_max);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::string> words = maker.request(dice.one_of(calls));
    if (dice.one_in(40)) maker.disturb(words);
    script.add_call(words);
  }
  return script.eval();
}

}  // namespace lockstep::redis::test
