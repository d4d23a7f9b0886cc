#include "redis/scripting/script_engine.h"

#include <sha1.h>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "lua/interpreter/deterministic_base.h"
#include "lua/interpreter/numbers.h"
#include "lua/interpreter/state.h"
#include "lua/interpreter/text.h"
#include "lua/source/warning.h"
#include "redis/protocol/reply_writer.h"
#include "redis/scripting/function_library.h"
#include "redis/scripting/libraries/string_arithmetic.h"
#include "redis/scripting/script_context.h"
#include "redis/scripting/script_environment.h"
#include "redis/scripting/script_errors.h"
#include "redis/scripting/script_instruction_limiter.h"
#include "redis/scripting/script_loading.h"
#include "redis/scripting/script_process_state.h"
#include "redis/scripting/script_reply_writer.h"
#include "redis/scripting/script_result.h"
#include "redis/scripting/script_shebang.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

namespace {

constexpr std::size_t sha1_digits = 40;

/// A script may copy so much for every instruction that it may execute: as much as takes as long.
constexpr std::uint64_t bytes_per_instruction = 16;

// What stands at the bottom of the scripts' thread.
constexpr int handler_slot = 1;
constexpr int keys_slot = 2;
constexpr int arguments_slot = 3;
constexpr int texts_slot = 4;
constexpr int bottom = texts_slot;

using Views = std::span<const std::string_view>;

/// Where a text is looked for among those passed lately: told by its length and both ends.
constexpr std::size_t recent_texts = 256;
constexpr std::size_t recent_text_bytes_max = 128;
std::size_t place_of_text(std::string_view text) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (text.size() >= sizeof first) {
    std::memcpy(&first, text.data(), sizeof first);
    std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
  } else if (!text.empty()) {
    first = static_cast<unsigned char>(text.front());
    last = static_cast<unsigned char>(text.back());
  }
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(((first ^ (last << 7U) ^ text.size()) * golden) >> 56U);
}

}  // namespace

struct ScriptEngine::Implementation {
  /// A script as compiled. The text is the key of the map that finds it.
  struct Script {
    std::string_view body;
    std::string sha1;
    ScriptFlags declaration;
    std::vector<lua::ScriptWarning> warnings;
    std::string rewritten;
    int function = LUA_NOREF;
    bool may_run_long = false;
    bool may_touch_arguments = false;
    bool may_call_methods = false;
  };

  explicit Implementation(lua::State& owner);
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation();

  [[nodiscard]] Script& script(ScriptId id) { return *scripts[static_cast<std::size_t>(id)]; }
  std::variant<ScriptId, std::string> add(std::string_view body);
  void keep_function(const lua::ScriptSource& source, Script& script);
  void pass_arguments(const Script& script, Views keys, Views arguments);
  void fill(int slot, std::vector<std::string_view>& held, Views values);
  std::string_view push_text(std::string_view text);
  void replace_arguments(std::size_t keys, std::size_t arguments);
  void prepare(const Script& script);
  void clean_up(const Script& script);
  /// The function and its arguments are on top of the stack. `name` is for error messages.
  void execute(int argument_count, std::string_view name, ReplyWriter& reply);
  void write_error(std::string_view script, ReplyWriter& reply);
  void push_array(Views values);
  [[nodiscard]] std::string library_error();
  void behave_as(const VersionTraits& version);
  void begin_watch(bool may_run_long);

