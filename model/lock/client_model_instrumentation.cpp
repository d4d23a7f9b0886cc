#include "model/lock/client_model_instrumentation.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "lua/source/tokens.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

using lua::ScriptToken;

using Tokens = std::vector<ScriptToken>;

bool is_name(const ScriptToken& token, std::string_view word) {
  return token.kind == ScriptToken::Kind::name && token.text == word;
}

/// Whether the token is a name behind a dot or colon.
bool is_field(const Tokens& tokens, std::size_t name) {
  return name >= 1 && (tokens[name - 1].text == "." || tokens[name - 1].text == ":");
}

/// Whether the token is the name in `client.name(`.
bool is_client_call(const Tokens& tokens, std::size_t name) {
  return name >= 2 && name + 1 < tokens.size() && tokens[name + 1].text == "(" &&
         tokens[name - 1].text == "." && is_name(tokens[name - 2], "client") &&
         !is_field(tokens, name - 2);
}

/// Whether a call may begin behind the token: `f(`, `f{`, `f"…"`, and the same behind `)` and `]`.
bool may_be_called(const ScriptToken& token) {
  constexpr std::array keywords = {"and", "do", "else",   "elseif", "if",   "in",    "local",
                                   "not", "or", "repeat", "return", "then", "until", "while"};
  if (token.text == ")" || token.text == "]") return true;
  return token.kind == ScriptToken::Kind::name &&
         std::find(keywords.begin(), keywords.end(), token.text) == keywords.end();
}

/// Whether the function whose body begins behind the token calls nobody but `client` and contains
/// no other function: then it is part of no endless chain of calls.
bool calls_nobody(const Tokens& tokens, std::size_t closing) {
  int blocks = 1;
  for (std::size_t i = closing + 1; i < tokens.size() && blocks > 0; ++i) {
    const ScriptToken& token = tokens[i];
    if (is_name(token, "function") || is_name(token, "for")) return false;
    if (is_name(token, "if") || is_name(token, "do") || is_name(token, "repeat")) ++blocks;
    if (is_name(token, "end") || is_name(token, "until")) --blocks;
    const bool is_argument = token.text == "(" || token.text == "{" ||
                             token.kind == ScriptToken::Kind::string ||
                             token.kind == ScriptToken::Kind::long_string;
    const bool is_call = is_argument && i > closing + 1 && may_be_called(tokens[i - 1]);
    if (is_call && !is_client_call(tokens, i - 1)) return false;
  }
  return true;
}

class SourceWriter {
 public:
  SourceWriter(std::string_view source, const Tokens& tokens, const ClientModelNames& names,
               std::span<const std::string> direct)
      : source_(source),
        tokens_(tokens),
        names_(names),
        direct_(direct),
        count_(" " + std::string(count_iteration_name) + "(); ") {}

  /// The source with its counts.
  std::string counted() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view word = tokens_[i].text;
      if (tokens_[i].kind != ScriptToken::Kind::name) continue;
      if (word == "do" || word == "repeat") count_at(end_of(tokens_[i]));
      if (word == "goto") count_at(place_of(tokens_[i]));
      if (word == "function") count_after_parameters(i);
      if (word == "client") shorten_call(i);
    }
    text_.append(source_.substr(copied_));
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::size_t place_of(const ScriptToken& token) const {
    return static_cast<std::size_t>(token.text.data() - source_.data());
  }
  [[nodiscard]] std::size_t end_of(const ScriptToken& token) const {
    return place_of(token) + token.text.size();
  }

  void count_after_parameters(std::size_t function) {
    const auto closing =
        std::find_if(tokens_.begin() + static_cast<std::ptrdiff_t>(function), tokens_.end(),
                     [](const ScriptToken& token) { return token.text == ")"; });
    if (closing == tokens_.end()) return;
    const auto place = static_cast<std::size_t>(closing - tokens_.begin());
    if (names_.may_have_metatables || !calls_nobody(tokens_, place)) count_at(end_of(*closing));
  }

  /// `client.name(` becomes `name(`.
  void shorten_call(std::size_t client) {
    const std::size_t name = client + 2;
    if (name >= tokens_.size() || !is_client_call(tokens_, name)) return;
    if (tokens_[client].line != tokens_[name].line) return;
    if (std::find(direct_.begin(), direct_.end(), tokens_[name].text) == direct_.end()) return;
    copy_until(place_of(tokens_[client]));
    copied_ = place_of(tokens_[name]);
  }

  void count_at(std::size_t place) {
    copy_until(place);
    text_.append(count_);
  }

  void copy_until(std::size_t place) {
    text_.append(source_.substr(copied_, place - copied_));
    copied_ = place;
  }

  std::string_view source_;
  const Tokens& tokens_;
  const ClientModelNames& names_;
  std::span<const std::string> direct_;
  std::string count_;
  std::string text_;
  std::size_t copied_ = 0;  // so much of the source is in text_
};

/// The functions of `client` that the source calls, and whose names it uses for nothing else.
std::vector<std::string> direct_functions(const Tokens& tokens, const ClientModelNames& names) {
  std::vector<std::string> direct;
  for (const std::string& name : names.client_functions) {
    bool is_called = false;
    bool is_taken = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (!is_name(tokens[i], name)) continue;
      is_taken = is_taken || !is_field(tokens, i);
      is_called = is_called || is_client_call(tokens, i);
    }
    if (is_called && !is_taken) direct.push_back(name);
  }
  return direct;
}

/// "local a <const>, b <const> = a, client.b ": what the source uses of the names.
std::string local_names(const Tokens& tokens, const ClientModelNames& names,
                        std::span<const std::string> direct) {
  std::string locals = "local " + std::string(count_iteration_name) + " <const>";
  std::string values = count_iteration_name;
  for (const std::string& name : names.common) {
    const bool is_used = std::any_of(tokens.begin(), tokens.end(), [&](const ScriptToken& token) {
      return is_name(token, name);
    });
    if (!is_used) continue;
    locals.append(", ").append(name).append(" <const>");
    values.append(", ").append(name);
  }
  for (const std::string& name : direct) {
    locals.append(", ").append(name).append(" <const>");
    values.append(", client.").append(name);
  }
  return locals.append(" = ").append(values).append(" ");
}

}  // namespace

std::string instrumented_source(const std::string& path, std::string_view source,
                                const ClientModelNames& names) {
  const lua::ScriptTokens tokens = lua::read_program(source);
  if (!tokens.is_complete) {
    throw scenario::InputError::about(
        path, "a text with quotes goes on over a line's end: write it as [[…]]", tokens.end_line);
  }
  const std::vector<std::string> direct = direct_functions(tokens.list, names);
  return local_names(tokens.list, names, direct)
      .append("return function(...) ")
      .append(SourceWriter(source, tokens.list, names, direct).counted())
      .append("\nend");
}

}  // namespace lockstep::model
