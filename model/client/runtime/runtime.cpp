#include "model/client/runtime/runtime.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <lua.hpp>

#include "lua/interpreter/deterministic_base.h"
#include "lua/interpreter/read_only.h"
#include "model/client/client_components.h"
#include "model/client/runtime/client_model.h"
#include "model/client/runtime/compiled_sources.h"
#include "model/client/runtime/functions.h"
#include "model/client/runtime/runtime_implementation.h"
#include "model/lock/interaction_check.h"
#include "model/lock/lock_package.h"
#include "model/lock/source_place.h"
#include "redis/scripting/script_engine.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

constexpr std::size_t scripts_max = 64;

/// Names of the base environment that reach around the rules of client models.
constexpr std::array<const char*, 5> withheld = {"coroutine", "collectgarbage", "rawset", "_G",
                                                 "getmetatable"};

int describe_error(lua_State* lua) {
  lua_getfield(lua, 1, "message");
  return 1;
}

int refuse_field(lua_State* lua) {
  return luaL_error(lua, "the fields of `client` can't be set: keep state in client.state");
}

/// The base environment's setmetatable, but not on the shared read-only tables, and not with code
/// that runs when a coroutine is given up.
int set_metatable(lua_State* lua) {
  if (lua::is_view(lua, 1)) return luaL_error(lua, "this table is read-only");
  lua_settop(lua, 2);
  if (lua_istable(lua, 2)) {
    lua_pushliteral(lua, "__close");
    if (lua_rawget(lua, 2) != LUA_TNIL) return luaL_error(lua, "'__close' is refused");
    lua_pop(lua, 1);
  }
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 2, 1);
  return 1;
}

void hide_library(lua_State* lua, const char* name) {
  lua_getfield(lua, -1, name);
  lua::make_read_only_view(lua);
  lua_setfield(lua, -2, name);
}

LuaReference make_base(lua_State* lua) {
  lua_newtable(lua);
  lua::install_deterministic_base(lua, -1);
  for (const char* name : withheld) {
    lua_pushnil(lua);
    lua_setfield(lua, -2, name);
  }
  for (const char* name : {LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_MATHLIBNAME}) {
    hide_library(lua, name);
  }
  lua_getfield(lua, -1, "setmetatable");
  lua_pushcclosure(lua, &set_metatable, 1);
  lua_setfield(lua, -2, "setmetatable");
  return LuaReference(lua);
}

LuaReference make_functions_metatable(lua_State* lua) {
  lua_newtable(lua);
  push_client_functions(lua);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, &refuse_field);
  lua_setfield(lua, -2, "__newindex");
  return LuaReference(lua);
}

LuaReference make_error_metatable(lua_State* lua) {
  lua_newtable(lua);
  lua_pushcfunction(lua, &describe_error);
  lua_setfield(lua, -2, "__tostring");
  return LuaReference(lua);
}

void push_option(lua_State* lua, const scenario::OptionValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(lua, *number);
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    lua_pushlstring(lua, word->data(), word->size());
  } else {
    lua_pushboolean(lua, std::get<bool>(value) ? 1 : 0);
  }
}

LuaReference make_options(lua_State* lua, const scenario::Options& options) {
  lua_newtable(lua);
  for (const auto& [name, value] : options) {
    push_option(lua, value);
    lua_setfield(lua, -2, name.c_str());
  }
  lua::make_read_only_view(lua);
  return LuaReference(lua);
}

/// "ERR Error compiling script (new function): user_script:3: what" → line 3, what.
scenario::InputError script_error(const LockScript& script, std::string_view error) {
  constexpr std::string_view chunk = "user_script";
  const std::size_t at = error.find(chunk);
  return input_error_from(script.path, script.body, chunk,
                          at == std::string_view::npos ? error : error.substr(at));
}

}  // namespace