  lua::Memory& memory;
  lua_State* state;   ///< the main thread, for building
  lua_State* thread;  ///< the scripts' own
  int thread_reference = LUA_NOREF;
  ScriptContext context;
  InstructionLimiter watch;
  ScriptEnvironments environments;
  const VersionTraits* version_seen = nullptr;   // by the scripts, see behave_as
  int other_string_methods = LUA_NOREF;          ///< of everybody else in the state
  std::vector<std::unique_ptr<Script>> scripts;  // that stay where they are
  std::map<std::string, ScriptId, std::less<>> by_body;
  std::map<std::string, ScriptId, std::less<>> by_sha1;
  /// Entries of by_sha1 that were found lately, by place_of_text.
  std::array<const std::pair<const std::string, ScriptId>*, recent_texts> recent_sha1s{};
  // What stands in KEYS, in ARGV and, by place_of_text, in the table at texts_slot: the strings of
  // Lua that those hold.
  std::vector<std::string_view> keys_held;
  std::vector<std::string_view> arguments_held;
  std::array<std::string_view, recent_texts> texts;
  std::string error_text;
  std::string line_buffer;
};

ScriptEngine::Implementation::Implementation(lua::State& owner)
    : memory(owner.memory()), state(owner.raw()), thread(nullptr) {
  const lua::Memory::Unlimited unlimited(memory);
  thread = lua_newthread(state);
  thread_reference = luaL_ref(state, LUA_REGISTRYINDEX);
  context.memory = &memory;
  context.watch = &watch;
  context.thread = thread;
  environments = build_environments(state, context);
  lua::push_string_methods(state);
  other_string_methods = luaL_ref(state, LUA_REGISTRYINDEX);
  install_string_arithmetic(state, context);
  watch.attach(state);
  lua_pushcfunction(thread, &describe_error);
  lua_settop(thread, arguments_slot);
  lua_createtable(thread, recent_texts, 0);
  for (std::size_t place = 0; place < recent_texts; ++place) {
    lua_pushliteral(thread, "");
    lua_rawseti(thread, texts_slot, static_cast<lua_Integer>(place) + 1);
  }
  replace_arguments(0, 0);
}

ScriptEngine::Implementation::~Implementation() {
  remove_string_arithmetic(state);
  for (const auto& script : scripts) {
    luaL_unref(state, LUA_REGISTRYINDEX, script->function);
  }
  for (const int reference :
       {environments.open, environments.guarded, environments.guarded_contents,
        environments.functions, environments.loading, environments.string_methods,
        other_string_methods, thread_reference}) {
    luaL_unref(state, LUA_REGISTRYINDEX, reference);
  }
}

/// Makes fresh tables for KEYS and ARGV.
void ScriptEngine::Implementation::replace_arguments(std::size_t keys, std::size_t arguments) {
  lua_createtable(thread, static_cast<int>(keys), 0);
  lua_pushvalue(thread, -1);
  lua_replace(thread, keys_slot);
  set_script_global(thread, environments, "KEYS");
  lua_createtable(thread, static_cast<int>(arguments), 0);
  lua_pushvalue(thread, -1);
  lua_replace(thread, arguments_slot);
  set_script_global(thread, environments, "ARGV");
  keys_held.clear();
  arguments_held.clear();
}

/// Scripts are passed the same keys, owners and leases again and again: what is there stays.
void ScriptEngine::Implementation::fill(int slot, std::vector<std::string_view>& held,
                                        Views values) {
  for (std::size_t filled = held.size(); filled > values.size(); --filled) {
    lua_pushnil(thread);
    lua_rawseti(thread, slot, static_cast<lua_Integer>(filled));
  }
  held.resize(values.size());
  for (std::size_t index = 0; index < values.size(); ++index) {
    // An empty view is also what held.resize adds, for which the table has nothing yet.
    if (!values[index].empty() && held[index] == values[index]) continue;
    held[index] = push_text(values[index]);
    lua_rawseti(thread, slot, static_cast<lua_Integer>(index) + 1);
  }
}

