#include "model/lock/interaction_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/tokens.h"
#include "model/lock/source_place.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

using lua::ScriptToken;

constexpr std::array<std::string_view, 8> interacting = {
    "eval", "command", "pipeline", "subscribe", "wait_message", "unsubscribe", "wait", "sleep"};
constexpr std::array<std::string_view, 4> block_openers = {"function", "do", "if", "repeat"};
constexpr std::array<std::string_view, 22> keywords = {
    "and",      "break",  "do",   "else", "elseif", "end",  "false", "for",
    "function", "goto",   "if",   "in",   "local",  "nil",  "not",   "or",
    "repeat",   "return", "then", "true", "until",  "while"};

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A call of a named function.
struct Call {
  std::string_view name;
  std::uint32_t line;
  bool is_direct;  ///< of a function of `client`
};

class SourceCheck {
 public:
  SourceCheck(const std::string& path, std::string_view source)
      : path_(path), source_(source), tokens_(lua::read_tokens(source)) {}

  void run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) read_token();
    while (find_more_interacting_functions()) {
    }
    check_lines();
  }

 private:
  [[nodiscard]] std::string_view text(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index].text : std::string_view();
  }
  [[nodiscard]] bool is_name(std::size_t index) const {
    return index < tokens_.size() && tokens_[index].kind == ScriptToken::Kind::name &&
           !is_one_of(keywords, tokens_[index].text);
  }
  [[nodiscard]] bool is_call(std::size_t after_name) const {
    if (after_name >= tokens_.size()) return false;
    const ScriptToken& token = tokens_[after_name];
    return token.text == "(" || token.text == "{" || token.kind == ScriptToken::Kind::string ||
           token.kind == ScriptToken::Kind::long_string;
  }
  [[noreturn]] void complain(std::uint32_t line, const std::string& what) const {
    throw error_in_source(path_, source_, line, what);
  }

  void read_token() {
    const std::string_view word = text(at_);
    const std::uint32_t line = tokens_[at_].line;
    if (word == "function") return open_function();
    if (is_one_of(block_openers, word)) blocks_.push_back(enclosing_function());
    if ((word == "end" || word == "until") && !blocks_.empty()) blocks_.pop_back();
    if (!is_name(at_) || (at_ > 0 && text(at_ - 1) == "." && word == "client")) return;
    if (word == "_ENV") complain(line, "a client model may not use _ENV");
    if (word == "close" && text(at_ - 1) == "<" && text(at_ + 1) == ">") {
      complain(line, "a client model may not have <close> variables: a crash would run them");
    }
    if (word == "client") return read_client();
    if (is_call(at_ + 1)) add_call({word, line, false});
  }

  void read_client() {
    const std::uint32_t line = tokens_[at_].line;
    if (text(at_ + 1) != "." || !is_name(at_ + 2)) {
      complain(line, "'client' may only be used as in client.sleep(100): not stored or passed on");
    }
    const std::string_view function = text(at_ + 2);
    at_ += 2;
    if (!is_one_of(interacting, function)) return;
    if (!is_call(at_ + 1)) {
      complain(line, "client." + std::string(function) +
                         " must be called where it is named, not stored or passed on");
    }
    add_call({function, line, true});
  }

  // function a.b:c( … | name = function( … | function( …, which belongs to what it stands in.
  void open_function() {
    std::string_view name = enclosing_function();
    std::size_t next = at_ + 1;
    if (is_name(next)) {
      while (text(next + 1) == "." || text(next + 1) == ":") next += 2;
      name = text(next);
      at_ = next;
    } else if (at_ >= 2 && text(at_ - 1) == "=" && is_name(at_ - 2)) {
      name = text(at_ - 2);
    }
    blocks_.push_back(name);
  }

  [[nodiscard]] std::string_view enclosing_function() const {
    return blocks_.empty() ? std::string_view() : blocks_.back();
  }

  void add_call(const Call& call) {
    calls_.push_back(call);
    callers_.push_back(enclosing_function());
  }

  [[nodiscard]] bool interacts(const Call& call) const {
    return call.is_direct || functions_.contains(call.name);
  }

  bool find_more_interacting_functions() {
    bool found = false;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (!callers_[i].empty() && interacts(calls_[i])) {
        found |= functions_.insert(callers_[i]).second;
      }
    }
    return found;
  }

  void check_lines() const {
    std::map<std::uint32_t, const Call*> seen;
    for (const Call& call : calls_) {
      if (!interacts(call)) continue;
      const auto [first, is_new] = seen.insert({call.line, &call});
      if (is_new) continue;
      complain(call.line, "two interactions on one line, " + describe(*first->second) + " and " +
                              describe(call) + ": give each a line of its own");
    }
  }

  static std::string describe(const Call& call) {
    return call.is_direct ? "client." + std::string(call.name)
                          : std::string(call.name) + " (which interacts)";
  }

  const std::string& path_;
  std::string_view source_;
  std::vector<ScriptToken> tokens_;
  std::size_t at_ = 0;
  std::vector<std::string_view> blocks_;  // the innermost named function of each open block
  std::vector<Call> calls_;
  std::vector<std::string_view> callers_;  // of calls_: the function that each stands in
  std::set<std::string_view> functions_;   // that interact
};

}  // namespace

void check_interactions(const std::string& path, std::string_view source) {
  SourceCheck(path, source).run();
}

}  // namespace lockstep::model
