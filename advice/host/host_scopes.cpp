#include "advice/host/host_scopes.h"

#include <algorithm>
#include <array>

#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

/// How far a declaration's words may lie before its body: `throws A, B`, `: Promise<string>`.
constexpr std::size_t declaration_words_max = 60;

constexpr std::array<std::string_view, 10> class_words = {"class",  "interface", "struct", "enum",
                                                          "record", "object",    "trait",  "impl",
                                                          "module", "extension"};
constexpr std::array<std::string_view, 7> function_words = {"function", "func", "fun",        "fn",
                                                            "def",      "sub",  "constructor"};
/// What stands before `(…) {` and is no method's name.
constexpr std::array<std::string_view, 19> statement_words = {
    "if",     "for",    "while", "switch", "catch",   "synchronized", "try",
    "with",   "return", "using", "lock",   "foreach", "fixed",        "when",
    "elseif", "match",  "loop",  "unless", "select"};
/// What stands before `{` and has no name.
constexpr std::array<std::string_view, 9> block_words = {
    "else", "do", "try", "finally", "static", "return", "get", "set", "init"};

/// Of one language: a word such as Java's `object` is a name elsewhere.
bool is_class_word(std::string_view word, HostLanguage language) {
  if (!lua::is_one_of(word, class_words)) return false;
  if (word == "object") return language == HostLanguage::kotlin;
  if (word == "impl") return language == HostLanguage::rust;
  if (word == "module") return language == HostLanguage::ruby;
  return word != "extension";
}

bool has_function_words(HostLanguage language) {
  return language != HostLanguage::java && language != HostLanguage::csharp;
}
/// Methods without a keyword: `name(…) {`.
bool has_bare_methods(HostLanguage language) {
  return language == HostLanguage::java || language == HostLanguage::csharp ||
         language == HostLanguage::javascript;
}

}  // namespace

std::string_view without_sigils(std::string_view word) {
  while (!word.empty() && (word.front() == '$' || word.front() == '@')) word.remove_prefix(1);
  return word;
}

HostScopes::HostScopes(const std::vector<HostToken>& tokens, const HostSyntax& syntax)
    : tokens_(tokens),
      syntax_(syntax),
      partners_(tokens.size(), tokens.size()),
      around_(tokens.size(), tokens.size()),
      scope_at_(tokens.size(), none) {
  pair_brackets();
  if (syntax.has_braces) {
    find_braced_scopes();
  } else {
    find_indented_scopes();
  }
  // Inner scopes come behind outer ones, as they begin later.
  for (std::size_t i = 0; i < scopes_.size(); ++i) {
    const HostScope& each = scopes_[i];
    scopes_[i].parent = each.begin < tokens_.size() ? scope_at_[each.begin] : none;
    for (std::size_t at = each.begin; at < each.end; ++at) scope_at_[at] = i;
  }
}

bool HostScopes::is(std::size_t index, std::string_view spelling) const {
  return index < tokens_.size() && tokens_[index].kind != HostToken::Kind::text &&
         tokens_[index].spelling == spelling;
}

std::string_view HostScopes::word_at(std::size_t index) const {
  const bool is_word = index < tokens_.size() && tokens_[index].kind == HostToken::Kind::word;
  return is_word ? tokens_[index].spelling : std::string_view();
}

void HostScopes::pair_brackets() {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const std::string_view symbol =
        tokens_[i].kind == HostToken::Kind::symbol ? tokens_[i].spelling : std::string_view();
    const bool closes = symbol == ")" || symbol == "]" || symbol == "}";
    if (closes && !open.empty()) {
      partners_[i] = open.back();
      partners_[open.back()] = i;
      open.pop_back();
    }
    around_[i] = open.empty() ? tokens_.size() : open.back();
    if (symbol == "(" || symbol == "[" || symbol == "{") open.push_back(i);
  }
}

// -- scopes --

/// Scopes that are nested deeper than any program's are left out, so that marking takes no time.
void HostScopes::add(HostScope scope) {
  constexpr std::size_t nested_max = 40;
  std::size_t nested = 0;
  for (auto each = scopes_.rbegin(); each != scopes_.rend() && nested <= nested_max; ++each) {
    if (each->end >= scope.end) ++nested;
    if (each->end <= scope.begin) break;
  }
  if (nested < nested_max) scopes_.push_back(std::move(scope));
}