/// Pushes the text as a string, which it returns. Lua takes four times as long to look a string up
/// by its text as it takes to find one of those passed lately.
std::string_view ScriptEngine::Implementation::push_text(std::string_view text) {
  if (text.size() > recent_text_bytes_max)
    return {lua_pushlstring(thread, text.data(), text.size()), text.size()};
  const std::size_t place = place_of_text(text);
  const auto slot = static_cast<lua_Integer>(place) + 1;
  std::string_view& recent = texts[place];
  if (recent == text) {
    lua_rawgeti(thread, texts_slot, slot);
    return recent;
  }
  recent = {lua_pushlstring(thread, text.data(), text.size()), text.size()};
  lua_pushvalue(thread, -1);
  lua_rawseti(thread, texts_slot, slot);
  return recent;
}

void ScriptEngine::Implementation::pass_arguments(const Script& script, Views keys,
                                                  Views arguments) {
  if (script.may_touch_arguments) {
    replace_arguments(keys.size(), arguments.size());
  }
  fill(keys_slot, keys_held, keys);
  fill(arguments_slot, arguments_held, arguments);
}

std::variant<ScriptId, std::string> ScriptEngine::Implementation::add(std::string_view body) {
  auto shebang = read_shebang(body);
  if (auto* complaint = std::get_if<std::string>(&shebang)) {
    return std::move(*complaint);
  }
  const ScriptShebang& line = std::get<ScriptShebang>(shebang);
  const lua::Memory::Unlimited unlimited(memory);
  auto loaded = load_script(state, body.substr(line.length), "@user_script");
  if (const auto* complaint = std::get_if<std::string>(&loaded)) {
    return "ERR Error compiling script (new function): " +
           std::string(without_line_ends(*complaint, line_buffer));
  }
  const auto id = static_cast<ScriptId>(scripts.size());
  const auto entry = by_body.emplace(body, id).first;
  Script script;
  script.body = entry->first;
  script.sha1 = sha1_hex(body);
  script.declaration = line.declaration;
  auto& source = std::get<lua::ScriptSource>(loaded);
  keep_function(source, script);
  script.warnings = std::move(source.warnings);
  script.rewritten = std::move(source.code);
  by_sha1.emplace(script.sha1, id);
  scripts.push_back(std::make_unique<Script>(std::move(script)));
  return id;
}

/// Gives the function on top of the stack its environment and keeps it.
void ScriptEngine::Implementation::keep_function(const lua::ScriptSource& source, Script& script) {
  script.may_run_long = source.may_run_long;
  script.may_touch_arguments = source.may_touch_arguments || source.may_touch_globals;
  script.may_call_methods = source.may_call_methods;
  lua_rawgeti(state, LUA_REGISTRYINDEX,
              source.may_touch_globals ? environments.guarded : environments.open);
  lua_setupvalue(state, -2, 1);
  script.function = luaL_ref(state, LUA_REGISTRYINDEX);
}

