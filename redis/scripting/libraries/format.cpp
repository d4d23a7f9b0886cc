// string.format of Lua 5.1: numbers are cut where a directive wants an integer, %s wants a string.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_result.h"
#include "sim/ascii.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t item_max = 512;  // "%99.99f" of the largest double takes 409
constexpr std::size_t directive_max = 24;
constexpr std::size_t short_string_max = 100;

/// One `%…` of a format: flags, width, precision, as C spells them; the letter comes apart.
struct Directive {
  std::array<char, directive_max> text;
  std::size_t length = 0;
  bool has_precision = false;
  char letter = '\0';

  void add(std::string_view more) {
    std::memcpy(text.data() + length, more.data(), more.size());
    length += more.size();
    text[length] = '\0';
  }
};

std::size_t skip_two_digits(std::string_view format, std::size_t position) {
  for (int digits = 0; digits < 2 && position < format.size() && sim::is_digit(format[position]);
       ++digits) {
    ++position;
  }
  return position;
}

/// Reads the directive that follows the '%' before `position`, and moves past it.
Directive read_directive(lua_State* state, std::string_view format, std::size_t& position) {
  constexpr std::string_view flags = "-+ #0";
  const std::size_t begin = position;
  while (position < format.size() && flags.find(format[position]) != std::string_view::npos) {
    ++position;
  }
  if (position - begin > flags.size()) {
    luaL_error(state, "invalid format (repeated flags)");
  }
  Directive directive;
  position = skip_two_digits(format, position);
  if (position < format.size() && format[position] == '.') {
    directive.has_precision = true;
    position = skip_two_digits(format, position + 1);
  }
  if (position < format.size() && sim::is_digit(format[position])) {
    luaL_error(state, "invalid format (width or precision too long)");
  }
  directive.add("%");
  directive.add(format.substr(begin, position - begin));
  directive.letter = position < format.size() ? format[position] : '\0';
  ++position;
  return directive;
}

template <typename Value>
void add_item(luaL_Buffer& buffer, const Directive& directive, Value value) {
  char* item = luaL_prepbuffsize(&buffer, item_max);
  // The directive was checked letter by letter; the compiler can't see it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  std::snprintf(item, item_max, directive.text.data(), value);
#pragma GCC diagnostic pop
  luaL_addsize(&buffer, std::strlen(item));
}

void add_quoted(luaL_Buffer& buffer, std::string_view text) {
  luaL_addchar(&buffer, '"');
  for (const char letter : text) {
    switch (letter) {
      case '"':
      case '\\':
      case '\n':
        luaL_addchar(&buffer, '\\');
        luaL_addchar(&buffer, letter);
        break;
      case '\r':
        luaL_addlstring(&buffer, "\\r", 2);
        break;
      case '\0':
        luaL_addlstring(&buffer, "\\000", 4);
        break;
      default:
        luaL_addchar(&buffer, letter);
    }
  }
  luaL_addchar(&buffer, '"');
}

/// The argument as a string; a number as Lua 5.1 prints it. `numbers` keeps its text.
std::string_view string_argument(lua_State* state, int argument, lua::NumberBuffer& numbers) {
  if (lua_type(state, argument) == LUA_TNUMBER) {
    return lua::number_text(state, argument, numbers);
  }
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, argument, &length);
  return {text, length};
}

void add_string(lua_State* state, luaL_Buffer& buffer, Directive& directive, int argument) {
  lua::NumberBuffer numbers;
  const std::string_view text = string_argument(state, argument, numbers);
  if (!directive.has_precision && text.size() >= short_string_max) {
    luaL_addlstring(&buffer, text.data(), text.size());
    return;
  }
  lua::NumberBuffer copy;  // snprintf needs an end; Lua's strings have one
  const char* ended = text.data();
  if (text.data() == numbers.data()) {
    std::memcpy(copy.data(), text.data(), text.size());
    copy[text.size()] = '\0';
    ended = copy.data();
  }
  directive.add("s");
  add_item(buffer, directive, ended);
}

void add_argument(lua_State* state, luaL_Buffer& buffer, Directive& directive, int argument) {
  const std::string_view letter(&directive.letter, 1);
  switch (directive.letter) {
    case 'c':
      directive.add(letter);
      add_item(buffer, directive,
               static_cast<int>(cut_to_integer(luaL_checknumber(state, argument))));
      return;
    case 'd':
    case 'i':
      directive.add("ll");
      directive.add(letter);
      add_item(buffer, directive,
               static_cast<long long>(cut_to_integer(luaL_checknumber(state, argument))));
      return;
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      directive.add("ll");
      directive.add(letter);
      add_item(buffer, directive,
               static_cast<unsigned long long>(cut_to_unsigned(luaL_checknumber(state, argument))));
      return;
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G':
      directive.add(letter);
      add_item(buffer, directive, luaL_checknumber(state, argument));
      return;
    case 'q': {
      lua::NumberBuffer numbers;
      add_quoted(buffer, string_argument(state, argument, numbers));
      return;
    }
    case 's':
      add_string(state, buffer, directive, argument);
      return;
    default:
      luaL_error(state, "invalid option '%%%c' to 'format'", directive.letter);
  }
}

}  // namespace

int format_text(lua_State* state) {
  const int top = lua_gettop(state);
  lua::NumberBuffer numbers;
  const std::string_view format = string_argument(state, 1, numbers);
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  int argument = 1;
  for (std::size_t position = 0; position < format.size();) {
    const char letter = format[position++];
    if (letter != '%') {
      luaL_addchar(&buffer, letter);
    } else if (position < format.size() && format[position] == '%') {
      luaL_addchar(&buffer, '%');
      ++position;
    } else {
      ++argument;
      luaL_argcheck(state, argument <= top, argument, "no value");
      Directive directive = read_directive(state, format, position);
      add_argument(state, buffer, directive, argument);
    }
  }
  luaL_pushresult(&buffer);
  return 1;
}

}  // namespace lockstep::redis
