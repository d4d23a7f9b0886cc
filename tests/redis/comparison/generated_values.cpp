#include "tests/redis/comparison/generated_values.h"

#include <array>
#include <string_view>

#include "tests/redis/comparison/script_runner.h"

namespace lockstep::redis::test {
namespace {

/// Tells all that a list of values is, in one text, with keys in order.
constexpr std::string_view show =
    "local function show(value)\n"
    "  if type(value) == 'number' then return string.format('%.17g', value) end\n"
    "  if value == cjson.null then return 'null' end\n"
    "  if type(value) ~= 'table' then return type(value) .. ':' .. tostring(value) end\n"
    "  local shown = {}\n"
    "  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. '=' .. show(inner) end\n"
    "  table.sort(shown)\n"
    "  return '{' .. table.concat(shown, ',') .. '}'\n"
    "end\n"
    "local function show_all(...)\n"
    "  local text = ''\n"
    "  for i = 1, select('#', ...) do text = text .. '|' .. show((select(i, ...))) end\n"
    "  return text\n"
    "end\n";

std::string number_source(Dice& dice) {
  static constexpr std::array<std::string_view, 38> odd{"0",
                                                        "tonumber('-0')",
                                                        "1",
                                                        "-1",
                                                        "0.1",
                                                        "-2.5",
                                                        "127",
                                                        "128",
                                                        "-128",
                                                        "-129",
                                                        "255",
                                                        "256",
                                                        "32767",
                                                        "-32769",
                                                        "65535",
                                                        "65536",
                                                        "2147483647",
                                                        "2147483648",
                                                        "-2147483648",
                                                        "-2147483649",
                                                        "4294967295",
                                                        "4294967296",
                                                        "1e14",
                                                        "1e15",
                                                        "123456789012345",
                                                        "9007199254740993",
                                                        "9223372036854775807",
                                                        "-9223372036854775808",
                                                        "18446744073709551616",
                                                        "1e100",
                                                        "1.5e-10",
                                                        "1/3",
                                                        "16777217",
                                                        "3.4e38",
                                                        "1e39",
                                                        "0/0",
                                                        "1/0",
                                                        "-1/0"};
  if (dice.one_in(3)) return std::to_string(static_cast<int>(dice.below(600)) - 300);
  return std::string(dice.one_of(odd));
}

std::string value_source(Dice& dice, int depth);

std::string table_source(Dice& dice, int depth) {
  std::string text = "{";
  const std::size_t kind = dice.below(5);
  if (kind == 0) {  // one member
    // As a key Lua 5.4 makes the negative zero a plain one.
    const std::string number = number_source(dice);
    const bool is_negative_zero = number == "tonumber('-0')";
    text += dice.one_in(3) && !is_negative_zero ? "[" + number + "]"
                                                : "[" + lua_literal(generated_bytes(dice, 4)) + "]";
    text += " = " + value_source(dice, depth + 1);
  } else {
    static constexpr std::array<std::size_t, 8> counts{0, 1, 2, 3, 4, 15, 16, 17};
    for (std::size_t left = dice.one_of(counts); left > 0; --left) {
      text += value_source(dice, left > 4 ? 9 : depth + 1) + ", ";
    }
  }
  text += '}';
  return text;
}

std::string value_source(Dice& dice, int depth) {
  constexpr int depth_max = 4;
  switch (dice.below(depth < depth_max ? 8 : 4)) {
    case 0:
      return number_source(dice);
    case 1:
      return lua_literal(generated_bytes(dice, dice.one_in(10) ? 70 : 8));
    case 2:
      return dice.one_in(3) ? "cjson.null" : dice.one_in(2) ? "true" : "false";
    case 3:
      return number_source(dice);
    default:
      return table_source(dice, depth);
  }
}

std::string json_text(Dice& dice, int depth) {
  static constexpr std::array<std::string_view, 27> words{"null",
                                                          "true",
                                                          "false",
                                                          "0",
                                                          "tonumber('-0')",
                                                          "1.5e3",
                                                          "1e400",
                                                          "-12.0E-2",
                                                          "01",
                                                          "0x10",
                                                          "nan",
                                                          "-inf",
                                                          "nul",
                                                          "1.",
                                                          ".5",
                                                          "+1",
                                                          "\"\"",
                                                          "\"a\"",
                                                          "\"\\u0041\\u00e9\"",
                                                          "\"\\ud83d\\ude00\"",
                                                          "\"\\ud83d\"",
                                                          "\"\\n\\/\"",
                                                          "\"\\x\"",
                                                          "\"\t\"",
                                                          "\"\\u00\"",
                                                          "\"open",
                                                          "\xC3\xA9"};
  if (depth > 3 || dice.one_in(2)) return std::string(dice.one_of(words));
  const bool is_array = dice.one_in(2);
  std::string text = is_array ? "[" : "{";
  for (std::size_t left = dice.below(4); left > 0; --left) {
    if (!is_array) text += dice.one_in(10) ? "1:" : "\"k\" : ";
    text += json_text(dice, depth + 1);
    if (left > 1 || dice.one_in(20)) text += dice.one_in(4) ? " , " : ",";
  }
  text += is_array ? "]" : "}";
  if (dice.one_in(15)) text.erase(dice.below(text.size()), 1);
  return text;
}

std::string packed_bytes(Dice& dice, int depth) {
  static constexpr std::array<unsigned char, 34> tags{
      0x00, 0x7f, 0xe0, 0xff, 0xc0, 0xc1, 0xc2, 0xc3, 0xca, 0xcb, 0xcc, 0xcd,
      0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xa0, 0xa3, 0xbf, 0xd9, 0xda, 0xdb,
      0x90, 0x91, 0x92, 0xdc, 0xdd, 0x80, 0x81, 0xde, 0xc4, 0xd4};
  std::string bytes(1, static_cast<char>(dice.one_of(tags)));
  for (std::size_t left = dice.below(9); left > 0; --left) {
    bytes += static_cast<char>(dice.one_in(2) ? 0 : dice.below(256));
  }
  if (depth < 3 && dice.one_in(2)) bytes += packed_bytes(dice, depth + 1);
  return bytes;
}

std::string struct_format(Dice& dice) {
  static constexpr std::array<std::string_view, 34> items{
      "<", ">",  "=",  "!",  "!4", "!8",  "!3", "b",  "B",  "h", "H", "i",
      "I", "i1", "i2", "I3", "i8", "I8",  "i5", "l",  "L",  "T", "f", "d",
      "s", "x",  "c0", "c1", "c3", "c20", " ",  "i9", "i0", "?"};
  std::string format;
  for (std::size_t left = 1 + dice.below(5); left > 0; --left) format += dice.one_of(items);
  return format;
}

std::string pattern_text(Dice& dice) {
  static constexpr std::array<std::string_view, 46> items{
      "a",     "b",    "a",     "b",    ".",    "%a",   "%d",   "%w",   "%s",     "%z",
      "%x",    "%p",   "%A",    "%U",   "%l",   "%c",   "%g",   "[ab]", "[^a]",   "[a-c]",
      "[%a-]", "[]a]", "[^]a]", "[a-]", "[%z]", "[%]]", "%b()", "%bab", "%f[%a]", "%f[^%z]",
      "%1",    "%2",   "%0",    "(",    ")",    "(",    ")",    "()",   "$",      "^",
      "%%",    "%",    "[",     "%f",   "%b",   "-"};
  static constexpr std::array<std::string_view, 4> suffixes{"*", "+", "-", "?"};
  std::string text = dice.one_in(5) ? "^" : "";
  for (std::size_t left = dice.below(7); left > 0; --left) {
    const bool is_group = dice.one_in(5);
    if (is_group) text += '(';
    text += dice.one_in(25) ? generated_bytes(dice, 1) : std::string(dice.one_of(items));
    if (dice.one_in(3)) text += dice.one_of(suffixes);
    if (is_group) text += ')';
  }
  if (dice.one_in(5)) text += '$';
  return text;
}

std::string subject_text(Dice& dice) {
  constexpr std::string_view letters = "aaaabbbc()1 -%]^$.A";
  std::string text;
  for (std::size_t left = dice.below(14); left > 0; --left) {
    text += dice.one_in(20) ? generated_bytes(dice, 1)
                            : std::string(1, letters[dice.below(letters.size())]);
  }
  return text;
}

}  // namespace

std::string generated_bytes(Dice& dice, std::size_t bytes_max) {
  constexpr std::string_view odd("\0\x01\n\r\t\"\\/'\x7f\x80\xC3\xA9\xFF", 14);
  std::string bytes;
  for (std::size_t left = dice.below(bytes_max + 1); left > 0; --left) {
    bytes += dice.one_in(3) ? odd[dice.below(odd.size())]
                            : static_cast<char>('a' + static_cast<int>(dice.below(26)));
  }
  return bytes;
}

std::string json_program(Dice& dice) {
  std::string program(show);
  if (dice.one_in(2)) {
    program += "return show_all(pcall(cjson.encode, " + value_source(dice, 0) + "))";
  } else {
    program += "return show_all(pcall(cjson.decode, " + lua_literal(json_text(dice, 0)) + "))";
  }
  return program;
}

std::string message_pack_program(Dice& dice) {
  std::string program(show);
  switch (dice.below(3)) {
    case 0:
      program += "return show_all(pcall(cmsgpack.pack, " + value_source(dice, 0);
      if (dice.one_in(3)) program += ", " + value_source(dice, 0);
      break;
    case 1:
      program +=
          "return show_all(pcall(cmsgpack.unpack, cmsgpack.pack(" + value_source(dice, 0) + ")";
      break;
    default: {
      static constexpr std::array<std::string_view, 3> functions{"unpack", "unpack_one",
                                                                 "unpack_limit"};
      const std::string_view function = dice.one_of(functions);
      program += "return show_all(pcall(cmsgpack.";
      program += function;
      program += ", " + lua_literal(packed_bytes(dice, 0));
      if (function == "unpack_limit") program += ", " + std::to_string(dice.below(4));
      if (function != "unpack" && dice.one_in(2)) program += ", " + std::to_string(dice.below(5));
    }
  }
  program += "))";
  return program;
}

std::string struct_program(Dice& dice) {
  std::string program(show);
  const std::string format = lua_literal(struct_format(dice));
  switch (dice.below(4)) {
    case 0:
      program += "return show_all(pcall(struct.size, " + format;
      break;
    case 1:
      program += "return show_all(pcall(struct.unpack, " + format + ", " +
                 lua_literal(generated_bytes(dice, 40));
      if (dice.one_in(3)) program += ", " + std::to_string(dice.below(8));
      break;
    default:
      program += "return show_all(pcall(struct.pack, " + format;
      for (std::size_t left = dice.below(7); left > 0; --left) {
        program += ", ";
        program += dice.one_in(3) ? lua_literal(generated_bytes(dice, 5)) : number_source(dice);
      }
  }
  program += "))";
  return program;
}

std::string pattern_program(Dice& dice) {
  static constexpr std::array<std::string_view, 12> replacements{
      "'x'",
      "'<%0>'",
      "'%1%1'",
      "'%2'",
      "'%'",
      "'%x%%'",
      "''",
      "7.5",
      "{a = 'A', b = 2, [''] = false, [1] = 'one'}",
      "function(...) return show_all(...) end",
      "function() end",
      "function() return {} end"};
  const std::string texts =
      lua_literal(subject_text(dice)) + ", " + lua_literal(pattern_text(dice));
  const std::string number = std::to_string(static_cast<int>(dice.below(24)) - 6);
  std::string program(show);
  switch (dice.below(4)) {
    case 0:
      program += "return show_all(pcall(string.find, " + texts;
      if (dice.one_in(2)) program += ", " + number + (dice.one_in(4) ? ", true" : "");
      break;
    case 1:
      program += "return show_all(pcall(string.match, " + texts;
      if (dice.one_in(2)) program += ", " + number;
      break;
    case 2:
      program += "return show_all(pcall(string.gsub, " + texts + ", ";
      program += dice.one_of(replacements);
      if (dice.one_in(3)) program += ", " + number;
      break;
    default:
      program += "return show_all(pcall(function() local all = '' for a, b, c in string.gmatch(" +
                 texts + ") do all = all .. show_all(a, b, c) .. ';' end return all end";
  }
  program += "))";
  return program;
}

}  // namespace lockstep::redis::test