ClientRuntime::Implementation::Implementation(CompiledSources& compiled,
                                              redis::ScriptEngine& engine, const LockPackage& lock)
    : sources(compiled), state(compiled.state()), main(state.raw()), package(lock) {
  const lua::Memory::Unlimited unlimited(state.memory());
  // Each coroutine of a client has its Fiber there; what runs elsewhere has none.
  *static_cast<Fiber**>(lua_getextraspace(main)) = nullptr;
  base = make_base(main);
  functions_metatable = make_functions_metatable(main);
  option_tables.push_back({*package.options, make_options(main, *package.options)});
  for (const auto& client : *package.options_of_clients) {
    const scenario::Options& options = client.second;
    const bool is_known =
        std::any_of(option_tables.begin(), option_tables.end(),
                    [&](const OptionTable& each) { return each.options == options; });
    if (!is_known) option_tables.push_back({options, make_options(main, options)});
  }
  error_metatable = make_error_metatable(main);
  compile_scripts(engine);
}

void ClientRuntime::Implementation::compile_scripts(redis::ScriptEngine& engine) {
  if (package.scripts.size() > scripts_max) {
    throw scenario::InputError({(package.folder / "lock.toml").string()},
                               "a lock may have " + std::to_string(scripts_max) +
                                   " scripts, this one has " +
                                   std::to_string(package.scripts.size()));
  }
  for (const LockScript& script : package.scripts) {
    const auto compiled = engine.compile(script.body);
    if (const auto* error = std::get_if<std::string>(&compiled)) throw script_error(script, *error);
    scripts.push_back(
        {script.name, script.body, std::string(engine.sha1(std::get<redis::ScriptId>(compiled)))});
  }
}

const LuaReference& ClientRuntime::Implementation::option_table(
    const scenario::Options& options) const {
  const auto found = std::find_if(option_tables.begin(), option_tables.end(),
                                  [&](const OptionTable& each) { return each.options == options; });
  assert(found != option_tables.end());
  return found->table;
}

int ClientRuntime::Implementation::find_script(std::string_view name) const {
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    if (scripts[i].name == name) return static_cast<int>(i);
  }
  return Command::no_script;
}

std::string_view ClientRuntime::Implementation::label_of_command(std::string_view name) {
  std::array<char, 64> lower;
  const std::size_t length = std::min(name.size(), lower.size());
  for (std::size_t i = 0; i < length; ++i) {
    const char letter = name[i];
    lower[i] = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  const std::string_view label(lower.data(), length);
  const auto found = labels_.find(label);
  return found != labels_.end() ? *found : *labels_.emplace(label).first;
}

ClientRuntime::ClientRuntime(CompiledSources& sources, redis::ScriptEngine& scripts,
                             const LockPackage& package)
    : package_(package),
      implementation_(std::make_unique<Implementation>(sources, scripts, package)) {
  ClientModel client_model(*implementation_, *package.options);
  const auto check = [&](const std::string& path, const std::string& source) {
    CompiledSource& known = sources.find(path, source);
    if (!known.has_checked_interactions) check_interactions(path, source);
    known.has_checked_interactions = true;
  };
  check(package.client_path, package.client_source);
  for (const LockLibrary& library : package.libraries) check(library.path, library.source);
  client_model.start_run("check");
  implementation_->offered = client_model.offered();
}

std::span<const scenario::StepKind> ClientRuntime::offered() const {
  return implementation_->offered;
}

void ClientRuntime::require_offered(const scenario::Scenario& scenario) const {
  const std::vector<scenario::StepKind>& offered = implementation_->offered;
  std::vector<std::string_view> words;
  for (const scenario::StepKind kind : offered) words.push_back(scenario::form_of(kind).word);
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      scenario::visit_possible_steps(thread, [&](const scenario::Step& step) {
        const scenario::StepForm& form = scenario::form_of(step.kind);
        if (form.role == scenario::StepRole::none) return;
        if (std::find(offered.begin(), offered.end(), step.kind) != offered.end()) return;
        throw scenario::InputError(step.place, "the lock '" + package_.full_name() + "' has no '" +
                                                   std::string(form.word) + "' (it offers " +
                                                   scenario::listed(words) + ")");
      });
    }
  }
}

ClientRuntime::~ClientRuntime() = default;

}  // namespace lockstep::model
