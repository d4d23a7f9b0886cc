// Which functions a client half may offer, by the shape of its lock's state, and which belong
// together.
#include <algorithm>
#include <lua.hpp>
#include <string>

#include "model/client/half.h"
#include "model/scenario/placed_text.h"
#include "model/scenario/step_forms.h"
#include "model/scenario/suggest.h"

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
      return Family::permits;
    case StateShape::count:
      return Family::count;
  }
  return Family::mutex;
}

bool suits(StepKind kind, Family family) {
  switch (kind) {
    case StepKind::lock:
    case StepKind::try_lock:
    case StepKind::unlock:
    case StepKind::hold_count:
    case StepKind::lock_all:
    case StepKind::try_lock_all:
    case StepKind::unlock_all:
      return family == Family::mutex;
    case StepKind::force_unlock:
    case StepKind::extend:
    case StepKind::is_locked:
    case StepKind::is_held_by_me:
    case StepKind::remaining_lease:
      return family == Family::mutex || family == Family::readers_and_writer;
    case StepKind::read_lock:
    case StepKind::try_read_lock:
    case StepKind::read_unlock:
    case StepKind::write_lock:
    case StepKind::try_write_lock:
    case StepKind::write_unlock:
      return family == Family::readers_and_writer;
    case StepKind::acquire:
    case StepKind::try_acquire:
    case StepKind::release:
    case StepKind::try_set_permits:
      return family == Family::permits;
    case StepKind::try_set_count:
    case StepKind::count_down:
    case StepKind::await:
      return family == Family::count;
    case StepKind::write:
    case StepKind::sleep:
    case StepKind::crash:
      return false;
  }
  return false;
}

bool contains(const std::vector<StepKind>& kinds, StepKind kind) {
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

std::vector<StepKind> Half::offered() const {
  lua_State* lua = runtime_.main;
  const SourcePlace place{runtime_.package.client_path};
  functions_.push(lua);
  const std::vector<std::string> names = function_names(lua);
  lua_pop(lua, 1);
  std::vector<StepKind> kinds;
  std::vector<std::string_view> known;
  for (const StepForm& form : step_forms()) {
    if (!suits(form.kind, family_of(runtime_.package.state_shape))) continue;
    known.push_back(form.word);
    if (std::find(names.begin(), names.end(), form.word) != names.end()) kinds.push_back(form.kind);
  }
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(place, "no step calls the function " + in_quotes(name) +
                                " of a lock whose state is '" +
                                std::string(to_string(runtime_.package.state_shape)) + "'" +
                                did_you_mean(name, known) + " (it may have " + listed(known) + ")");
  }
  if (kinds.empty()) {
    throw InputError(
        place, "the client half offers nothing: it lacks a function as " + listed(known, "or"));
  }
  for (const StepKind kind : kinds) {
    const StepForm& form = form_of(kind);
    if (form.role != StepRole::takes || contains(kinds, form.ended_by)) continue;
    throw InputError(place, "the client half lacks the function '" +
                                std::string(form_of(form.ended_by).word) +
                                "', which ends what its '" + std::string(form.word) + "' began");
  }
  return kinds;
}

}  // namespace lockstep::model