void HostScopes::find_braced_scopes() {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (!is(i, "{")) continue;
    HostScope scope;
    scope.begin = i + 1;
    scope.end = std::min(partners_[i], tokens_.size());
    if (scope.begin <= scope.end && declares(i, scope)) add(std::move(scope));
  }
}

/// `def`, `class` and `module` at the beginning of a line reach to the next line that is indented
/// no further.
void HostScopes::find_indented_scopes() {
  std::vector<std::size_t> open;  // of scopes_
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    const HostToken& token = tokens_[i];
    if (!token.begins_line) continue;
    while (!open.empty() && around_[i] == around_[scopes_[open.back()].begin - 1] &&
           token.indentation <= tokens_[scopes_[open.back()].begin - 1].indentation) {
      scopes_[open.back()].end = i;
      open.pop_back();
    }
    std::size_t keyword = i;
    while (lua::is_one_of(word_at(keyword),
                          std::array<std::string_view, 3>{"async", "private", "protected"})) {
      ++keyword;
    }
    const std::string_view word = word_at(keyword);
    const bool is_class = word == "class" || word == "module";
    if (!is_class && word != "def") continue;
    std::size_t name = keyword + 1;
    while ((is(name + 1, ".") || is(name + 1, "::")) && !word_at(name + 2).empty()) name += 2;
    if (word_at(name).empty()) continue;  // class << self
    HostScope scope;
    scope.is_class = is_class;
    scope.name = tokens_[name].spelling;
    scope.begin = i + 1;
    scope.end = tokens_.size();
    if (!is_class && is(name + 1, "(")) scope.parameters = name + 1;
    constexpr std::size_t nested_max = 40;
    if (open.size() >= nested_max) continue;
    open.push_back(scopes_.size());
    scopes_.push_back(std::move(scope));
  }
}

bool HostScopes::declares_class(std::size_t keyword, std::size_t brace, HostScope& scope) const {
  scope.is_class = true;
  std::size_t name = keyword + 1;
  if (tokens_[keyword].spelling == "impl") {  // impl<T> Trait for Lock<T> {
    for (std::size_t at = name; at < brace; ++at) {
      if (is(at, "for")) name = at + 1;
    }
    while (name < brace && (is(name, "<") || is(name - 1, "<") || is(name, ">"))) ++name;
  }
  if (syntax_.language == HostLanguage::go) name = keyword - 1;  // type Lock struct {
  if (is(name, "class") || is(name, "struct")) ++name;           // enum class, record struct
  scope.name = word_at(name);
  return !scope.name.empty() && name < brace && scope.name != "extends";
}

bool HostScopes::declares_by_keyword(std::size_t keyword, std::size_t brace,
                                     HostScope& scope) const {
  std::size_t at = keyword + 1;
  const bool has_receiver = syntax_.language == HostLanguage::go && is(at, "(");
  if (has_receiver) {  // func (m *Mutex) Unlock(
    const std::size_t close = partners_[at];
    if (close >= brace) return false;
    std::size_t type = close - 1;
    if (is(type, "]")) type = std::min(partners_[type], close) - 1;
    if (word_at(close + 1).empty()) return false;
    scope.of_class = word_at(type);
    at = close + 1;
  }
  while (at < brace && !is(at, "(")) ++at;
  if (at >= brace) return false;
  scope.parameters = at;
  std::size_t name = at - 1;
  if (is(name, ">")) {
    while (name > keyword && !is(name, "<")) --name;
    --name;
  }
  if (tokens_[keyword].spelling == "constructor") name = keyword;
  if (name > keyword || tokens_[keyword].spelling == "constructor") scope.name = word_at(name);
  if (!scope.name.empty()) return true;
  // `name = function (…) {`
  const std::size_t begin = keyword > 0 && is(keyword - 1, "async") ? keyword - 1 : keyword;
  scope.name = assigned_before(begin);
  if (scope.name.empty()) scope.name = label_before(begin);
  return true;
}