/// An uncaught error is on top of the stack: a table from describe_error, or, where even that could
/// not run, a message.
void ScriptEngine::Implementation::write_error(std::string_view script, ReplyWriter& reply) {
  const auto field = [this](const char* name) -> std::string_view {
    lua_pushstring(thread, name);
    const int type = lua_rawget(thread, -2);
    lua::make_text(thread, -1);
    std::size_t length = 0;
    const bool is_text = type == LUA_TSTRING || type == LUA_TNUMBER;
    const char* text = is_text ? lua_tolstring(thread, -1, &length) : nullptr;
    return {text, length};  // the string stays on the stack until the end of write_error
  };
  bool is_counted = false;
  if (lua_type(thread, -1) != LUA_TTABLE) {
    const char* message = lua_tostring(thread, -1);
    error_text.assign("ERR Error running script ").append(script).append(", ");
    error_text.append(message == nullptr ? "execution failure" : message);
  } else {
    const int error = lua_gettop(thread);
    lua_pushstring(thread, "text");
    const bool is_text = lua_rawget(thread, error) == LUA_TBOOLEAN;
    lua_pop(thread, 1);
    lua_pushstring(thread, "ignore_error_stats_update");
    is_counted = lua_rawget(thread, error) == LUA_TBOOLEAN;
    lua_pushvalue(thread, error);
    const std::string_view message = field("err");
    error_text.assign(message.data() == nullptr ? "ERR the script raised a table without 'err'"
                                                : message);
    lua_pushvalue(thread, error);
    const std::string_view source = field("source");
    lua_pushvalue(thread, error);
    const std::string_view line = field("line");
    if (context.host->script_version().has_old_script_errors) {
      // What was raised as a text got an error code on the way, which 6.0 does not give.
      constexpr std::string_view code = "ERR ";
      if (is_text && error_text.starts_with(code)) error_text.erase(0, code.size());
      std::string where = "ERR Error running script (call to f_" + std::string(script) + "): ";
      lua_pushvalue(thread, error);
      if (const std::string_view type = field("raised"); type.data() != nullptr) {
        constexpr std::string_view handler = "err_handler_def:8: ";
        where.append("@").append(handler).append(handler);
        error_text = "attempt to concatenate local 'err' (a " + std::string(type) + " value)";
      } else if (error_text.find("nonexistent global variable") != std::string::npos) {
        where += "@enable_strict_lua:15: ";
      } else if (source.data() != nullptr && line.data() != nullptr) {
        where.append(source).append(":").append(line).append(": ");
      }
      error_text.insert(0, where);
    } else if (source.data() != nullptr && line.data() != nullptr) {
      error_text.append(" script: ");
      if (context.host->script_version().errors_tell_sha1) {
        error_text.append(script).append(", ");
      }
      error_text.append("on ");
      error_text.append(source).append(":").append(line).append(".");
    }
  }
  if (context.host->script_version().has_old_script_errors) {
    error_text.erase(error_text.find_last_not_of("\r\n") + 1);
  }
  const std::string_view line = without_line_ends(error_text, line_buffer);
  if (is_counted) return reply.counted_error(line);
  reply.error(line);
}

/// What only some scripts need before they run.
void ScriptEngine::Implementation::prepare(const Script& script) {
  if (script.may_call_methods) {
    lua_rawgeti(thread, LUA_REGISTRYINDEX, environments.string_methods);
    lua::set_string_methods(thread);
  }
  begin_watch(script.may_run_long);
}

void ScriptEngine::Implementation::begin_watch(bool may_run_long) {
  watch.reset();
  if (watch.instructions_max() != 0) {
    memory.allow_large_blocks(watch.instructions_max() * bytes_per_instruction);
  }
  if (may_run_long) watch.start(thread);
}

/// Undoes prepare, and drops tables that the script may have changed or kept hold of.
void ScriptEngine::Implementation::clean_up(const Script& script) {
  watch.stop(thread);
  memory.allow_all_large_blocks();
  const lua::Memory::Unlimited unlimited(memory);
  if (script.may_call_methods) {
    lua_rawgeti(thread, LUA_REGISTRYINDEX, other_string_methods);
    lua::set_string_methods(thread);
  }
  if (script.may_touch_arguments) {
    replace_arguments(0, 0);
  }
}

void ScriptEngine::Implementation::execute(int argument_count, std::string_view name,
                                           ReplyWriter& reply) {
  const int status = lua_pcall(thread, argument_count, 1, handler_slot);
  const lua::Memory::Unlimited unlimited(memory);
  if (status == LUA_OK) {
    write_result(thread, context.protocol, *version_seen, reply);
  } else {
    if (memory.has_refused_large_block()) {
      InstructionLimiter::push_error(thread);
    }
    write_error(name, reply);
  }
  lua_settop(thread, bottom);
  if (status == LUA_ERRMEM || context.ran_out_of_memory) {
    lua_gc(thread, LUA_GCCOLLECT);  // so that the next script has what this one took
  }
}

const VersionTraits& ScriptHost::script_version() const { return traits_of(default_version); }

ScriptEngine::ScriptEngine(lua::State& state)
    : implementation_(std::make_unique<Implementation>(state)) {}

