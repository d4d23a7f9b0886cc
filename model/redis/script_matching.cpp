// string.gsub and string.gmatch of Lua 5.1.
//
// They differ from Lua 5.4's where a pattern matches nothing right after it matched something: 5.1
// counts that as a match of its own, so gsub("abc", "%w*", "x") is "xx". Only a pattern with `*`,
// `-` or `?` can do so. Those go step by step here, with the stock `find`, and so do replacements
// with a `%`, since Lua 5.4 refuses escapes that 5.1 takes, and by functions and tables, which may
// give numbers. All others go to the stock function.
#include <cstddef>
#include <limits>
#include <lua.hpp>
#include <string_view>

#include "model/lua/deterministic_base.h"
#include "model/redis/script_libraries.h"
#include "model/redis/script_numbers.h"
#include "model/redis/script_result.h"

namespace lockstep::redis {

namespace {

constexpr int stock_upvalue = 1;
constexpr int find_upvalue = 2;

// What stands where on the stack of gsub.
constexpr int subject = 1;
constexpr int pattern = 2;
constexpr int replacement = 3;
constexpr int pieces = 5;
constexpr int match_begin = 6;
constexpr int match_end = 7;
constexpr int first_capture = 8;

std::string_view view_of(lua_State* state, int index) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, index, &length);
  return {text, length};
}

