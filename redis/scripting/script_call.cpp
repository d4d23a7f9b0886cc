#include "redis/scripting/script_call.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>

#include "redis/protocol/integer_text.h"
#include "redis/scripting/script_reply_writer.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

namespace {

constexpr int few_arguments_max = 8;  // room for more is made in vain by each call
constexpr std::size_t number_text_max = 32;
using NumberText = std::array<char, number_text_max>;
constexpr double two_to_53 = 9007199254740992.0;

std::size_t write_integer(std::int64_t value, char* text) {
  return IntegerText(value).view().copy(text, number_text_max);
}

/// A number as Redis passes it to a command, "%.17g" of the double that Lua 5.1 would have.
std::size_t write_number(lua_State* state, int index, const ScriptContext& context, char* text) {
  const double value = lua_tonumber(state, index);
  if (std::fabs(value) < two_to_53) {
    const auto whole = static_cast<std::int64_t>(value);
    const bool is_negative_zero = whole == 0 && std::signbit(value);
    if (static_cast<double>(whole) == value && !is_negative_zero) {
      return write_integer(whole, text);
    }
  }
  const VersionTraits& version = context.host->script_version();
  if (version.passes_whole_numbers && !std::isnan(value)) {
    return RealText(value == 0 ? 0 : value, version.number_format)
        .view()
        .copy(text, number_text_max);
  }
  return static_cast<std::size_t>(std::snprintf(text, number_text_max, "%.17g", value));
}

/// Reads the arguments on the stack into `views`, with room for each number's text; false if one is
/// neither a string nor a number.
bool read_arguments(lua_State* state, int count, const ScriptContext& context,
                    std::string_view* views, char* numbers) {
  for (int index = 1; index <= count; ++index) {
    const int type = lua_type(state, index);
    std::string_view& view = views[index - 1];
    if (type == LUA_TSTRING) {
      std::size_t length = 0;
      const char* text = lua_tolstring(state, index, &length);
      view = {text, length};
    } else if (type == LUA_TNUMBER) {
      char* text = numbers + static_cast<std::size_t>(index - 1) * number_text_max;
      view = {text, write_number(state, index, context, text)};
    } else {
      return false;
    }
  }
  return true;
}

enum class Outcome : std::uint8_t { reply, error };

Outcome refuse(lua_State* state, std::string_view text) {
  push_error_table(state, text);
  return Outcome::error;
}

/// What redis.call refuses by itself; 6.0 says where.
Outcome refuse(lua_State* state, const ScriptContext& context, std::string_view text) {
  if (context.host->script_version().has_old_script_errors) {
    push_located_error_table(state, text);
    return Outcome::error;
  }
  return refuse(state, text);
}

Outcome execute(lua_State* state, ScriptContext& context,
                std::span<const std::string_view> arguments) {
  // No Lua error may pass through the host's frames: within this block nothing raises.
  const lua::Memory::Unlimited unlimited(*context.memory);
  LuaReplyWriter writer(state, context);
  [[maybe_unused]] const int top = lua_gettop(state);
  context.host->call(arguments, writer);
  assert(lua_gettop(state) == top + 1 && "a command must write exactly one reply");
  return writer.is_error() ? Outcome::error : Outcome::reply;
}

Outcome call_with_few(lua_State* state, ScriptContext& context, int count) {
  std::array<std::string_view, few_arguments_max> views;
  std::array<char, few_arguments_max * number_text_max> numbers;
  if (!read_arguments(state, count, context, views.data(), numbers.data())) {
    return refuse(state, context, context.host->script_version().bad_arguments_in_script);
  }
  return execute(state, context, {views.data(), static_cast<std::size_t>(count)});
}

Outcome call_with_many(lua_State* state, ScriptContext& context, int count) {
  const auto size = static_cast<std::size_t>(count);
  context.arguments.resize(size);
  context.argument_numbers.resize(size * number_text_max);
  if (!read_arguments(state, count, context, context.arguments.data(),
                      context.argument_numbers.data())) {
    return refuse(state, context, context.host->script_version().bad_arguments_in_script);
  }
  return execute(state, context, {context.arguments.data(), size});
}

/// Leaves the reply, or the error's table, on top of the stack.
Outcome call(lua_State* state) {
  ScriptContext& context = context_of(state);
  const int count = lua_gettop(state);
  if (context.host == nullptr) {
    return refuse(state, "ERR redis.call/pcall can only be called inside a script invocation");
  }
  if (count == 0) {
    return refuse(state, context, context.host->script_version().no_arguments_in_script);
  }
  context.watch->look(state);
  return count <= few_arguments_max ? call_with_few(state, context, count)
                                    : call_with_many(state, context, count);
}

}  // namespace

int redis_call(lua_State* state) {
  if (call(state) != Outcome::error) return 1;
  const ScriptHost* const host = context_of(state).host;
  // 6.0 raises the text alone.
  if (host != nullptr && host->script_version().has_old_script_errors) {
    lua_getfield(state, -1, "err");
  }
  return lua_error(state);
}

int redis_pcall(lua_State* state) {
  call(state);
  return 1;
}

}  // namespace lockstep::redis
