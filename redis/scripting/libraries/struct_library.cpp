// The struct library of scripts: Roberto Ierusalimschy's for Lua 5.1, as Redis bundles it.
//
// A format is one letter an item, with an optional number: `>` `<` `!n` byte order and alignment,
// `x` padding, `b` `B` `h` `H` `l` `L` `T` `i` `I` integers, `f` `d` floats, `s` text with a zero,
// `c` text of a fixed length.
#include <algorithm>
#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <lua.hpp>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_result.h"
#include "sim/ascii.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t integer_bytes_max = 32;
constexpr std::size_t default_integer_bytes = 4;
constexpr int alignment_max = 8;

enum class Endian : std::uint8_t { little, big };

/// One item of a format.
struct Item {
  char letter;
  std::size_t size;
};

/// Reads a format item by item. Has no destructor: Lua errors pass through.
class Format {
 public:
  Format(lua_State* state, const char* text) : state_(state), next_(text) {}

  [[nodiscard]] bool at_end() const { return *next_ == '\0'; }
  [[nodiscard]] Endian endian() const { return endian_; }

  Item next() {
    const char letter = *next_++;
    return {letter, size_of(letter)};
  }

  /// How many bytes go before an item that begins at `position`.
  [[nodiscard]] std::size_t padding(const Item& item, std::size_t position) const {
    if (item.size == 0 || item.letter == 'c') return 0;
    const std::size_t unit = std::min(item.size, alignment_);
    return (unit - (position & (unit - 1))) & (unit - 1);
  }

  /// Does what a letter says that is no item.
  void obey(char letter) {
    switch (letter) {
      case ' ':
        return;
      case '>':
        endian_ = Endian::big;
        return;
      case '<':
        endian_ = Endian::little;
        return;
      case '!': {
        const int alignment = number(alignment_max);
        if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
          luaL_error(state_, "alignment %d is not a power of 2", alignment);
        }
        alignment_ = static_cast<std::size_t>(alignment);
        return;
      }
      default:
        luaL_argerror(state_, 1, lua_pushfstring(state_, "invalid format option '%c'", letter));
    }
  }

 private:
  std::size_t size_of(char letter) {
    switch (letter) {
      case 'B':
      case 'b':
      case 'x':
        return 1;
      case 'H':
      case 'h':
        return 2;
      case 'f':
        return 4;
      case 'L':
      case 'l':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return static_cast<std::size_t>(number(1));
      case 'I':
      case 'i': {
        const auto size = static_cast<std::size_t>(number(default_integer_bytes));
        if (size > integer_bytes_max) {
          luaL_error(state_, "integral size %d is larger than limit of %d", static_cast<int>(size),
                     static_cast<int>(integer_bytes_max));
        }
        return size;
      }
      default:
        return 0;
    }
  }

  int number(int otherwise) {
    if (!sim::is_digit(*next_)) return otherwise;
    int value = 0;
    do {
      const int digit = *next_ - '0';
      if (value > INT_MAX / 10 || value * 10 > INT_MAX - digit) {
        luaL_error(state_, "integral size overflow");
      }
      value = value * 10 + digit;
    } while (sim::is_digit(*++next_));
    return value;
  }

  lua_State* state_;
  const char* next_;
  Endian endian_ = Endian::little;
  std::size_t alignment_ = 1;
};

void add_zeros(luaL_Buffer& buffer, std::size_t count) {
  for (; count > 0; --count) luaL_addchar(&buffer, '\0');
}

void add_integer(lua_State* state, luaL_Buffer& buffer, int argument, Endian endian,
                 std::size_t size) {
  const lua_Number number = luaL_checknumber(state, argument);
  std::uint64_t bits =
      number < 0 ? static_cast<std::uint64_t>(cut_to_integer(number)) : cut_to_unsigned(number);
  std::array<char, integer_bytes_max> bytes;
  for (std::size_t index = 0; index < size; ++index) {
    bytes[endian == Endian::little ? index : size - 1 - index] = static_cast<char>(bits & 0xFF);
    bits >>= 8;
  }
  luaL_addlstring(&buffer, bytes.data(), size);
}

template <typename Float>
void add_float(luaL_Buffer& buffer, lua_Number number, Endian endian) {
  const auto value = static_cast<Float>(number);
  std::array<char, sizeof value> bytes;
  std::memcpy(bytes.data(), &value, sizeof value);
  if (endian == Endian::big) std::reverse(bytes.begin(), bytes.end());
  luaL_addlstring(&buffer, bytes.data(), bytes.size());
}

/// Adds `c` or `s`; the bytes that it took.
std::size_t add_text(lua_State* state, luaL_Buffer& buffer, int argument, const Item& item) {
  lua::make_text(state, argument);
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, argument, &length);
  const std::size_t size = item.size == 0 ? length : item.size;
  luaL_argcheck(state, length >= size, argument + 1, "string too short");
  luaL_addlstring(&buffer, text, size);
  if (item.letter == 'c') return size;
  luaL_addchar(&buffer, '\0');
  return size + 1;
}

