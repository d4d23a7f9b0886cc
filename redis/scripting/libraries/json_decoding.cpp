#include <strings.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "redis/scripting/libraries/json.h"
#include "redis/scripting/script_process_state.h"

namespace lockstep::redis {

namespace {

enum class Token : std::uint8_t {
  object_begin,
  object_end,
  array_begin,
  array_end,
  string,
  number,
  boolean,
  null,
  colon,
  comma,
  end,
  error,
};

const char* name_of(Token token) {
  switch (token) {
    case Token::object_begin:
      return "T_OBJ_BEGIN";
    case Token::object_end:
      return "T_OBJ_END";
    case Token::array_begin:
      return "T_ARR_BEGIN";
    case Token::array_end:
      return "T_ARR_END";
    case Token::string:
      return "T_STRING";
    case Token::number:
      return "T_NUMBER";
    case Token::boolean:
      return "T_BOOLEAN";
    case Token::null:
      return "T_NULL";
    case Token::colon:
      return "T_COLON";
    case Token::comma:
      return "T_COMMA";
    case Token::end:
      return "T_END";
    case Token::error:
      break;
  }
  return "T_ERROR";
}

/// Must have no destructor: Lua errors pass through. The text is a Lua string: a zero follows it.
struct Decoder {
  lua_State* state;
  const JsonOptions& options;
  const char* begin;
  const char* at;
  std::string& text;  ///< of a string token
  int depth = 0;
  Token token = Token::end;
  const char* token_begin = nullptr;
  const char* complaint = nullptr;  ///< of an error
  double number = 0;
  bool boolean = false;
};

[[noreturn]] void expect(Decoder& decoder, const char* expected) {
  const char* found = decoder.token == Token::error ? decoder.complaint : name_of(decoder.token);
  luaL_error(decoder.state, "Expected %s but found %s at character %d", expected, found,
             static_cast<int>(decoder.token_begin - decoder.begin) + 1);
  __builtin_unreachable();
}

void fail_token(Decoder& decoder, const char* complaint) {
  decoder.token = Token::error;
  decoder.token_begin = decoder.at;
  decoder.complaint = complaint;
}

/// Four hexadecimal digits, or -1.
int read_hexadecimal(const char* text) {
  int value = 0;
  for (int index = 0; index < 4; ++index) {
    const char letter = text[index];
    int digit = -1;
    if (letter >= '0' && letter <= '9') digit = letter - '0';
    if (letter >= 'a' && letter <= 'f') digit = letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') digit = letter - 'A' + 10;
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

void add_utf8(std::string& text, int codepoint) {
  const auto byte = [&text](int value) { text += static_cast<char>(value); };
  if (codepoint < 0x80) {
    byte(codepoint);
  } else if (codepoint < 0x800) {
    byte((codepoint >> 6) | 0xC0);
    byte((codepoint & 0x3F) | 0x80);
  } else if (codepoint < 0x10000) {
    byte((codepoint >> 12) | 0xE0);
    byte(((codepoint >> 6) & 0x3F) | 0x80);
    byte((codepoint & 0x3F) | 0x80);
  } else {
    byte((codepoint >> 18) | 0xF0);
    byte(((codepoint >> 12) & 0x3F) | 0x80);
    byte(((codepoint >> 6) & 0x3F) | 0x80);
    byte((codepoint & 0x3F) | 0x80);
  }
}

/// Reads `\uXXXX`, or two of them that make one character; false if it is none.
bool read_unicode_escape(Decoder& decoder) {
  int codepoint = read_hexadecimal(decoder.at + 2);
  if (codepoint < 0) return false;
  int length = 6;
  if ((codepoint & 0xF800) == 0xD800) {
    if ((codepoint & 0x400) != 0 || decoder.at[6] != '\\' || decoder.at[7] != 'u') return false;
    const int low = read_hexadecimal(decoder.at + 8);
    if (low < 0 || (low & 0xFC00) != 0xDC00) return false;
    codepoint = (((codepoint & 0x3FF) << 10) | (low & 0x3FF)) + 0x10000;
    length = 12;
  }
  add_utf8(decoder.text, codepoint);
  decoder.at += length;
  return true;
}

/// Reads the escape at the backslash; false, with the token an error, if it is wrong.
bool read_escape(Decoder& decoder) {
  constexpr std::string_view names = "\"\\/btnfr";
  constexpr std::string_view meanings = "\"\\/\b\t\n\f\r";
  const char letter = decoder.at[1];
  if (letter == 'u') {
    if (read_unicode_escape(decoder)) return true;
    fail_token(decoder, "invalid unicode escape code");
    return false;
  }
  const std::size_t name = letter == '\0' ? std::string_view::npos : names.find(letter);
  if (name == std::string_view::npos) {
    fail_token(decoder, "invalid escape code");
    return false;
  }
  decoder.text += meanings[name];
  decoder.at += 2;
  return true;
}

void read_string(Decoder& decoder) {
  decoder.text.clear();
  ++decoder.at;
  while (*decoder.at != '"') {
    if (*decoder.at == '\0') return fail_token(decoder, "unexpected end of string");
    if (*decoder.at != '\\') {
      decoder.text += *decoder.at++;
    } else if (!read_escape(decoder)) {
      return;
    }
  }
  ++decoder.at;
  decoder.token = Token::string;
}

void decode_number(Decoder& decoder) {
  char* end = nullptr;
  decoder.number = std::strtod(decoder.at, &end);
  if (end == decoder.at) return fail_token(decoder, "invalid number");
  decoder.at = end;
  decoder.token = Token::number;
}

/// What C reads as a number and JSON does not know.
bool is_invalid_number(const char* text) {
  if (*text == '+') return true;
  if (*text == '-') ++text;
  if (*text == '0') return text[1] == 'x' || text[1] == 'X' || (text[1] >= '0' && text[1] <= '9');
  if (*text <= '9') return false;
  return strncasecmp(text, "inf", 3) == 0 || strncasecmp(text, "nan", 3) == 0;
}

bool skip_word(Decoder& decoder, std::string_view word) {
  for (std::size_t index = 0; index < word.size(); ++index) {
    if (decoder.at[index] != word[index]) return false;
  }
  decoder.at += word.size();
  return true;
}

void read_word(Decoder& decoder) {
  const bool takes_invalid = decoder.options.decodes_invalid_numbers;
  const char letter = *decoder.at;
  if (letter == '-' || (letter >= '0' && letter <= '9')) {
    const bool is_refused = !takes_invalid && is_invalid_number(decoder.at);
    return is_refused ? fail_token(decoder, "invalid number") : decode_number(decoder);
  }
  if (skip_word(decoder, "true")) {
    decoder.token = Token::boolean;
    decoder.boolean = true;
  } else if (skip_word(decoder, "false")) {
    decoder.token = Token::boolean;
    decoder.boolean = false;
  } else if (skip_word(decoder, "null")) {
    decoder.token = Token::null;
  } else if (takes_invalid && is_invalid_number(decoder.at)) {
    decode_number(decoder);
  } else {
    fail_token(decoder, "invalid token");
  }
}

void next_token(Decoder& decoder) {
  constexpr std::string_view symbols = "{}[]:,";
  constexpr Token tokens[] = {Token::object_begin, Token::object_end, Token::array_begin,
                              Token::array_end,    Token::colon,      Token::comma};
  while (*decoder.at == ' ' || *decoder.at == '\t' || *decoder.at == '\n' || *decoder.at == '\r') {
    ++decoder.at;
  }
  decoder.token_begin = decoder.at;
  const char letter = *decoder.at;
  if (letter == '\0') {
    decoder.token = Token::end;
  } else if (const std::size_t symbol = symbols.find(letter); symbol != std::string_view::npos) {
    decoder.token = tokens[symbol];
    ++decoder.at;
  } else if (letter == '"') {
    read_string(decoder);
  } else {
    read_word(decoder);
  }
}

void push_value(Decoder& decoder);

void descend(Decoder& decoder, int slots) {
  ++decoder.depth;
  const bool fits = decoder.depth <= decoder.options.decode_depth_max &&
                    lua_gettop(decoder.state) + slots <= c_stack_max &&
                    lua_checkstack(decoder.state, 8) != 0;
  if (!fits) {
    luaL_error(decoder.state, "Found too many nested data structures (%d) at character %d",
               decoder.depth, static_cast<int>(decoder.at - decoder.begin));
  }
}

/// After an element: true if there is another one.
bool goes_on(Decoder& decoder, Token end, const char* expected) {
  next_token(decoder);
  if (decoder.token == end) return false;
  if (decoder.token != Token::comma) expect(decoder, expected);
  next_token(decoder);
  return true;
}

void push_object(Decoder& decoder) {
  descend(decoder, 3);
  lua_newtable(decoder.state);
  next_token(decoder);
  if (decoder.token != Token::object_end) {
    do {
      if (decoder.token != Token::string) expect(decoder, "object key string");
      lua_pushlstring(decoder.state, decoder.text.data(), decoder.text.size());
      next_token(decoder);
      if (decoder.token != Token::colon) expect(decoder, "colon");
      next_token(decoder);
      push_value(decoder);
      lua_rawset(decoder.state, -3);
    } while (goes_on(decoder, Token::object_end, "comma or object end"));
  }
  --decoder.depth;
}

void push_array(Decoder& decoder) {
  descend(decoder, 2);
  lua_newtable(decoder.state);
  next_token(decoder);
  if (decoder.token != Token::array_end) {
    lua_Integer position = 0;
    do {
      push_value(decoder);
      lua_rawseti(decoder.state, -2, ++position);
    } while (goes_on(decoder, Token::array_end, "comma or array end"));
  }
  --decoder.depth;
}

void push_value(Decoder& decoder) {
  switch (decoder.token) {
    case Token::string:
      lua_pushlstring(decoder.state, decoder.text.data(), decoder.text.size());
      return;
    case Token::number:
      lua_pushnumber(decoder.state, decoder.number);
      return;
    case Token::boolean:
      lua_pushboolean(decoder.state, decoder.boolean ? 1 : 0);
      return;
    case Token::object_begin:
      return push_object(decoder);
    case Token::array_begin:
      return push_array(decoder);
    case Token::null:
      lua_pushlightuserdata(decoder.state, nullptr);
      return;
    case Token::object_end:
    case Token::array_end:
    case Token::colon:
    case Token::comma:
    case Token::end:
    case Token::error:
      expect(decoder, "value");
  }
}

}  // namespace

void decode_json(lua_State* state, const JsonOptions& options, int index, std::string& buffer) {
  std::size_t length = 0;
  const char* text = lua_tolstring(state, index, &length);
  if (length >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    luaL_error(state, "JSON parser does not support UTF-16 or UTF-32");
  }
  Decoder decoder{state, options, text, text, buffer};
  next_token(decoder);
  push_value(decoder);
  next_token(decoder);
  if (decoder.token != Token::end) expect(decoder, "the end");
}

}  // namespace lockstep::redis
