#include "model/client/runtime/compiled_sources.h"

#include <cassert>
#include <lua.hpp>

namespace lockstep::model {
namespace {

// Far more than the files of all locks that one search is about; edited ones are others.
constexpr std::size_t sources_max = 256;

}  // namespace

CompiledSource& CompiledSources::find(const std::string& path, std::string_view source) {
  std::string key = path;
  key.append(1, '\0').append(source);
  if (const auto found = sources_.find(key); found != sources_.end()) return found->second;
  if (sources_.size() == sources_max) sources_.clear();
  CompiledSource& added = sources_[std::move(key)];
  added.traits.add(source);
  return added;
}

// Functions that are made from one closure share the variable in which it has its environment. So
// the closure is given the variable of another, empty chunk first.
void push_with_environment(lua_State* lua, const LuaReference& chunk) {
  chunk.push(lua);
  [[maybe_unused]] const int status = luaL_loadbufferx(lua, "", 0, "=environment", "t");
  assert(status == LUA_OK);
  lua_upvaluejoin(lua, -2, 1, -1, 1);
  lua_pop(lua, 1);
  lua_insert(lua, -2);
  lua_setupvalue(lua, -2, 1);
}

}  // namespace lockstep::model