int pack_struct(lua_State* state) {
  lua::make_text(state, 1);
  Format format(state, luaL_checkstring(state, 1));
  lua_pushnil(state);  // an argument that is missing is nil, then
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  int argument = 2;
  std::size_t total = 0;
  while (!format.at_end()) {
    const Item item = format.next();
    const std::size_t padding = format.padding(item, total);
    add_zeros(buffer, padding);
    total += padding;
    std::size_t size = item.size;
    switch (item.letter) {
      case 'b':
      case 'B':
      case 'h':
      case 'H':
      case 'l':
      case 'L':
      case 'T':
      case 'i':
      case 'I':
        add_integer(state, buffer, argument++, format.endian(), size);
        break;
      case 'x':
        add_zeros(buffer, 1);
        break;
      case 'f':
        add_float<float>(buffer, luaL_checknumber(state, argument++), format.endian());
        break;
      case 'd':
        add_float<double>(buffer, luaL_checknumber(state, argument++), format.endian());
        break;
      case 'c':
      case 's':
        size = add_text(state, buffer, argument++, item);
        break;
      default:
        format.obey(item.letter);
    }
    total += size;
  }
  luaL_pushresult(&buffer);
  return 1;
}

void push_integer(lua_State* state, std::string_view bytes, Endian endian, bool is_signed) {
  std::uint64_t bits = 0;
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    const std::size_t from = endian == Endian::big ? index : bytes.size() - 1 - index;
    bits = bits << 8 | static_cast<unsigned char>(bytes[from]);
  }
  if (!is_signed) {
    lua_pushnumber(state, static_cast<lua_Number>(bits));
    return;
  }
  // A shift by more bits than there are counts modulo 64 on x86-64.
  const std::uint64_t mask = ~std::uint64_t{0} << ((bytes.size() * 8 - 1) & 63U);
  if ((bits & mask) != 0) bits |= mask;
  lua_pushnumber(state, static_cast<lua_Number>(static_cast<std::int64_t>(bits)));
}

template <typename Float>
void push_float(lua_State* state, const char* bytes, Endian endian) {
  std::array<char, sizeof(Float)> ordered;
  std::memcpy(ordered.data(), bytes, ordered.size());
  if (endian == Endian::big) std::reverse(ordered.begin(), ordered.end());
  Float value = 0;
  std::memcpy(&value, ordered.data(), sizeof value);
  lua_pushnumber(state, static_cast<lua_Number>(value));
}

void check_room(lua_State* state, std::string_view data, std::size_t position, std::size_t size) {
  const bool fits = size <= data.size() && position <= data.size() - size;
  luaL_argcheck(state, fits, 2, "data string too short");
}

/// Pushes the item at the position; the bytes that it took. `count` is how many values there are.
std::size_t push_item(lua_State* state, Format& format, const Item& item, std::string_view data,
                      std::size_t position, int& count) {
  std::size_t size = item.size;
  switch (item.letter) {
    case 'b':
    case 'B':
    case 'h':
    case 'H':
    case 'l':
    case 'L':
    case 'T':
    case 'i':
    case 'I':
      push_integer(state, data.substr(position, size), format.endian(),
                   item.letter >= 'a' && item.letter <= 'z');
      break;
    case 'x':
      return size;
    case 'f':
      push_float<float>(state, data.data() + position, format.endian());
      break;
    case 'd':
      push_float<double>(state, data.data() + position, format.endian());
      break;
    case 'c':
      if (size == 0) {
        if (count == 0 || lua_isnumber(state, -1) == 0) {
          luaL_error(state, "format 'c0' needs a previous size");
        }
        size = cut_to_unsigned(lua_tonumber(state, -1));
        lua_pop(state, 1);
        --count;
        check_room(state, data, position, size);
      }
      lua_pushlstring(state, data.data() + position, size);
      break;
    case 's': {
      const std::size_t end = data.find('\0', position);
      if (end == std::string_view::npos) luaL_error(state, "unfinished string in data");
      lua_pushlstring(state, data.data() + position, end - position);
      size = end - position + 1;
      break;
    }
    default:
      format.obey(item.letter);
      return size;
  }
  ++count;
  return size;
}

int unpack(lua_State* state) {
  lua::make_text(state, 1);
  lua::make_text(state, 2);
  Format format(state, luaL_checkstring(state, 1));
  std::size_t length = 0;
  const char* text = luaL_checklstring(state, 2, &length);
  const std::string_view data(text, length);
  const std::int64_t first = cut_to_integer(luaL_optnumber(state, 3, 1));
  luaL_argcheck(state, first != 0, 3, "offset must be 1 or greater");
  std::size_t position = static_cast<std::size_t>(first) - 1;
  int count = 0;
  while (!format.at_end()) {
    const Item item = format.next();
    position += format.padding(item, position);
    check_room(state, data, position, item.size);
    luaL_checkstack(state, 2, "too many results");
    position += push_item(state, format, item, data, position, count);
  }
  lua::push_whole_number(state, static_cast<std::int64_t>(position) + 1);
  return count + 1;
}

int size(lua_State* state) {
  lua::make_text(state, 1);
  Format format(state, luaL_checkstring(state, 1));
  std::size_t position = 0;
  while (!format.at_end()) {
    const Item item = format.next();
    position += format.padding(item, position);
    if (item.letter == 's') luaL_argerror(state, 1, "option 's' has no fixed size");
    if (item.letter == 'c' && item.size == 0) {
      luaL_argerror(state, 1, "option 'c0' has no fixed size");
    }
    const bool is_item = sim::is_digit(item.letter) || (item.letter >= 'a' && item.letter <= 'z') ||
                         (item.letter >= 'A' && item.letter <= 'Z');
    if (!is_item) format.obey(item.letter);
    position += item.size;
  }
  lua::push_whole_number(state, static_cast<std::int64_t>(position));
  return 1;
}

}  // namespace

void install_struct_functions(lua_State* state) {
  constexpr luaL_Reg functions[] = {
      {"pack", &pack_struct}, {"size", &size}, {"unpack", &unpack}, {nullptr, nullptr}};
  luaL_setfuncs(state, functions, 0);
}

}  // namespace lockstep::redis
