#include "model/redis/script_shebang.h"

#include <array>
#include <optional>
#include <vector>

namespace lockstep::redis {

namespace {

struct Flag {
  std::string_view name;
  bool ScriptDeclaration::*member;
};

constexpr std::array<Flag, 5> flags = {{
    {"no-writes", &ScriptDeclaration::no_writes},
    {"allow-oom", &ScriptDeclaration::allow_oom},
    {"allow-stale", &ScriptDeclaration::allow_stale},
    {"no-cluster", &ScriptDeclaration::no_cluster},
    {"allow-cross-slot-keys", &ScriptDeclaration::allow_cross_slot_keys},
}};

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

bool set_flag(std::string_view name, ScriptDeclaration& declaration) {
  for (const Flag& flag : flags) {
    if (flag.name == name) {
      declaration.*flag.member = true;
      return true;
    }
  }
  return false;
}

/// Takes `flags=a,b`; gives the complaint about what can't be taken.
std::optional<std::string> take_option(std::string_view option, ScriptDeclaration& declaration) {
  constexpr std::string_view prefix = "flags=";
  if (!option.starts_with(prefix)) {
    return "ERR Unknown lua shebang option: " + std::string(option);
  }
  const std::string_view list = option.substr(prefix.size());
  if (list.empty()) {
    return std::nullopt;
  }
  for (const std::string_view name : split(list, ',')) {
    if (!set_flag(name, declaration)) {
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
  const std::vector<std::string_view> words = split(body.substr(0, shebang.length), ' ');
  if (words.front() != "#!lua") {
    return "ERR Unexpected engine in script shebang: " + std::string(words.front());
  }
  for (std::size_t index = 1; index < words.size(); ++index) {
    if (words[index].empty()) {
      continue;
    }
    if (std::optional<std::string> complaint = take_option(words[index], shebang.declaration)) {
      return std::move(*complaint);
    }
  }
  return shebang;
}

}  // namespace lockstep::redis