/// `name = (…) =>`, `name: async x =>`.
bool HostScopes::declares_arrow(std::size_t arrow, HostScope& scope) const {
  if (arrow == 0) return false;
  std::size_t begin = arrow - 1;
  std::size_t steps = 0;
  while (begin > 0 && !is(begin, ")") && !is(begin, "async") && !is(begin, "=") &&
         !is(begin, "{") && !is(begin, ";") && !is(begin, "(") && ++steps < declaration_words_max) {
    --begin;
  }
  if (is(begin, ")")) {
    begin = std::min(partners_[begin], tokens_.size() - 1);
    scope.parameters = begin;
  }
  if (is(begin, "=")) ++begin;
  if (begin > 0 && is(begin - 1, "async")) --begin;
  scope.name = assigned_before(begin);
  if (scope.name.empty()) scope.name = label_before(begin);
  return true;
}

/// What the braces belong to: a class, a function, or neither.
bool HostScopes::declares(std::size_t brace, HostScope& scope) const {
  if (brace == 0) return false;
  if (is(brace - 1, "=>") && syntax_.language == HostLanguage::javascript) {
    return declares_arrow(brace - 1, scope);
  }
  if (lua::is_one_of(word_at(brace - 1), block_words)) return false;
  std::string method;
  std::size_t parameters = 0;
  std::size_t at = brace - 1;
  for (std::size_t steps = 0; steps < declaration_words_max; ++steps, --at) {
    const std::string_view word = word_at(at);
    const bool is_member = at > 0 && is(at - 1, ".");
    if (is_class_word(word, syntax_.language) && !is_member && method.empty()) {
      return declares_class(at, brace, scope);
    }
    if (has_function_words(syntax_.language) && lua::is_one_of(word, function_words) &&
        !is_member) {
      return declares_by_keyword(at, brace, scope);
    }
    const bool is_statement = lua::is_one_of(word, statement_words) && !is_member;
    if (is_statement) return false;
    if (is(at, ")") || is(at, "]")) {
      const std::size_t open = partners_[at];
      if (open >= tokens_.size() || open == 0) break;
      if (is(at, ")") && method.empty() && has_bare_methods(syntax_.language)) {
        const std::size_t callee = callee_of(open);
        const std::string_view name = callee == none ? std::string_view() : word_at(callee);
        if (lua::is_one_of(name, statement_words)) return false;
        if (callee != none && callee > 0 && is(callee - 1, "new")) return false;
        const bool is_initializer = name == "base" || name == "this" || name == "super";
        if (!is_initializer && name != "function" && !name.empty()) {
          method = name;
          parameters = open;
          // `record Lock(…) {` is a class, what else stands before it is not looked at.
          const std::string_view before = callee == 0 ? std::string_view() : word_at(callee - 1);
          if (!is_class_word(before, syntax_.language) && before != "function") break;
          if (before != "function") method.clear();
        }
      }
      at = open;
      if (at == 0) break;
      continue;
    }
    const bool goes_on = !word.empty() || is(at, ".") || is(at, ",") || is(at, "<") ||
                         is(at, ">") || is(at, ":") || is(at, "|") || is(at, "&") || is(at, "?") ||
                         is(at, "*") || is(at, "->") || is(at, "::") || is(at, "=>") ||
                         (is(at, "=") && syntax_.language == HostLanguage::kotlin);
    if (!goes_on || at == 0) break;
    const bool is_literal = at == brace - 1 && word.empty() && !is(at, ">") && !is(at, "?");
    if (is_literal) break;
  }
  if (method.empty()) return false;
  scope.name = method;
  scope.parameters = parameters;
  return true;
}

std::size_t HostScopes::function_of(std::size_t token) const {
  std::size_t scope = token < scope_at_.size() ? scope_at_[token] : none;
  while (scope != none && scopes_[scope].is_class) scope = scopes_[scope].parent;
  return scope;
}

bool HostScopes::is_inside(std::size_t token, std::size_t scope) const {
  return scope == none || (scopes_[scope].begin <= token && token < scopes_[scope].end);
}

std::string HostScopes::class_of(std::size_t token) const {
  std::size_t scope = token < scope_at_.size() ? scope_at_[token] : none;
  for (; scope != none; scope = scopes_[scope].parent) {
    if (!scopes_[scope].of_class.empty()) return scopes_[scope].of_class;
    if (scopes_[scope].is_class) return scopes_[scope].name;
  }
  return {};
}

}  // namespace lockstep::advice
