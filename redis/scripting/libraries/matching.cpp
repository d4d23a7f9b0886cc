// find, match, gmatch and gsub of Lua 5.1's string library, over its patterns (pattern.h).
//
// They differ from Lua 5.4's where a pattern matches nothing right after it matched something: 5.1
// counts that as a match of its own, so gsub("abc", "%w*", "x") is "xx". A `^` is a letter to
// gmatch. A find that begins past the text's end begins at its end. Replacements take any escape.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "lua/interpreter/text.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/libraries/pattern.h"
#include "redis/scripting/script_result.h"

namespace lockstep::redis {

namespace {

constexpr int subject = 1;
constexpr int pattern = 2;
constexpr int replacement = 3;
constexpr int limit_index = 4;

// A step is about what one instruction of Lua takes.
constexpr std::size_t bytes_per_step = 16;

// Upvalues of gmatch's iterator, after the context.
constexpr int iterated_subject = lua_upvalueindex(2);
constexpr int iterated_pattern = lua_upvalueindex(3);
constexpr int iterated_position = lua_upvalueindex(4);

std::string_view text_argument(lua_State* state, int index) {
  lua::make_text(state, index);
  luaL_checkstring(state, index);
  return lua::view_of(state, index);
}

std::int64_t number_argument(lua_State* state, int index, std::int64_t otherwise) {
  if (lua_isnoneornil(state, index)) return otherwise;
  lua::read_number(state, index);
  return cut_to_integer(luaL_checknumber(state, index));
}

/// Pushes the captures of a match, or the match itself.
int push_values(lua_State* state, PatternMatcher& matcher, const char* begin, const char* end) {
  const int count = matcher.value_count();
  luaL_checkstack(state, count, "too many captures");
  for (int capture = 0; capture < count; ++capture) matcher.push_capture(capture, begin, end);
  return count;
}

enum class Wanted : std::uint8_t { place, values };

int push_nothing(lua_State* state) {
  lua_pushnil(state);
  return 1;
}

/// What has none of the special letters before its first zero byte is looked for as it is.
bool is_plain(const char* text_pattern) {
  return std::strpbrk(text_pattern, "^$*+?.([%-") == nullptr;
}

int find_plain(lua_State* state, std::string_view text, std::size_t from, std::string_view wanted) {
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  const std::size_t begin =
      found == nullptr ? text.size()
                       : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
  context_of(state).watch->count(state, (begin - from) / bytes_per_step);
  if (found == nullptr) return push_nothing(state);
  lua::push_whole_number(state, static_cast<std::int64_t>(begin) + 1);
  lua::push_whole_number(state, static_cast<std::int64_t>(begin + wanted.size()));
  return 2;
}

int find_pattern(lua_State* state, std::string_view text, std::size_t from, Wanted wanted) {
  const char* text_pattern = lua_tostring(state, pattern);
  const bool is_anchored = *text_pattern == '^';
  if (is_anchored) ++text_pattern;
  PatternMatcher matcher(state, *context_of(state).watch, text, text_pattern);
  const char* const text_end = text.data() + text.size();
  const char* begin = text.data() + from;
  const char* end = matcher.match(begin);
  while (end == nullptr && begin < text_end && !is_anchored) end = matcher.match(++begin);
  matcher.report();
  if (end == nullptr) return push_nothing(state);
  if (wanted == Wanted::values) return push_values(state, matcher, begin, end);
  lua::push_whole_number(state, begin - text.data() + 1);
  lua::push_whole_number(state, end - text.data());
  return matcher.capture_count() == 0 ? 2 : 2 + push_values(state, matcher, begin, end);
}

int find_or_match(lua_State* state, Wanted wanted) {
  const std::string_view text = text_argument(state, subject);
  const std::string_view looked_for = text_argument(state, pattern);
  const auto length = static_cast<std::int64_t>(text.size());
  std::int64_t position = number_argument(state, 3, 1);
  if (position < 0) position += length + 1;
  const auto from = static_cast<std::size_t>(std::clamp<std::int64_t>(position - 1, 0, length));
  const bool is_plain_search =
      wanted == Wanted::place && (lua_toboolean(state, 4) != 0 || is_plain(looked_for.data()));
  return is_plain_search ? find_plain(state, text, from, looked_for)
                         : find_pattern(state, text, from, wanted);
}

int find(lua_State* state) { return find_or_match(state, Wanted::place); }

int match(lua_State* state) { return find_or_match(state, Wanted::values); }

int next_match(lua_State* state) {
  const std::string_view text = lua::view_of(state, iterated_subject);
  PatternMatcher matcher(state, *context_of(state).watch, text,
                         lua_tostring(state, iterated_pattern));
  const char* const text_end = text.data() + text.size();
  const char* begin = text.data() + lua_tointeger(state, iterated_position);
  for (; begin <= text_end; ++begin) {
    const char* end = matcher.match(begin);
    if (end == nullptr) continue;
    matcher.report();
    lua_pushinteger(state, end - text.data() + (end == begin ? 1 : 0));
    lua_replace(state, iterated_position);
    return push_values(state, matcher, begin, end);
  }
  matcher.report();
  return 0;
}

int iterate_matches(lua_State* state) {
  text_argument(state, subject);
  text_argument(state, pattern);
  lua_settop(state, pattern);
  lua_pushvalue(state, lua_upvalueindex(1));
  lua_insert(state, 1);
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, &next_match, 4);
  return 1;
}

/// What gsub works on. Lives across calls that raise.
struct Substitution {
  lua_State* state;
  PatternMatcher matcher;
  luaL_Buffer result;

