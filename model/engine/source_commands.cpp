#include "model/engine/source_commands.h"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "lua/source/tokens.h"
#include "model/lock/lock_package.h"
#include "scenario/options.h"

namespace lockstep::model {
namespace {

using Token = lua::ScriptToken;
using Kind = Token::Kind;

bool is_string(const Token& token) {
  return token.kind == Kind::string || token.kind == Kind::long_string;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

/// What stands between the quotes.
std::string_view content_of(const Token& token) {
  std::string_view text = token.text;
  if (token.kind == Kind::string) return text.substr(1, text.size() - 2);
  const std::size_t quote = text.find('[', 1) + 1;
  return text.substr(quote, text.size() - 2 * quote);
}

/// The program's words, to be looked at by their places: behind the last there are empty ones.
class LuaProgram {
 public:
  explicit LuaProgram(std::string_view source) : tokens_(lua::read_program(source)) {}

  [[nodiscard]] bool is_complete() const { return tokens_.is_complete; }
  [[nodiscard]] std::span<const Token> tokens() const { return tokens_.list; }
  [[nodiscard]] const Token& at(std::size_t place) const {
    return place < tokens_.list.size() ? tokens_.list[place] : nothing_;
  }
  /// Whether the words from this place on are `object . function`.
  [[nodiscard]] bool is_field(std::size_t place, std::string_view object,
                              std::string_view function) const {
    return at(place).text == object && at(place + 1).text == "." && at(place + 2).text == function;
  }
  /// Whether an argument that begins here is a string and nothing else.
  [[nodiscard]] bool is_plain_string(std::size_t place) const {
    const std::string_view next = at(place + 1).text;
    return is_string(at(place)) && (next == "," || next == ")");
  }
  /// Where the argument after the one that begins here begins; the end where there is none.
  [[nodiscard]] std::size_t next_argument(std::size_t place) const {
    int depth = 0;
    for (; place < tokens_.list.size(); ++place) {
      const std::string_view text = at(place).text;
      if (text == "(" || text == "{" || text == "[") ++depth;
      if (text == ")" || text == "}" || text == "]") --depth;
      if (depth < 0) break;
      if (depth == 0 && text == ",") return place + 1;
    }
    return tokens_.list.size();
  }

 private:
  lua::ScriptTokens tokens_;
  const Token nothing_{Kind::symbol, {}, 0};
};

/// Whether each command of a script is named where it is called.
bool names_what_it_calls(const LuaProgram& script) {
  for (std::size_t i = 0; i < script.tokens().size(); ++i) {
    if (script.at(i).text != "redis" || script.at(i).kind != Kind::name) continue;
    const bool is_call =
        script.is_field(i, "redis", "call") || script.is_field(i, "redis", "pcall");
    if (script.at(i + 1).text == "." && !is_call) continue;
    if (!is_call || script.at(i + 3).text != "(" || !script.is_plain_string(i + 4)) return false;
  }
  return true;
}

/// Whether it may reach what it calls by other ways than its name, or run a text as a program.
bool hides_what_it_calls(const LuaProgram& script) {
  constexpr auto ways = std::to_array<std::string_view>(
      {"_G", "getfenv", "setfenv", "load", "loadstring", "dofile", "rawget", "debug"});
  return std::any_of(script.tokens().begin(), script.tokens().end(), [&](const Token& token) {
    if (is_string(token)) return content_of(token) == "redis";
    return token.kind == Kind::name &&
           std::find(ways.begin(), ways.end(), token.text) != ways.end();
  });
}

/// A command that runs a program, or a program: what it calls is not looked at. "eval" as it stands
/// here calls a script of the lock, where it is not sent as a command.
bool runs_a_program(std::string_view content) {
  if (content == "eval") return false;
  const std::string name = lower_case(content);
  const bool is_command = name.starts_with("eval") || name.starts_with("script ") ||
                          name == "script" || name.starts_with("fcall") || name == "function";
  return is_command || content.find("redis.") != std::string_view::npos;
}

/// Whether a command's name is put together where it is sent, or "eval" is sent as a command.
bool sends_what_cannot_be_read(const LuaProgram& client_program) {
  for (std::size_t i = 0; i < client_program.tokens().size(); ++i) {
    if (!client_program.is_field(i, "client", "command") || client_program.at(i + 3).text != "(")
      continue;
    const std::size_t name = client_program.next_argument(i + 4);
    if (client_program.is_plain_string(name) && content_of(client_program.at(name)) == "eval")
      return true;
    for (std::size_t j = name; j + 1 < client_program.next_argument(name); ++j) {
      if (client_program.at(j).text == "..") return true;
    }
  }
  return false;
}

/// The commands that a client model names where it sends them; false where it sends others, too.
bool take_commands(const LuaProgram& client_program, std::vector<const Token*>& commands) {
  for (std::size_t i = 0; i < client_program.tokens().size(); ++i) {
    if (client_program.at(i).text != "client" || client_program.at(i).kind != Kind::name) continue;
    if (client_program.at(i + 1).text != "." || client_program.is_field(i, "client", "pipeline"))
      return false;
    if (!client_program.is_field(i, "client", "command")) continue;
    if (client_program.at(i + 3).text != "(") return false;
    const std::size_t name = client_program.next_argument(i + 4);
    if (!client_program.is_plain_string(name)) return false;
    commands.push_back(&client_program.at(name));
  }
  return true;
}

bool spells_letters_as_numbers(std::string_view content) {
  for (std::size_t i = 0; i + 1 < content.size(); ++i) {
    if (content[i] != '\\') continue;
    const char next = content[++i];
    if (next == 'x' || next == 'u' || next == 'z' || (next >= '0' && next <= '9')) return true;
  }
  return false;
}

}  // namespace

SourceCommands::SourceCommands(const LockPackage& package) {
  const auto take = [this](const Token& token) {
    const std::string_view content = content_of(token);
    names_.push_back(lower_case(content));
    is_opaque_ |= spells_letters_as_numbers(content) || runs_a_program(content);
  };
  const auto take_all = [&take](const LuaProgram& program) {
    for (const Token& token : program.tokens()) {
      if (is_string(token)) take(token);
    }
  };
  bool are_named = true;
  for (const LockScript& script : package.scripts) {
    const LuaProgram program(script.body);
    is_opaque_ |= !program.is_complete() || hides_what_it_calls(program);
    are_named = names_what_it_calls(program) && are_named;
    take_all(program);
  }
  std::vector<LuaProgram> client_programs;
  client_programs.emplace_back(package.client_source);
  for (const LockLibrary& library : package.libraries) client_programs.emplace_back(library.source);
  std::vector<const Token*> commands;
  for (const LuaProgram& client_program : client_programs) {
    is_opaque_ |= !client_program.is_complete() || sends_what_cannot_be_read(client_program);
    are_named = are_named && take_commands(client_program, commands);
  }
  if (are_named) {
    for (const Token* command : commands) take(*command);
  } else {
    for (const LuaProgram& client_program : client_programs) take_all(client_program);
    take_words(*package.options);
    for (const auto& [client, options] : *package.options_of_clients) take_words(options);
  }
}

void SourceCommands::take_words(const scenario::Options& options) {
  for (const auto& [option, value] : options) {
    const auto* const text = std::get_if<std::string>(&value);
    if (text == nullptr) continue;
    names_.push_back(lower_case(*text));
    is_opaque_ |= runs_a_program(*text);
  }
}

bool SourceCommands::may_name(std::span<const std::string_view> words) const {
  return is_opaque_ || std::any_of(words.begin(), words.end(), [this](std::string_view word) {
           return std::any_of(names_.begin(), names_.end(),
                              [word](const std::string& name) { return name.ends_with(word); });
         });
}

}  // namespace lockstep::model
