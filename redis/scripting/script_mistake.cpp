#include "redis/scripting/script_mistake.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "redis/server/server_version.h"

namespace lockstep::redis {
namespace {

/// Lua's own words, behind "user_script:1: ".
constexpr std::array<std::string_view, 10> lua_mistakes = {
    "attempt to index ",
    "attempt to call ",
    "attempt to perform arithmetic ",
    "attempt to compare ",
    "attempt to concatenate ",
    "attempt to get length ",
    "bad argument #",
    "Script attempted to access nonexistent global variable ",
    "Script attempted to create global variable ",
    "Attempt to modify a readonly table"};

constexpr std::string_view script_name = "user_script:";
constexpr std::string_view error_code = "ERR ";

std::uint32_t number_at(std::string_view text, std::size_t begin) {
  std::uint32_t number = 0;
  std::from_chars(text.data() + begin, text.data() + text.size(), number);
  return number;
}

/// Without " script: <SHA1>, on @user_script:1.", which newer servers add.
std::string_view without_place(std::string_view what) {
  return what.substr(0, what.rfind(" script: "));
}

}  // namespace

std::optional<ScriptMistake> find_script_mistake(std::string_view error_reply) {
  const std::size_t name = error_reply.find(script_name);
  const std::uint32_t line =
      name == std::string_view::npos ? 0 : number_at(error_reply, name + script_name.size());
  for (const VersionTraits& version : version_table) {
    for (const std::string_view words :
         {version.unknown_in_script, version.wrong_arity_in_script, version.forbidden_in_script,
          version.no_arguments_in_script, version.bad_arguments_in_script}) {
      const std::size_t begin = error_reply.find(words);
      if (begin == std::string_view::npos) continue;
      std::string_view what = without_place(error_reply.substr(begin));
      if (what.starts_with(error_code)) what.remove_prefix(error_code.size());
      return ScriptMistake{line, what};
    }
  }
  for (const std::string_view words : lua_mistakes) {
    const std::size_t begin = error_reply.find(words);
    if (begin == std::string_view::npos || name == std::string_view::npos || begin < name) continue;
    // Lua's message stands right behind the last place.
    const std::size_t place = error_reply.rfind(script_name, begin);
    const std::size_t colon = error_reply.find(": ", place);
    if (colon + 2 != begin) continue;
    return ScriptMistake{number_at(error_reply, place + script_name.size()),
                         without_place(error_reply.substr(begin))};
  }
  return std::nullopt;
}

}  // namespace lockstep::redis
