#include "lua/source/source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lua/source/parser.h"
#include "lua/source/rewriter.h"
#include "lua/source/script_tree.h"
#include "lua/source/token_classes.h"
#include "lua/source/token_contexts.h"
#include "lua/source/tokens.h"

namespace lockstep::lua {

namespace {

using TokenKind = ScriptToken::Kind;
using Tokens = std::vector<ScriptToken>;
template <std::size_t size>
using Words = std::array<std::string_view, size>;

constexpr Words<5> loop_words = {"while", "repeat", "for", "function", "goto"};
constexpr Words<4> loading_words = {"load", "loadstring", "_G", "getmetatable"};
constexpr Words<9> library_names = {"redis",     "string", "table",    "math",  "bit",
                                    "coroutine", "cjson",  "cmsgpack", "struct"};
constexpr Words<2> argument_names = {"KEYS", "ARGV"};
constexpr Words<22> global_names = {
    "KEYS",   "ARGV",   "assert",       "collectgarbage", "error",    "gcinfo",
    "ipairs", "next",   "pairs",        "pcall",          "rawget",   "rawequal",
    "rawset", "select", "setmetatable", "tonumber",       "tostring", "type",
    "unpack", "xpcall", "_VERSION",     "__concatenation"};

/// Looks at a program's tokens one by one, with their neighbours.
class Look {
 public:
  explicit Look(const Tokens& tokens) : tokens_(tokens), places_(find_token_contexts(tokens)) {}

  [[nodiscard]] std::string_view text(std::size_t index) const {
    return index < tokens_.size() ? tokens_[index].text : std::string_view();
  }
  [[nodiscard]] bool is_symbol(std::size_t index, std::string_view symbol) const {
    return index < tokens_.size() && tokens_[index].kind == TokenKind::symbol &&
           tokens_[index].text == symbol;
  }
  [[nodiscard]] bool is_name(std::size_t index) const {
    return index < tokens_.size() && tokens_[index].kind == TokenKind::name;
  }
  /// A name that is not a field or method of something.
  [[nodiscard]] bool is_free_name(std::size_t index) const {
    return is_name(index) &&
           (index == 0 || (!is_symbol(index - 1, ".") && !is_symbol(index - 1, ":")));
  }

  /// What the expression from `first` to `last` stands for may be assigned to here.
  [[nodiscard]] bool may_be_assigned(std::size_t first, std::size_t last) const {
    return is_symbol(last + 1, "=") ||
           (is_symbol(last + 1, ",") && places_[first] == TokenContext::statement);
  }

  /// The name at `index` may be the target of a write to a global or a library table.
  [[nodiscard]] bool may_write_global(std::size_t index) const {
    const std::string_view name = text(index);
    const bool is_library = is_one_of(name, library_names);
    if (index > 0 && text(index - 1) == "function") {
      return is_library || is_one_of(name, global_names);
    }
    if (is_library) {
      return !is_symbol(index + 1, ".") || !is_name(index + 2) || may_be_assigned(index, index + 2);
    }
    return is_one_of(name, global_names) && may_be_assigned(index, index);
  }

  /// The table KEYS or ARGV, named at `index`, is only read here, and nobody keeps it.
  [[nodiscard]] bool only_reads_arguments(std::size_t index) const {
    if (index > 0 && is_symbol(index - 1, "#")) {
      return true;
    }
    if (is_symbol(index + 1, "[")) {
      const std::size_t last = matching_bracket(index + 1);
      return last < tokens_.size() && !may_be_assigned(index, last);
    }
    if (index < 2 || !is_symbol(index - 1, "(") ||
        !(is_symbol(index + 1, ")") || is_symbol(index + 1, ","))) {
      return false;
    }
    const std::string_view function = text(index - 2);
    if (function == "unpack" || function == "concat") {
      return true;
    }
    return index > 2 && text(index - 3) == "in" && (function == "ipairs" || function == "pairs");
  }

 private:
  /// The index of the bracket that closes the one at `open`; the number of tokens if there is none.
  [[nodiscard]] std::size_t matching_bracket(std::size_t open) const {
    int depth = 0;
    for (std::size_t index = open; index < tokens_.size(); ++index) {
      if (is_symbol(index, "[")) {
        ++depth;
      } else if (is_symbol(index, "]") && --depth == 0) {
        return index;
      }
    }
    return tokens_.size();
  }

  const Tokens& tokens_;
  std::vector<TokenContext> places_;
};

void note_name(const Look& look, std::size_t index, ScriptSource& source) {
  const std::string_view name = look.text(index);
  if (is_one_of(name, loop_words)) {
    source.may_run_long = true;
  }
  if (!look.is_free_name(index)) {
    return;
  }
  if (is_one_of(name, loading_words)) {
    source.may_run_long = true;
    source.may_touch_globals = true;
    source.may_call_methods = true;
  } else if (look.may_write_global(index)) {
    source.may_touch_globals = true;
  }
  if (is_one_of(name, argument_names) && !look.only_reads_arguments(index)) {
    source.may_touch_arguments = true;
  }
}

std::string complaint(std::string_view chunk, const SyntaxError& error) {
  std::string text(chunk);
  return text.append(":").append(std::to_string(error.place.line)).append(": ") + error.what;
}

}  // namespace

std::variant<ScriptSource, std::string> read_script(std::string_view program,
                                                    std::string_view chunk) {
  const ScriptTokens tokens = read_program(program);
  const Look look(tokens.list);
  ScriptSource source;
  for (std::size_t index = 0; index < tokens.list.size(); ++index) {
    if (tokens.list[index].kind == TokenKind::name) {
      note_name(look, index, source);
    } else if (look.is_symbol(index, ":")) {
      source.may_call_methods = true;
    }
  }
  auto parsed = parse(tokens, Dialect::lua51);
  if (const auto* error = std::get_if<SyntaxError>(&parsed)) {
    if (!error->is_unfinished) return complaint(chunk, *error);
    source.code = program;
    return source;
  }
  const ScriptTree tree(tokens.list, std::get<Ast>(parsed));
  ScriptWarnings warnings;
  warn_of_constructs(tree, warnings);
  const ScriptFacts facts{.arguments_are_text =
                              !source.may_touch_arguments && !source.may_touch_globals};
  source.code = rewrite(program, tree, facts, warnings);
  warn_of_holes(tree, warnings);
  source.warnings = warnings.take();
  return source;
}

}  // namespace lockstep::lua