ScriptEngine::~ScriptEngine() = default;

std::variant<ScriptId, std::string> ScriptEngine::compile(std::string_view body) {
  const auto known = implementation_->by_body.find(body);
  if (known != implementation_->by_body.end()) {
    return known->second;
  }
  return implementation_->add(body);
}

const ScriptId* ScriptEngine::find(std::string_view sha1) const {
  if (sha1.size() != sha1_digits) {
    return nullptr;
  }
  const auto*& recent = implementation_->recent_sha1s[place_of_text(sha1)];
  if (recent != nullptr && recent->first == sha1) {
    return &recent->second;
  }
  if (const auto found = implementation_->by_sha1.find(sha1);
      found != implementation_->by_sha1.end()) {
    recent = &*found;
    return &found->second;
  }
  std::array<char, sha1_digits> lower;
  for (std::size_t index = 0; index < sha1_digits; ++index) {
    const char digit = sha1[index];
    lower[index] = digit >= 'A' && digit <= 'Z' ? static_cast<char>(digit - 'A' + 'a') : digit;
  }
  const auto found = implementation_->by_sha1.find(std::string_view(lower.data(), sha1_digits));
  return found == implementation_->by_sha1.end() ? nullptr : &found->second;
}

std::string_view ScriptEngine::sha1(ScriptId script) const {
  return implementation_->script(script).sha1;
}

std::string_view ScriptEngine::body(ScriptId script) const {
  return implementation_->script(script).body;
}

const ScriptFlags& ScriptEngine::declaration(ScriptId script) const {
  return implementation_->script(script).declaration;
}

std::span<const lua::ScriptWarning> ScriptEngine::warnings(ScriptId script) const {
  return implementation_->script(script).warnings;
}

std::string_view ScriptEngine::rewritten(ScriptId script) const {
  return implementation_->script(script).rewritten;
}

void ScriptEngine::run(ScriptId id, Views keys, Views arguments, ScriptHost& host,
                       ReplyWriter& reply) {
  Implementation& self = *implementation_;
  assert(self.context.host == nullptr && "a script can't run another");
  const Implementation::Script& script = self.script(id);
  {
    const lua::Memory::Unlimited unlimited(self.memory);
    self.behave_as(host.script_version());
    self.pass_arguments(script, keys, arguments);
    self.prepare(script);
  }
  self.context.host = &host;
  self.context.protocol = ScriptProtocol::resp2;
  self.context.ran_out_of_memory = false;
  lua_rawgeti(self.thread, LUA_REGISTRYINDEX, script.function);
  self.execute(0, script.sha1, reply);
  self.clean_up(script);
  self.context.host = nullptr;
}

void ScriptEngine::Implementation::push_array(Views values) {
  lua_createtable(thread, static_cast<int>(values.size()), 0);
  lua_Integer position = 0;
  for (const std::string_view value : values) {
    push_text(value);
    lua_rawseti(thread, -2, ++position);
  }
}

/// The nodes of a cluster share the engine, and each may have a version of its own.
void ScriptEngine::Implementation::behave_as(const VersionTraits& version) {
  if (version_seen == &version) return;
  version_seen = &version;
  set_version(thread, environments, version);
}

/// The text of the error on top of the stack, in one line.
std::string ScriptEngine::Implementation::library_error() {
  std::string text = "ERR not enough memory";
  if (lua_istable(thread, -1)) {
    lua_pushliteral(thread, "err");
    lua_rawget(thread, -2);
  }
  if (lua_isstring(thread, -1) != 0) text = lua::view_of(thread, -1);
  return std::string(without_line_ends(text, line_buffer));
}

