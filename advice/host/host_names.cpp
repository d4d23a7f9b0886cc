// HostScopes: the names of values.
#include <algorithm>
#include <array>

#include "advice/host/host_scopes.h"
#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

/// How many brackets outwards a name is looked for, and how many words a call's owner may have.
constexpr std::size_t brackets_max = 200;
constexpr std::size_t owner_words_max = 40;

/// Properties that say what they hold, not what it does.
constexpr std::array<std::string_view, 12> plain_properties = {
    "lua",     "script",    "source", "code", "body",  "text",
    "content", "luaScript", "SCRIPT", "keys", "value", "lua_script"};
constexpr std::array<std::string_view, 5> defining_calls = {
    "defineCommand", "defineScript", "createScript", "registerScript", "define"};
/// Functions that set constants up.
constexpr std::array<std::string_view, 7> constructors = {
    "constructor", "__init__", "initialize", "__construct", "init", "setUp", "main"};

std::string text_of(const HostToken& token) {
  if (token.kind == HostToken::Kind::word) return std::string(without_sigils(token.spelling));
  const bool is_plain_text = token.kind == HostToken::Kind::text && token.text.holes.empty();
  return is_plain_text ? token.text.text : std::string();
}

}  // namespace

std::size_t HostScopes::callee_of(std::size_t open) const {
  if (open == 0) return none;
  std::size_t at = open - 1;
  if (is(at, "!") && at > 0) --at;  // Rust's macros
  if (is(at, ">")) {                // method<T>(…), new Script<>(…), Script::<T>(…)
    int depth = 0;
    for (std::size_t steps = 0; at > 0 && steps < owner_words_max; ++steps, --at) {
      if (is(at, ">")) ++depth;
      if (is(at, "<") && --depth == 0) break;
    }
    if (!is(at, "<") || at == 0) return none;
    --at;
    if (is(at, "::") && at > 0) --at;
  }
  return word_at(at).empty() ? none : at;
}

std::size_t HostScopes::call_begin(std::size_t open) const {
  std::size_t begin = callee_of(open);
  const bool is_grouped = begin == none && open > 0 && is(open - 1, ")");
  if (is_grouped && partners_[open - 1] < open) return partners_[open - 1];  // (0, f)(…)
  if (begin == none) return open;
  for (std::size_t steps = 0; begin > 0 && steps < owner_words_max; ++steps) {
    const bool is_member = is(begin - 1, ".") || is(begin - 1, "::") || is(begin - 1, "->") ||
                           is(begin - 1, "?.") || is(begin - 1, "?->") || is(begin - 1, "&.");
    const bool is_prefix = is(begin - 1, "new") || is(begin - 1, "await") ||
                           (is(begin - 1, "&") && begin > 1 && !is(begin - 2, ")"));
    if (is_prefix) {
      --begin;
    } else if (is_member && begin > 1) {
      begin -= 2;
      if ((is(begin, ")") || is(begin, "]")) && partners_[begin] < begin) {
        begin = partners_[begin];
        const std::size_t callee = callee_of(begin);
        if (callee != none) begin = callee;
      }
    } else {
      break;
    }
  }
  return begin;
}

/// Moves over brackets that only group: `= ("a" + "b")`.
std::size_t HostScopes::value_begin(std::size_t token) const {
  for (std::size_t steps = 0; token > 1 && steps < brackets_max; ++steps) {
    const bool opens = is(token - 1, "(") || is(token - 1, "[");
    const bool is_called = tokens_[token - 2].kind != HostToken::Kind::symbol ||
                           is(token - 2, ")") || is(token - 2, "]") || is(token - 2, ">") ||
                           is(token - 2, "!");
    if (!opens || is_called) break;
    --token;
  }
  return token;
}

std::string HostScopes::label_before(std::size_t token) const {
  if (token < 3) return {};
  if (!is(token - 1, ":") && !is(token - 1, "=>")) return {};
  std::size_t before = token - 3;
  if (is(before, ":") && before > 0) --before;  // Ruby's :name => value
  const bool begins_member =
      is(before, "{") || is(before, ",") || is(before, "[") || is(before, "(");
  if (!begins_member) return {};  // `condition ? one : other`
  return text_of(tokens_[token - 2]);
}

