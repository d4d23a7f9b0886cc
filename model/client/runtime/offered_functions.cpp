// Which functions a client model may offer, by the shape of its lock's state, and which belong
// together.
#include <algorithm>
#include <lua.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/client/runtime/client_model.h"
#include "model/lock/lock_package.h"
#include "model/lock/source_place.h"
#include "scenario/step_forms.h"
#include "scenario/step_kind.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::model {
namespace {

enum class Family : std::uint8_t { mutex, readers_and_writer, permits, count };

Family family_of(StateShape shape) {
  switch (shape) {
    case StateShape::holds_by_owner:
    case StateShape::owner_token:
      return Family::mutex;
    case StateShape::readers_and_writer:
      return Family::readers_and_writer;
    case StateShape::permits:
    case StateShape::permits_in_use:
      return Family::permits;
    case StateShape::count:
      return Family::count;
  }
  return Family::mutex;
}

bool suits(scenario::StepKind kind, Family family) {
  switch (kind) {
    case scenario::StepKind::lock:
    case scenario::StepKind::try_lock:
    case scenario::StepKind::unlock:
    case scenario::StepKind::hold_count:
    case scenario::StepKind::lock_all:
    case scenario::StepKind::try_lock_all:
    case scenario::StepKind::unlock_all:
      return family == Family::mutex;
    case scenario::StepKind::force_unlock:
    case scenario::StepKind::extend:
    case scenario::StepKind::is_locked:
    case scenario::StepKind::is_held_by_me:
    case scenario::StepKind::remaining_lease:
      return family == Family::mutex || family == Family::readers_and_writer;
    case scenario::StepKind::read_lock:
    case scenario::StepKind::try_read_lock:
    case scenario::StepKind::read_unlock:
    case scenario::StepKind::write_lock:
    case scenario::StepKind::try_write_lock:
    case scenario::StepKind::write_unlock:
      return family == Family::readers_and_writer;
    case scenario::StepKind::acquire:
    case scenario::StepKind::try_acquire:
    case scenario::StepKind::release:
    case scenario::StepKind::try_set_permits:
      return family == Family::permits;
    case scenario::StepKind::try_set_count:
    case scenario::StepKind::count_down:
    case scenario::StepKind::await:
      return family == Family::count;
    case scenario::StepKind::write:
    case scenario::StepKind::sleep:
    case scenario::StepKind::crash:
      return false;
  }
  return false;
}

bool contains(const std::vector<scenario::StepKind>& kinds, scenario::StepKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

struct Offered {
  std::string name;
  int type;  ///< in Lua
  std::string chunk;
  int line;  ///< where a function begins, in its chunk
};

/// What the table on top of the stack has by name, in alphabetical order.
std::vector<Offered> offered_in(lua_State* lua) {
  std::vector<Offered> all;
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    const bool is_left_out = lua_isboolean(lua, -1) && lua_toboolean(lua, -1) == 0;
    if (lua_type(lua, -2) == LUA_TSTRING && !is_left_out) {
      Offered each{lua_tostring(lua, -2), lua_type(lua, -1), {}, 0};
      if (each.type == LUA_TFUNCTION) {
        lua_Debug about;
        lua_pushvalue(lua, -1);
        lua_getinfo(lua, ">S", &about);
        each.chunk = about.source;
        each.line = about.linedefined;
      }
      all.push_back(std::move(each));
    }
    lua_pop(lua, 1);
  }
  std::sort(all.begin(), all.end(),
            [](const Offered& a, const Offered& b) { return a.name < b.name; });
  return all;
}

const Offered* find(const std::vector<Offered>& all, std::string_view name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Offered& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

scenario::InputError error_about(const LockPackage& package, const Offered& offered,
                                 const std::string& message) {
  if (offered.type != LUA_TFUNCTION) {
    return error_at_assignment(package.client_path, package.client_source, offered.name, message);
  }
  const auto line = static_cast<std::uint32_t>(std::max(offered.line, 0));
  for (const LockLibrary& library : package.libraries) {
    if (offered.chunk != "@" + chunk_name_of(library.path)) continue;
    return error_at_name(library.path, library.source, line, offered.name, message);
  }
  return error_at_name(package.client_path, package.client_source, line, offered.name, message);
}

}  // namespace

std::vector<scenario::StepKind> ClientModel::offered() const {
  lua_State* lua = runtime_.main;
  const LockPackage& package = runtime_.package;
  functions_.push(lua);
  const std::vector<Offered> all = offered_in(lua);
  lua_pop(lua, 1);
  std::vector<scenario::StepKind> kinds;
  std::vector<std::string_view> known;
  for (const scenario::StepForm& form : scenario::step_forms()) {
    if (!suits(form.kind, family_of(package.state_shape))) continue;
    known.push_back(form.word);
    const Offered* const offered = find(all, form.word);
    if (offered == nullptr) continue;
    if (offered->type != LUA_TFUNCTION) {
      throw error_about(package, *offered,
                        scenario::in_quotes(offered->name) + " is a " +
                            lua_typename(lua, offered->type) + "; expected a function");
    }
    kinds.push_back(form.kind);
  }
  for (const Offered& each : all) {
    if (each.type != LUA_TFUNCTION) continue;
    if (std::find(known.begin(), known.end(), each.name) != known.end()) continue;
    throw error_about(package, each,
                      "no step calls the function " + scenario::in_quotes(each.name) +
                          " of a lock whose state is '" +
                          std::string(to_string(package.state_shape)) + "'" +
                          scenario::did_you_mean(each.name, known) + " (it may have " +
                          scenario::listed(known) + ")");
  }
  if (kinds.empty()) {
    throw error_at_return(
        package.client_path, package.client_source,
        "the client model offers nothing: it lacks a function as " + scenario::listed(known, "or"));
  }
  for (const scenario::StepKind kind : kinds) {
    const scenario::StepForm& form = scenario::form_of(kind);
    if (form.role != scenario::StepRole::takes || contains(kinds, form.ended_by)) continue;
    throw error_about(package, *find(all, form.word),
                      "the client model lacks the function '" +
                          std::string(scenario::form_of(form.ended_by).word) +
                          "', which ends what its '" + std::string(form.word) + "' began");
  }
  return kinds;
}

}  // namespace lockstep::model