std::variant<std::vector<LibraryFunction>, std::string> ScriptEngine::load_library(
    std::string_view code, const VersionTraits& version) {
  Implementation& self = *implementation_;
  assert(self.context.host == nullptr && "a script can't load a library");
  lua_State* const thread = self.thread;
  LibraryLoading loading;
  {
    const lua::Memory::Unlimited unlimited(self.memory);
    self.behave_as(version);
    const auto loaded = load_script(thread, code, "@user_function");
    if (const auto* const complaint = std::get_if<std::string>(&loaded)) {
      return "Error compiling function: " +
             std::string(without_line_ends(*complaint, self.line_buffer));
    }
    begin_library(thread, self.environments);
    lua_pushvalue(thread, -1);
    lua_setupvalue(thread, -3, 1);
    lua_insert(thread, -2);  // the library's globals stay below
    self.begin_watch(true);
  }
  self.context.loading = &loading;
  const int status = lua_pcall(thread, 0, 0, handler_slot);
  self.context.loading = nullptr;
  self.watch.stop(thread);
  self.memory.allow_all_large_blocks();
  const lua::Memory::Unlimited unlimited(self.memory);
  std::string error;
  if (status != LUA_OK) {
    error = "Error registering functions: " + self.library_error();
  } else if (loading.functions.empty()) {
    error = "No functions registered";
  } else {
    end_library(thread, self.environments);
  }
  lua_settop(thread, bottom);
  if (error.empty()) return std::move(loading.functions);
  release(loading.functions);
  return error;
}

void ScriptEngine::release(std::span<const LibraryFunction> functions) {
  for (const LibraryFunction& each : functions) {
    luaL_unref(implementation_->state, LUA_REGISTRYINDEX, each.reference);
  }
}

void ScriptEngine::run_function(const LibraryFunction& function, Views keys, Views arguments,
                                ScriptHost& host, ReplyWriter& reply) {
  Implementation& self = *implementation_;
  assert(self.context.host == nullptr && "a script can't run another");
  {
    const lua::Memory::Unlimited unlimited(self.memory);
    self.behave_as(host.script_version());
    lua_rawgeti(self.thread, LUA_REGISTRYINDEX, self.environments.string_methods);
    lua::set_string_methods(self.thread);
    self.begin_watch(true);
    lua_rawgeti(self.thread, LUA_REGISTRYINDEX, function.reference);
    self.push_array(keys);
    self.push_array(arguments);
  }
  self.context.host = &host;
  self.context.protocol = ScriptProtocol::resp2;
  self.context.ran_out_of_memory = false;
  self.execute(2, function.name, reply);
  self.watch.stop(self.thread);
  self.memory.allow_all_large_blocks();
  const lua::Memory::Unlimited unlimited(self.memory);
  lua_rawgeti(self.thread, LUA_REGISTRYINDEX, self.other_string_methods);
  lua::set_string_methods(self.thread);
  self.context.host = nullptr;
}

void ScriptEngine::set_instruction_limit(std::uint64_t instructions_max) {
  implementation_->watch.set_limit(instructions_max);
}

void ScriptEngine::set_watchdog(ScriptWatchdog* watchdog) {
  implementation_->watch.set_watchdog(watchdog);
}

void ScriptEngine::forget_all() {
  Implementation& self = *implementation_;
  assert(self.context.host == nullptr && "a script runs");
  for (const auto& script : self.scripts) {
    luaL_unref(self.state, LUA_REGISTRYINDEX, script->function);
  }
  self.scripts.clear();
  self.by_body.clear();
  self.by_sha1.clear();
  self.recent_sha1s.fill(nullptr);
  const lua::Memory::Unlimited unlimited(self.memory);
  lua_gc(self.state, LUA_GCCOLLECT);
}

std::size_t ScriptEngine::script_count() const { return implementation_->scripts.size(); }

std::string sha1_hex(std::string_view text) {
  std::array<char, sha1_digits + 1> digest;
  SHA1Data(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(), digest.data());
  return std::string(digest.data(), sha1_digits);
}

}  // namespace lockstep::redis