/// `name = value`, `name: Type = value`, `a.name = value`, `name(…) => value`.
std::size_t HostScopes::target_before(std::size_t token) const {
  if (token < 2) return none;
  const bool is_body =
      is(token - 1, "=>") && (syntax_.language == HostLanguage::csharp ||
                              (is(token - 2, ")") && syntax_.language == HostLanguage::javascript));
  if (!is(token - 1, "=") && !is(token - 1, ":=") && !is_body) return none;
  std::size_t at = token - 2;
  // A type between name and `=` has a colon before it; a declaration begins within a few words.
  const bool has_types_behind =
      syntax_.language != HostLanguage::java && syntax_.language != HostLanguage::csharp &&
      syntax_.language != HostLanguage::php && syntax_.language != HostLanguage::ruby;
  for (std::size_t back = at; has_types_behind && back > 0 && at - back < 10; --back) {
    if (is(back, ";") || is(back, "{") || is(back, "}") || is(back, "(") || is(back, ")")) break;
    if (is(back, ":")) {
      at = back - 1;
      break;
    }
    if (tokens_[back].begins_line) break;
  }
  if (syntax_.language == HostLanguage::go && at > 0 && !word_at(at - 1).empty() &&
      !tokens_[at].begins_line && word_at(at - 1) != "var" && word_at(at - 1) != "const") {
    --at;  // var name string = …
  }
  if (is(at, ")")) {
    const std::size_t open = partners_[at];
    const std::size_t callee = open < tokens_.size() ? callee_of(open) : none;
    if (callee == none) {  // name = (…) => value
      return is_body && open < tokens_.size() ? target_before(open) : none;
    }
    if (word_at(callee) == "async") return target_before(callee);
    return callee;
  }
  return word_at(at).empty() ? none : at;
}

std::string HostScopes::assigned_before(std::size_t token) const {
  const std::size_t target = target_before(token);
  return target == none ? std::string() : std::string(without_sigils(tokens_[target].spelling));
}

std::string HostScopes::name_of(std::size_t token) const {
  const std::size_t end = tokens_.size();
  std::size_t begin = value_begin(token);
  std::string label;
  std::string constant;
  const auto look_before = [&](std::size_t at) {
    if (label.empty()) label = label_before(at);
    if (lua::is_one_of(label, plain_properties)) label.clear();
    if (constant.empty()) constant = assigned_before(at);
  };
  const std::size_t function = function_of(token);
  const std::size_t body = function == none ? 0 : scopes_[function].begin;
  look_before(begin);
  for (std::size_t steps = 0; steps < brackets_max && label.empty(); ++steps) {
    const std::size_t bracket = around_[begin];
    if (bracket >= end || bracket < body) break;
    if (is(bracket, "(")) {
      const std::size_t callee = callee_of(bracket);
      const std::string_view word = callee == none ? std::string_view() : word_at(callee);
      const bool sets_text = word == "setScriptText" && callee > 1 && is(callee - 1, ".");
      if (sets_text && constant.empty()) constant = text_of(tokens_[callee - 2]);
      if (lua::is_one_of(word, defining_calls) && bracket + 1 < begin) {
        label = text_of(tokens_[bracket + 1]);
      }
      const bool is_enumerator =
          !word.empty() && word[0] >= 'A' && word[0] <= 'Z' && function == none && callee > 0 &&
          (is(callee - 1, "{") || is(callee - 1, ",") || is(callee - 1, ";"));
      if (is_enumerator && constant.empty()) constant = word;
      begin = value_begin(call_begin(bracket));
    } else {
      // Kotlin's `val name: Type by lazy {`.
      std::size_t by =
          bracket > 3 && is(bracket - 1, "lazy") && is(bracket - 2, "by") ? bracket - 3 : none;
      if (by != none && is(by - 1, ":")) by -= 2;
      if (by != none && constant.empty()) constant = text_of(tokens_[by]);
      begin = value_begin(bracket);
    }
    look_before(begin);
  }
  if (!label.empty()) return label;
  std::string name = function == none ? std::string() : scopes_[function].name;
  const bool sets_up = lua::is_one_of(name, constructors) || name == class_of(token);
  if (sets_up && !constant.empty()) return constant;
  for (std::size_t scope = function; name.empty() && scope != none;) {
    scope = scopes_[scope].parent;
    if (scope != none && !scopes_[scope].is_class) name = scopes_[scope].name;
  }
  if (!name.empty()) return name;
  return constant.empty() ? "script" : constant;
}

}  // namespace lockstep::advice
