#include "redis/scripting/script_errors.h"

#include <cstddef>
#include <lua.hpp>

#include "lua/interpreter/numbers.h"
#include "lua/interpreter/text.h"

namespace lockstep::redis {

namespace {

/// "<before>attempt to <verb> <value> (<variable>)", Lua 5.4's way to name the culprit.
struct Culprit {
  std::string_view before_value;
  std::string_view value;     ///< "a nil value"
  std::string_view variable;  ///< "local 'x'"
};

bool find_culprit(std::string_view message, Culprit& culprit) {
  constexpr std::string_view attempt = "attempt to ";
  constexpr std::string_view open = " value (";
  constexpr std::string_view close = "')";
  const std::size_t begin = message.find(attempt);
  const std::size_t end = message.rfind(open);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin ||
      !message.ends_with(close)) {
    return false;
  }
  const std::size_t article = message.rfind(" a ", end);
  if (article == std::string_view::npos || article < begin) {
    return false;
  }
  culprit.before_value = message.substr(0, article + 1);
  culprit.value = message.substr(article + 1, end + 6 - (article + 1));
  culprit.variable = message.substr(end + open.size());
  culprit.variable.remove_suffix(1);
  return true;
}

bool push_culprit_first(lua_State* state, std::string_view message) {
  Culprit culprit;
  if (!find_culprit(message, culprit)) {
    return false;
  }
  lua::push_view(state, culprit.before_value);
  if (culprit.variable.starts_with("constant ")) {
    lua::push_view(state, culprit.value);
    lua_concat(state, 2);
    return true;
  }
  const bool is_indexed = culprit.variable == "field 'integer index'";
  lua::push_view(state, is_indexed ? "field '?'" : culprit.variable);
  lua_pushliteral(state, " (");
  lua::push_view(state, culprit.value);
  lua_pushliteral(state, ")");
  lua_concat(state, 5);
  return true;
}

/// "attempt to add a 'string' with a 'number'": Lua 5.1 names the operand that is not a number.
bool push_arithmetic_message(lua_State* state, std::string_view message) {
  constexpr std::string_view with = "' with a '";
  const std::size_t attempt = message.find("attempt to ");
  const std::size_t first = message.find(" a '");
  const std::size_t second = message.find(with);
  if (attempt == std::string_view::npos || first == std::string_view::npos ||
      second == std::string_view::npos || second < first || !message.ends_with('\'')) {
    return false;
  }
  const std::string_view left = message.substr(first + 4, second - first - 4);
  std::string_view right = message.substr(second + with.size());
  right.remove_suffix(1);
  const bool right_may_be_number = right == "number" || right == "string";
  lua::push_view(state, message.substr(0, attempt));
  lua_pushliteral(state, "attempt to perform arithmetic on a ");
  lua::push_view(state, right_may_be_number && left != "number" ? left : right);
  lua_pushliteral(state, " value");
  lua_concat(state, 4);
  return true;
}

/// "bad 'for' limit (number expected, got string)"
bool push_loop_message(lua_State* state, std::string_view message) {
  const std::size_t begin = message.find("bad 'for' ");
  const std::size_t end = message.find(" (number expected");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return false;
  }
  lua::push_view(state, message.substr(0, begin));
  lua::push_view(state, message.substr(begin + 4, end - begin - 4));
  lua_pushliteral(state, " must be a number");
  lua_concat(state, 3);
  return true;
}

bool is_refused_yield(std::string_view message) {
  return message == "attempt to yield across a C-call boundary" ||
         message == "attempt to yield from outside a coroutine";
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
    text.replace(at, from.size(), to);
    at += to.size();
  }
}

/// Lua 5.4 takes what may not stand as a statement for a "syntax error", 5.1 misses the "=" of an
/// assignment, unless there is one or a second target.
void expect_assignment(std::string& text) {
  constexpr std::string_view found = "syntax error near '";
  const std::size_t at = text.find(found);
  if (at == std::string::npos) {
    return;
  }
  const std::string near = text.substr(at + found.size());
  if (near != "='" && near != ",'") {
    text.replace(at, found.size(), "'=' expected near '");
  }
}

void drop_beginning_of_unfinished(std::string& text) {
  constexpr std::string_view found = " (starting at line ";
  const std::size_t at = text.find(found);
  const std::size_t end = at == std::string::npos ? at : text.find(')', at);
  if (end != std::string::npos) {
    text.erase(at, end + 1 - at);
  }
}

/// Fills in the function that raised the error, or, if that is C, the one that called it.
bool find_source(lua_State* state, lua_Debug& source) {
  if (lua_getstack(state, 1, &source) == 0 || lua_getinfo(state, "Sl", &source) == 0) {
    return false;
  }
  if (source.what[0] != 'C') {
    return true;
  }
  return lua_getstack(state, 2, &source) != 0 && lua_getinfo(state, "Sl", &source) != 0;
}

}  // namespace

void use_lua51_wording(lua_State* state) {
  if (lua_type(state, -1) != LUA_TSTRING) {
    return;
  }
  const std::string_view message = lua::view_of(state, -1);
  if (is_refused_yield(message)) {
    lua_pushliteral(state, "attempt to yield across metamethod/C-call boundary");
  } else if (!push_culprit_first(state, message) && !push_arithmetic_message(state, message) &&
             !push_loop_message(state, message)) {
    return;
  }
  lua_replace(state, -2);
}

std::string lua51_compiler_wording(std::string_view message) {
  std::string text(message);
  replace_all(text, "near <eof>", "near '<eof>'");
  replace_all(text, ": <eof> expected", ": '<eof>' expected");
  replace_all(text, ": <name> expected", ": '<name>' expected");
  replace_all(text, "decimal escape too large", "escape sequence too large");
  if (text.find("unfinished long ") != std::string::npos) {
    drop_beginning_of_unfinished(text);
  }
  expect_assignment(text);
  return text;
}

int describe_error(lua_State* state) {
  lua_settop(state, 1);
  lua_Debug source;
  const bool has_source = find_source(state, source);
  const char* const type = luaL_typename(state, 1);
  bool is_plain = lua_isstring(state, 1) != 0;
  if (lua_type(state, 1) == LUA_TTABLE) {
    lua_pushliteral(state, "is_kill");
    is_plain = lua_rawget(state, 1) == LUA_TBOOLEAN;
    lua_settop(state, 1);
  } else {
    use_lua51_wording(state);
    lua_createtable(state, 0, 3);
    lua::make_text(state, 1);
    lua_pushliteral(state, "ERR ");
    lua::push_text(state, 1);
    lua_concat(state, 2);
    lua_setfield(state, 2, "err");
    lua_pushboolean(state, 1);
    lua_setfield(state, 2, "text");
    lua_replace(state, 1);
  }
  if (!is_plain) {  // what 6.0's handler fails on
    lua_pushliteral(state, "raised");
    lua_pushstring(state, type);
    lua_rawset(state, 1);
  }
  if (has_source) {
    lua_pushliteral(state, "source");
    lua_pushstring(state, source.source);
    lua_rawset(state, 1);
    lua_pushliteral(state, "line");
    lua_pushnumber(state, source.currentline);
    lua_rawset(state, 1);
  }
  return 1;
}

}  // namespace lockstep::redis
