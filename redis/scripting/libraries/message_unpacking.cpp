#include <bit>
#include <cstdint>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/json.h"
#include "redis/scripting/libraries/message_pack.h"

namespace lockstep::redis {

namespace {

/// Reads values from `bytes`. Has no destructor: Lua errors pass through.
class Reader {
 public:
  Reader(lua_State* state, std::string_view bytes) : state_(state), bytes_(bytes) {}

  [[nodiscard]] std::string_view rest() const { return bytes_; }

  MessageResult value() {
    check_stack("too many return values at once; use unpack_one or unpack_limit instead.");
    if (bytes_.empty()) return MessageResult::bytes_missing;
    const auto tag = static_cast<std::uint8_t>(bytes_.front());
    if (tag <= 0x7F || tag >= 0xE0) {
      bytes_.remove_prefix(1);
      return number(static_cast<std::int8_t>(tag));
    }
    if (tag >= 0xC0) return tagged(tag);
    bytes_.remove_prefix(1);
    if (tag >= 0xA0) return text(tag & 0x1FU);
    return tag >= 0x90 ? array(tag & 0xFU) : map(tag & 0xFU);
  }

 private:
  MessageResult tagged(std::uint8_t tag) {
    switch (tag) {
      case 0xC0:
        lua_pushnil(state_);
        bytes_.remove_prefix(1);
        return MessageResult::done;
      case 0xC2:
      case 0xC3:
        lua_pushboolean(state_, tag - 0xC2);
        bytes_.remove_prefix(1);
        return MessageResult::done;
      case 0xCA:
      case 0xCB:
      case 0xCC:
      case 0xCD:
      case 0xCE:
      case 0xCF:
      case 0xD0:
      case 0xD1:
      case 0xD2:
      case 0xD3:
        return tagged_number(tag);
      case 0xD9:
      case 0xDA:
      case 0xDB:
      case 0xDC:
      case 0xDD:
      case 0xDE:
      case 0xDF:
        return tagged_length(tag);
      default:
        return MessageResult::bad_format;
    }
  }

  MessageResult tagged_number(std::uint8_t tag) {
    constexpr std::size_t sizes[] = {4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    const std::size_t size = sizes[tag - 0xCA];
    std::uint64_t bits = 0;
    if (!take(size, bits)) return MessageResult::bytes_missing;
    if (tag == 0xCA) return number(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (tag == 0xCB) return number(std::bit_cast<double>(bits));
    if (tag < 0xCF) return number(static_cast<double>(bits));
    if (tag == 0xCF) return number(static_cast<double>(static_cast<std::int64_t>(bits)));
    const auto shift = static_cast<unsigned>(64 - 8 * size);  // extends the sign
    return number(static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift));
  }

  MessageResult tagged_length(std::uint8_t tag) {
    constexpr std::size_t sizes[] = {1, 2, 4, 2, 4, 2, 4};
    std::uint64_t length = 0;
    if (!take(sizes[tag - 0xD9], length)) return MessageResult::bytes_missing;
    if (tag <= 0xDB) return text(length);
    return tag <= 0xDD ? array(length) : map(length);
  }

  /// Moves past the tag and so many bytes, and gives their number.
  bool take(std::size_t size, std::uint64_t& bits) {
    if (bytes_.size() < size + 1) return false;
    for (std::size_t index = 1; index <= size; ++index) {
      bits = bits << 8 | static_cast<std::uint8_t>(bytes_[index]);
    }
    bytes_.remove_prefix(size + 1);
    return true;
  }

  MessageResult number(double value) {
    lua_pushnumber(state_, value);
    return MessageResult::done;
  }

  MessageResult text(std::size_t length) {
    if (bytes_.size() < length) return MessageResult::bytes_missing;
    lua_pushlstring(state_, bytes_.data(), length);
    bytes_.remove_prefix(length);
    return MessageResult::done;
  }

  MessageResult array(std::size_t length) {
    lua_newtable(state_);
    check_stack("in function mp_decode_to_lua_array");
    for (std::size_t position = 1; position <= length; ++position) {
      lua::push_whole_number(state_, static_cast<std::int64_t>(position));
      const MessageResult result = value();
      if (result != MessageResult::done) return result;
      lua_rawset(state_, -3);
    }
    return MessageResult::done;
  }

  MessageResult map(std::size_t length) {
    lua_newtable(state_);
    for (std::size_t count = 0; count < length; ++count) {
      MessageResult result = value();
      if (result == MessageResult::done) result = value();
      if (result != MessageResult::done) return result;
      check_key();
      lua_rawset(state_, -3);
    }
    return MessageResult::done;
  }

  void check_key() {
    const bool is_nan =
        lua_type(state_, -2) == LUA_TNUMBER && lua_tonumber(state_, -2) != lua_tonumber(state_, -2);
    if (is_nan || lua_isnil(state_, -2)) {
      lua_pushstring(state_, is_nan ? "table index is NaN" : "table index is nil");
      lua_error(state_);
    }
  }

  /// As Redis's Lua, which has room for so many values.
  void check_stack(const char* complaint) {
    if (lua_gettop(state_) + 1 > c_stack_max || lua_checkstack(state_, 8) == 0) {
      luaL_error(state_, "stack overflow (%s)", complaint);
    }
  }

  lua_State* state_;
  std::string_view bytes_;
};

}  // namespace

MessageResult decode_message_pack(lua_State* state, std::string_view& bytes) {
  Reader reader(state, bytes);
  const MessageResult result = reader.value();
  bytes = reader.rest();
  return result;
}

}  // namespace lockstep::redis
