#include "redis/scripting/script_mistake.h"

#include <array>
#include <charconv>
#include <cstddef>

#include "redis/server/server_version.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

/// Lua's own words, behind "user_script:1: ": how they begin, and what comes later, where others
/// may begin so too.
struct Words {
  std::string_view begin;
  std::string_view later = {};
};
constexpr std::array lua_mistakes = {
    Words{"attempt to index "},
    Words{"attempt to call "},
    Words{"attempt to perform arithmetic "},
    Words{"attempt to compare "},
    Words{"attempt to concatenate "},
    Words{"attempt to get length "},
    Words{"bad argument #"},
    Words{"'for' initial value must be a number"},
    Words{"'for' limit must be a number"},
    Words{"'for' step must be a number"},
    Words{"invalid value (", "in table for 'concat'"},
    Words{"invalid option '", " to 'format'"},
    Words{"invalid order function for sorting"},
    Words{"invalid capture index"},
    Words{"invalid pattern capture"},
    Words{"malformed pattern ("},
    Words{"unfinished capture"},
    Words{"missing '[' after '%f' in pattern"},
    Words{"table index is nil"},
    Words{"table index is NaN"},
    Words{"too many results to unpack"},
    Words{"wrong number of arguments to 'insert'"},
    Words{"stack overflow"},
    Words{"Script attempted to access nonexistent global variable "},
    Words{"Script attempted to create global variable "},
    Words{"Attempt to modify a readonly table"}};

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
  for (const Words& words : lua_mistakes) {
    const std::size_t begin = error_reply.find(words.begin);
    if (begin == std::string_view::npos || name == std::string_view::npos || begin < name) continue;
    if (error_reply.find(words.later, begin) == std::string_view::npos) continue;
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