  void add(const char* begin, const char* end) {
    const auto length = static_cast<std::size_t>(end - begin);
    matcher.spend(length / bytes_per_step);
    luaL_addlstring(&result, begin, length);
  }

  /// Adds the value on top of the stack, a text or a number.
  void add_value() {
    lua::make_text(state, -1);
    luaL_addvalue(&result);
  }

  /// Adds the replacement text with its captures filled in.
  void add_filled_text(const char* begin, const char* end) {
    const std::string_view text = lua::view_of(state, replacement);
    matcher.spend(text.size());
    for (std::size_t position = 0; position < text.size(); ++position) {
      if (text[position] != '%') {
        luaL_addchar(&result, text[position]);
        continue;
      }
      ++position;
      const char letter = position < text.size() ? text[position] : '\0';
      if (letter == '0') {
        add(begin, end);
      } else if (letter >= '1' && letter <= '9') {
        matcher.push_capture(letter - '1', begin, end);
        add_value();
      } else {
        luaL_addchar(&result, letter);
      }
    }
  }

  /// Adds what replaces a match.
  void replace(const char* begin, const char* end) {
    const int type = lua_type(state, replacement);
    if (type == LUA_TFUNCTION) {
      lua_pushvalue(state, replacement);
      lua_call(state, push_values(state, matcher, begin, end), 1);
    } else if (type == LUA_TTABLE) {
      matcher.push_capture(0, begin, end);
      lua_gettable(state, replacement);
    } else {
      add_filled_text(begin, end);
      return;
    }
    if (lua_toboolean(state, -1) == 0) {
      lua_pop(state, 1);
      add(begin, end);
    } else if (lua_isstring(state, -1) == 0) {
      luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
    } else {
      add_value();
    }
  }
};

int substitute(lua_State* state) {
  const std::string_view text = text_argument(state, subject);
  const char* text_pattern = text_argument(state, pattern).data();
  const int type = lua_type(state, replacement);
  // As in Lua 5.1, which counts in an int.
  const auto matches_max = static_cast<std::int32_t>(
      number_argument(state, limit_index, static_cast<std::int64_t>(text.size()) + 1));
  luaL_argcheck(
      state,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TFUNCTION,
      replacement, "string/function/table expected");
  lua::make_text(state, replacement);
  lua_settop(state, limit_index);
  const bool is_anchored = *text_pattern == '^';
  if (is_anchored) ++text_pattern;
  Substitution made{state, PatternMatcher(state, *context_of(state).watch, text, text_pattern), {}};
  luaL_buffinit(state, &made.result);
  const char* const text_end = text.data() + text.size();
  const char* unwritten = text.data();
  std::int32_t matches = 0;
  for (const char* begin = text.data(); matches < matches_max;) {
    const char* end = made.matcher.match(begin);
    if (end != nullptr) {
      ++matches;
      made.add(unwritten, begin);
      made.replace(begin, end);
      unwritten = end;
    }
    if (end != nullptr && end > begin) {
      begin = end;
    } else if (begin < text_end) {
      ++begin;
    } else {
      break;
    }
    if (is_anchored) break;
  }
  made.add(unwritten, text_end);
  made.matcher.report();
  luaL_pushresult(&made.result);
  lua::push_whole_number(state, matches);
  return 2;
}

}  // namespace

void install_matching_functions(lua_State* state, ScriptContext& context) {
  set_context_function(state, context, "find", &find);
  set_context_function(state, context, "match", &match);
  set_context_function(state, context, "gsub", &substitute);
  set_context_function(state, context, "gmatch", &iterate_matches);
  lua_getfield(state, -1, "gmatch");
  lua_setfield(state, -2, "gfind");
}

}  // namespace lockstep::redis
