#include "redis/scripting/script_shebang.h"

#include <array>
#include <optional>
#include <vector>

namespace lockstep::redis {

namespace {

struct Flag {
  std::string_view name;
  bool ScriptFlags::*member;
};

constexpr std::array<Flag, 5> shebang_flags = {{
    {"no-writes", &ScriptFlags::no_writes},
    {"allow-oom", &ScriptFlags::allow_oom},
    {"allow-stale", &ScriptFlags::allow_stale},
    {"no-cluster", &ScriptFlags::no_cluster},
    {"allow-cross-slot-keys", &ScriptFlags::allow_cross_slot_keys},
}};

bool is_shebang_blank(char letter) {
  return letter == ' ' || (letter >= '\t' && letter <= '\r') || letter == '\0';
}

/// What the letter after a backslash means between double quotes.
char escaped(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return letter;
  }
}

/// Reads from a quote to the next of its kind; false if there is none.
bool take_quoted(std::string_view& line, std::string& word) {
  const char quote = line.front();
  line.remove_prefix(1);
  while (!line.empty() && line.front() != quote) {
    const bool is_escape =
        line.front() == '\\' && line.size() > 1 && (quote == '"' || line[1] == '\'');
    if (is_escape) line.remove_prefix(1);
    word += is_escape && quote == '"' ? escaped(line.front()) : line.front();
    line.remove_prefix(1);
  }
  if (line.empty()) return false;
  line.remove_prefix(1);
  return true;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

/// Reads one word of the line, in which a part may stand in quotes; nothing if a quote does not end
/// a word. Leaves the rest in `line`.
std::optional<std::string> take_word(std::string_view& line) {
  std::string word;
  while (!line.empty() && !is_shebang_blank(line.front())) {
    const char letter = line.front();
    if (letter != '"' && letter != '\'') {
      word += letter;
      line.remove_prefix(1);
      continue;
    }
    if (!take_quoted(line, word)) return std::nullopt;
    if (!line.empty() && !is_shebang_blank(line.front())) return std::nullopt;
    break;
  }
  return word;
}

}  // namespace

std::optional<std::vector<std::string>> shebang_words(std::string_view line) {
  std::vector<std::string> words;
  for (;;) {
    while (!line.empty() && is_shebang_blank(line.front())) line.remove_prefix(1);
    if (line.empty()) return words;
    std::optional<std::string> word = take_word(line);
    if (!word) return std::nullopt;
    words.push_back(std::move(*word));
  }
}

bool set_script_flag(std::string_view name, ScriptFlags& declaration) {
  for (const Flag& flag : shebang_flags) {
    if (flag.name == name) {
      declaration.*flag.member = true;
      return true;
    }
  }
  return false;
}

std::vector<std::string_view> script_flag_names(const ScriptFlags& flags) {
  std::vector<std::string_view> names;
  for (const Flag& flag : shebang_flags) {
    if (flags.*flag.member) names.push_back(flag.name);
  }
  return names;
}

namespace {

/// Takes `flags=a,b`; gives the complaint about what can't be taken.
std::optional<std::string> take_option(std::string_view option, ScriptFlags& declaration) {
  constexpr std::string_view prefix = "flags=";
  if (!option.starts_with(prefix)) {
    return "ERR Unknown lua shebang option: " + std::string(option);
  }
  const std::string_view list = option.substr(prefix.size());
  if (list.empty()) {
    return std::nullopt;
  }
  for (const std::string_view name : split(list, ',')) {
    if (!set_script_flag(name, declaration)) {
      return "ERR Unexpected flag in script shebang: " + std::string(name);
    }
  }
  return std::nullopt;
}

}  // namespace

std::variant<ScriptShebang, std::string> read_shebang(std::string_view body) {
  ScriptShebang shebang;
  if (!body.starts_with("#!")) {
    return shebang;
  }
  shebang.length = body.find('\n');
  if (shebang.length == std::string_view::npos) {
    return std::string("ERR Invalid script shebang");
  }
  shebang.declaration.has_shebang = true;
  const auto words = shebang_words(body.substr(0, shebang.length));
  if (!words) return std::string("ERR Invalid engine in script shebang");
  if (words->front() != "#!lua") {
    return "ERR Unexpected engine in script shebang: " + words->front();
  }
  for (std::size_t index = 1; index < words->size(); ++index) {
    if (std::optional<std::string> complaint = take_option((*words)[index], shebang.declaration)) {
      return std::move(*complaint);
    }
  }
  return shebang;
}

}  // namespace lockstep::redis
