#include "redis/scripting/script_result.h"

#include <cmath>
#include <cstddef>
#include <limits>

#include "lua/interpreter/ordered_traversal.h"
#include "lua/interpreter/text.h"
#include "redis/protocol/reply_writer.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

namespace {

/// The stack of Redis's Lua 5.1 takes this many nested arrays (measured on 7.0.15).
constexpr int depth_max = 7995;
/// A map's or set's elements stand deeper on that stack.
constexpr int map_depth = 3;

constexpr std::size_t elements_max = 1'000'000;
constexpr std::size_t result_bytes_max = std::size_t{256} * 1024 * 1024;

/// What a reply would take.
struct Extent {
  std::size_t elements = 0;
  std::size_t bytes = 0;

  [[nodiscard]] bool is_too_large() const {
    return elements > elements_max || bytes > result_bytes_max;
  }
};

/// Pushes a field of the table on top, past metatables; leaves nothing if it has another type.
bool push_field(lua_State* state, const char* name, int type) {
  lua_pushstring(state, name);
  if (lua_rawget(state, -2) == type) {
    return true;
  }
  lua_pop(state, 1);
  return false;
}

int call_push_ordered_keys(lua_State* state) {
  lua::push_sorted_keys(state, 1);
  return 1;
}

/// Pushes the table's keys in order; false, with nothing pushed, if they have none.
bool push_keys(lua_State* state, int table) {
  const int absolute = lua_absindex(state, table);
  lua_pushcfunction(state, &call_push_ordered_keys);
  lua_pushvalue(state, absolute);
  if (lua_pcall(state, 1, 1, 0) == LUA_OK) {
    return true;
  }
  lua_pop(state, 1);
  return false;
}

std::string_view trim_line_ends(std::string_view text) {
  constexpr std::string_view line_ends = "\r\n";
  const std::size_t first = text.find_first_not_of(line_ends);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(line_ends) - first + 1);
}

void measure(lua_State* state, int depth, Extent& extent);

/// Adds up a map's or set's elements.
void measure_field(lua_State* state, const char* name, int depth, Extent& extent) {
  const int top = lua_gettop(state);
  if (push_field(state, name, LUA_TTABLE)) {
    lua_pushnil(state);
    while (!extent.is_too_large() && lua_next(state, -2) != 0) {
      measure(state, depth + map_depth, extent);
      lua_pop(state, 1);
      measure(state, depth + map_depth, extent);
    }
  }
  lua_settop(state, top);
}

/// Adds up what the value on top of the stack, which stays, would take as a reply.
void measure(lua_State* state, int depth, Extent& extent) {
  ++extent.elements;
  const int type = lua_type(state, -1);
  if (type == LUA_TSTRING) {
    extent.bytes += lua_rawlen(state, -1);
  }
  if (type != LUA_TTABLE || depth > depth_max || lua_checkstack(state, 4) == 0) {
    return;
  }
  for (lua_Integer position = 1; !extent.is_too_large(); ++position) {
    const bool ends = lua_rawgeti(state, -1, position) == LUA_TNIL;
    if (!ends) {
      measure(state, depth + 1, extent);
    }
    lua_pop(state, 1);
    if (ends) {
      break;
    }
  }
  measure_field(state, "map", depth, extent);
  measure_field(state, "set", depth, extent);
}

/// Writes the value on top of the stack, and values within it. Each function pops what it writes.
class ResultWriter {
 public:
  ResultWriter(lua_State* state, ScriptProtocol protocol, bool is_old, ReplyWriter& reply)
      : state_(state), protocol_(protocol), is_old_(is_old), reply_(reply) {}

  void value(int depth) {
    if (lua_checkstack(state_, 8) == 0 || depth > depth_max) {
      reply_.error("ERR reached lua stack limit");
      lua_pop(state_, 1);
      return;
    }
    if (lua_type(state_, -1) == LUA_TTABLE) {
      table(depth);
      return;
    }
    scalar();
    lua_pop(state_, 1);
  }

 private:
  void scalar() {
    switch (lua_type(state_, -1)) {
      case LUA_TSTRING:
        reply_.bulk(lua::view_of(state_, -1));
        return;
      case LUA_TNUMBER:
        reply_.integer(cut_to_integer(lua_tonumber(state_, -1)));
        return;
      case LUA_TBOOLEAN:
        boolean(lua_toboolean(state_, -1) != 0);
        return;
      default:
        reply_.null_bulk();
        return;
    }
  }

  void boolean(bool value) {
    if (protocol_ == ScriptProtocol::resp3) {
      reply_.boolean(value);
    } else if (value) {
      reply_.integer(1);
    } else {
      reply_.null_bulk();
    }
  }

  void table(int depth) {
    if (!message() && !number() && !map(depth) && !set(depth) && (is_old_ || !text())) {
      array(depth);
    }
    lua_pop(state_, 1);
  }

