// Which functions a client model may offer, by the shape of its lock's state, and which belong
// together.
#include <algorithm>
#include <lua.hpp>
#include <string>

#include "model/client/runtime/client_model.h"
#include "model/lock/lock_package.h"
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

/// The names of the functions in the table on top of the stack, in alphabetical order.
std::vector<std::string> function_names(lua_State* lua) {
  std::vector<std::string> names;
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    if (lua_isfunction(lua, -1) && lua_type(lua, -2) == LUA_TSTRING) {
      names.emplace_back(lua_tostring(lua, -2));
    }
    lua_pop(lua, 1);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<scenario::StepKind> ClientModel::offered() const {
  lua_State* lua = runtime_.main;
  const std::string& path = runtime_.package.client_path;
  functions_.push(lua);
  const std::vector<std::string> names = function_names(lua);
  lua_pop(lua, 1);
  std::vector<scenario::StepKind> kinds;
  std::vector<std::string_view> known;
  for (const scenario::StepForm& form : scenario::step_forms()) {
    if (!suits(form.kind, family_of(runtime_.package.state_shape))) continue;
    known.push_back(form.word);
    if (std::find(names.begin(), names.end(), form.word) != names.end()) kinds.push_back(form.kind);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw scenario::InputError::about(
        path,
        "no step calls the function " + scenario::in_quotes(name) + " of a lock whose state is '" +
            std::string(to_string(runtime_.package.state_shape)) + "'" +
            scenario::did_you_mean(name, known) + " (it may have " + scenario::listed(known) + ")");
  }
  if (kinds.empty()) {
    throw scenario::InputError::about(
        path,
        "the client model offers nothing: it lacks a function as " + scenario::listed(known, "or"));
  }
  for (const scenario::StepKind kind : kinds) {
    const scenario::StepForm& form = scenario::form_of(kind);
    if (form.role != scenario::StepRole::takes || contains(kinds, form.ended_by)) continue;
    throw scenario::InputError::about(path, "the client model lacks the function '" +
                                                std::string(scenario::form_of(form.ended_by).word) +
                                                "', which ends what its '" +
                                                std::string(form.word) + "' began");
  }
  return kinds;
}

}  // namespace lockstep::model