void push_view(lua_State* state, std::string_view text) {
  lua_pushlstring(state, text.data(), text.size());
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Or captures a position, which the stock functions give as an integer.
bool needs_steps(std::string_view text) {
  return text.find_first_of("*-?") != std::string_view::npos ||
         text.find("()") != std::string_view::npos;
}

/// Calls `find` (at `function`) from `position` on, counted from 0; false if there is no match.
/// Else begin, end and captures are on the stack.
bool find_match(lua_State* state, int function, int text, int text_pattern, std::size_t position) {
  const int top = lua_gettop(state);
  lua_pushvalue(state, function);
  lua_pushvalue(state, text);
  lua_pushvalue(state, text_pattern);
  lua_pushinteger(state, static_cast<lua_Integer>(position) + 1);
  lua_call(state, 3, LUA_MULTRET);
  if (lua_isnil(state, top + 1)) {
    lua_settop(state, top);
    return false;
  }
  luaL_checkstack(state, 10, "too many captures");
  for (int capture = top + 3; capture <= lua_gettop(state); ++capture) {
    make_float(state, capture);  // a position
  }
  return true;
}

std::string_view matched_text(lua_State* state) {
  const auto begin = static_cast<std::size_t>(lua_tointeger(state, match_begin)) - 1;
  const auto end = static_cast<std::size_t>(lua_tointeger(state, match_end));
  return view_of(state, subject).substr(begin, end - begin);
}

/// Pushes a capture, counted from 1; the whole match stands for the first if there are none.
void push_capture(lua_State* state, int capture_count, int capture) {
  if (capture <= capture_count) {
    lua_pushvalue(state, first_capture + capture - 1);
  } else if (capture == 1) {
    push_view(state, matched_text(state));
  } else {
    luaL_error(state, "invalid capture index");
  }
}

/// Pushes the replacement text with its captures filled in.
void push_filled_text(lua_State* state, int capture_count) {
  const std::string_view text = view_of(state, replacement);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (std::size_t position = 0; position < text.size(); ++position) {
    if (text[position] != '%') {
      luaL_addchar(&buffer, text[position]);
      continue;
    }
    ++position;
    const char letter = position < text.size() ? text[position] : '\0';
    if (letter == '0') {
      const std::string_view match = matched_text(state);
      luaL_addlstring(&buffer, match.data(), match.size());
    } else if (is_digit(letter)) {
      push_capture(state, capture_count, letter - '0');
      make_text(state, -1);
      luaL_addvalue(&buffer);
    } else {
      luaL_addchar(&buffer, letter);
    }
  }
  luaL_pushresult(&buffer);
}

/// Pushes what replaces the match on the stack.
void push_replacement(lua_State* state) {
  const int capture_count = lua_gettop(state) - match_end;
  switch (lua_type(state, replacement)) {
    case LUA_TFUNCTION: {
      lua_pushvalue(state, replacement);
      const int arguments = capture_count == 0 ? 1 : capture_count;
      for (int capture = 1; capture <= arguments; ++capture) {
        push_capture(state, capture_count, capture);
      }
      lua_call(state, arguments, 1);
      break;
    }
    case LUA_TTABLE:
      push_capture(state, capture_count, 1);
      lua_gettable(state, replacement);
      break;
    default:
      push_filled_text(state, capture_count);
      return;
  }
  if (lua_toboolean(state, -1) == 0) {
    lua_pop(state, 1);
    push_view(state, matched_text(state));
  } else if (lua_isstring(state, -1) == 0) {
    luaL_error(state, "invalid replacement value (a %s)", luaL_typename(state, -1));
  }
}

/// Pops a value and adds it to the pieces.
void add_piece(lua_State* state, lua_Integer& count) { lua_rawseti(state, pieces, ++count); }

void push_joined(lua_State* state, lua_Integer count) {
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (lua_Integer piece = 1; piece <= count; ++piece) {
    NumberBuffer numbers;
    if (lua_rawgeti(state, pieces, piece) == LUA_TNUMBER) {
      const std::string_view text = number_text(state, -1, numbers);
      lua_pop(state, 1);
      luaL_addlstring(&buffer, text.data(), text.size());
    } else {
      luaL_addvalue(&buffer);
    }
  }
  luaL_pushresult(&buffer);
}

/// gsub step by step. Stack: subject, pattern, replacement, limit.
int substitute_stepwise(lua_State* state, std::int64_t limit) {
  const std::string_view text = view_of(state, subject);
  const bool is_anchored = view_of(state, pattern).starts_with('^');
  lua_settop(state, pieces - 1);
  lua_newtable(state);
  lua_Integer piece_count = 0;
  std::int64_t matches = 0;
  std::size_t position = 0;
  while (matches < limit && position <= text.size() &&
         find_match(state, lua_upvalueindex(find_upvalue), subject, pattern, position)) {
    const auto begin = static_cast<std::size_t>(lua_tointeger(state, match_begin)) - 1;
    const auto end = static_cast<std::size_t>(lua_tointeger(state, match_end));
    ++matches;
    push_replacement(state);
    lua_insert(state, match_begin);
    lua_settop(state, match_begin);
    push_view(state, text.substr(position, begin - position));
    add_piece(state, piece_count);
    add_piece(state, piece_count);
    position = end;
    if (begin == end) {
      push_view(state, text.substr(begin, 1));
      add_piece(state, piece_count);
      position = begin + 1;
    }
    if (is_anchored) {
      break;
    }
  }
  if (position < text.size()) {
    push_view(state, text.substr(position));
    add_piece(state, piece_count);
  }
  push_joined(state, piece_count);
  push_whole_number(state, matches);
  return 2;
}

int substitute(lua_State* state) {
  make_text(state, subject);
  luaL_checkstring(state, subject);
  luaL_checkstring(state, pattern);
  const int type = lua_type(state, replacement);
  luaL_argcheck(
      state,
      type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TTABLE || type == LUA_TFUNCTION,
      replacement, "string/function/table expected");
  const bool is_limited = !lua_isnoneornil(state, 4);
  const std::int64_t limit = is_limited ? cut_to_integer(luaL_checknumber(state, 4))
                                        : std::numeric_limits<std::int64_t>::max();
  make_text(state, replacement);
  const bool has_escapes =
      type == LUA_TSTRING && view_of(state, replacement).find('%') != std::string_view::npos;
  const bool gives_text = type == LUA_TNUMBER || type == LUA_TSTRING;
  if (!gives_text || has_escapes || needs_steps(view_of(state, pattern))) {
    return substitute_stepwise(state, limit);
  }
  lua_settop(state, replacement);
  if (is_limited) {
    lua_pushinteger(state, limit);
  }
  lua_tocfunction(state, lua_upvalueindex(stock_upvalue))(state);
  make_float(state, -1);
  return 2;
}

/// Iterator of gmatch. Upvalues: find, subject, pattern, where to go on.
int next_match(lua_State* state) {
  constexpr int text = lua_upvalueindex(2);
  constexpr int position_upvalue = lua_upvalueindex(4);
  const lua_Integer position = lua_tointeger(state, position_upvalue);
  lua_settop(state, 0);
  if (position > static_cast<lua_Integer>(lua_rawlen(state, text)) ||
      !find_match(state, lua_upvalueindex(1), text, lua_upvalueindex(3),
                  static_cast<std::size_t>(position))) {
    return 0;
  }
  const lua_Integer begin = lua_tointeger(state, 1) - 1;
  const lua_Integer end = lua_tointeger(state, 2);
  lua_pushinteger(state, begin == end ? end + 1 : end);
  lua_replace(state, position_upvalue);
  if (lua_gettop(state) > 2) {
    return lua_gettop(state) - 2;
  }
  push_view(state,
            view_of(state, text)
                .substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
  return 1;
}

int iterate_matches(lua_State* state) {
  make_text(state, subject);
  luaL_checkstring(state, subject);
  luaL_checkstring(state, pattern);
  lua_settop(state, 2);
  if (!needs_steps(view_of(state, pattern))) {
    return lua_tocfunction(state, lua_upvalueindex(stock_upvalue))(state);
  }
  if (view_of(state, pattern).starts_with('^')) {  // here no anchor but a letter
    lua_pushliteral(state, "%");
    lua_pushvalue(state, pattern);
    lua_concat(state, 2);
    lua_replace(state, pattern);
  }
  lua_pushvalue(state, lua_upvalueindex(find_upvalue));
  lua_insert(state, 1);
  lua_pushinteger(state, 0);
  lua_pushcclosure(state, &next_match, 4);
  return 1;
}

void set_matching_function(lua_State* state, const char* name, lua_CFunction function) {
  lua::push_stock_function(state, LUA_STRLIBNAME, name);
  lua::push_stock_function(state, LUA_STRLIBNAME, "find");
  lua_pushcclosure(state, function, 2);
  lua_setfield(state, -2, name);
}

}  // namespace

void install_matching_functions(lua_State* state) {
  set_matching_function(state, "gsub", &substitute);
  set_matching_function(state, "gmatch", &iterate_matches);
  lua_getfield(state, -1, "gmatch");
  lua_setfield(state, -2, "gfind");
}

}  // namespace lockstep::redis