  /// {err=…} and {ok=…}
  bool message() {
    const bool is_error = push_field(state_, "err", LUA_TSTRING);
    if (!is_error && !push_field(state_, "ok", LUA_TSTRING)) {
      return false;
    }
    std::string buffer;
    std::string_view text = lua::view_of(state_, -1);
    lua_pop(state_, 1);  // the table keeps it
    if (is_error && !is_old_) text = trim_line_ends(text);
    text = without_line_ends(text, buffer);
    if (!is_error) {
      reply_.status(text);
    } else if (push_field(state_, "ignore_error_stats_update", LUA_TBOOLEAN)) {
      lua_pop(state_, 1);
      reply_.counted_error(text);
    } else {
      reply_.error(text);
    }
    return true;
  }

  bool number() {
    if (!push_field(state_, "double", LUA_TNUMBER)) {
      return false;
    }
    reply_.real(lua_tonumber(state_, -1));
    lua_pop(state_, 1);
    return true;
  }

  enum class Keyed : std::uint8_t { map, set };
  bool map(int depth) { return keyed(depth, Keyed::map); }
  bool set(int depth) { return keyed(depth, Keyed::set); }

  /// {map={…}} and {set={…}}; RESP2 has arrays for both.
  bool keyed(int depth, Keyed kind) {
    if (!push_field(state_, kind == Keyed::map ? "map" : "set", LUA_TTABLE)) {
      return false;
    }
    if (!push_keys(state_, -1)) {
      reply_.error("ERR a map or set with keys that have no order can't be a reply");
      lua_pop(state_, 1);
      return true;
    }
    const auto count = static_cast<lua_Integer>(lua_rawlen(state_, -1));
    if (kind == Keyed::map) {
      reply_.map(static_cast<std::size_t>(count));
    } else {
      reply_.set(static_cast<std::size_t>(count));
    }
    for (lua_Integer position = 1; position <= count; ++position) {
      lua_rawgeti(state_, -1, position);
      lua_pushvalue(state_, -1);
      value(depth + map_depth);
      if (kind == Keyed::map) {
        lua_rawget(state_, -3);
        value(depth + map_depth);
      } else {
        lua_pop(state_, 1);
      }
    }
    lua_pop(state_, 2);
    return true;
  }

  /// {big_number=…} and {verbatim_string={format=…, string=…}}
  bool text() {
    if (push_field(state_, "big_number", LUA_TSTRING)) {
      std::string buffer;
      reply_.big_number(without_line_ends(lua::view_of(state_, -1), buffer));
      lua_pop(state_, 1);
      return true;
    }
    if (!push_field(state_, "verbatim_string", LUA_TTABLE)) {
      return false;
    }
    if (!push_field(state_, "format", LUA_TSTRING)) {
      lua_pop(state_, 1);
      return false;
    }
    lua_insert(state_, -2);
    const bool has_string = push_field(state_, "string", LUA_TSTRING);
    if (has_string) {
      reply_.verbatim(lua::view_of(state_, -3), lua::view_of(state_, -1));
      lua_pop(state_, 1);
    }
    lua_pop(state_, 2);
    return has_string;
  }

  void array(int depth) {
    lua_Integer count = 0;
    while (lua_rawgeti(state_, -1, count + 1) != LUA_TNIL) {
      lua_pop(state_, 1);
      ++count;
    }
    lua_pop(state_, 1);
    reply_.array(static_cast<std::size_t>(count));
    for (lua_Integer position = 1; position <= count; ++position) {
      lua_rawgeti(state_, -1, position);
      value(depth + 1);
    }
  }

  lua_State* state_;
  ScriptProtocol protocol_;
  bool is_old_;
  ReplyWriter& reply_;
};

}  // namespace

std::int64_t cut_to_integer(double number) {
  constexpr double two_to_63 = 9223372036854775808.0;
  if (number >= -two_to_63 && number < two_to_63) {
    return static_cast<std::int64_t>(number);
  }
  return std::numeric_limits<std::int64_t>::min();
}

std::uint64_t cut_to_unsigned(double number) {
  constexpr double two_to_63 = 9223372036854775808.0;
  if (number >= two_to_63) {
    const std::int64_t upper_half = cut_to_integer(number - two_to_63);
    return static_cast<std::uint64_t>(upper_half) ^ (std::uint64_t{1} << 63);
  }
  return static_cast<std::uint64_t>(cut_to_integer(number));
}

std::string_view without_line_ends(std::string_view text, std::string& buffer) {
  if (text.find_first_of("\r\n") == std::string_view::npos) {
    return text;
  }
  buffer.assign(text);
  for (char& letter : buffer) {
    if (letter == '\r' || letter == '\n') {
      letter = ' ';
    }
  }
  return buffer;
}

void write_result(lua_State* state, ScriptProtocol protocol, const VersionTraits& version,
                  ReplyWriter& reply) {
  if (lua_type(state, -1) == LUA_TTABLE) {
    Extent extent;
    measure(state, 1, extent);
    if (extent.is_too_large()) {
      reply.error("ERR the script's reply is too large");
      lua_pop(state, 1);
      return;
    }
  }
  ResultWriter(state, protocol, version.has_old_script_errors, reply).value(1);
}

}  // namespace lockstep::redis
