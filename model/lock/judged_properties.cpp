// Which properties apply to which lock: a semaphore excludes nobody, a latch has no queue.
#include <algorithm>
#include <array>

#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "scenario/text/suggest.h"

namespace lockstep::model {
namespace {

using checker::Property;

bool contains(const std::vector<Property>& properties, Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

/// Whether the property applies to a lock of that shape.
bool applies(Property property, const LockPackage& package) {
  const StateShape shape = package.state_shape;
  switch (property) {
    case Property::mutual_exclusion:
    case Property::valid_grant:
    case Property::harm:
    case Property::hold_count:
      return is_mutex(shape) || shape == StateShape::readers_and_writer;
    case Property::lease_linearizability:
    case Property::fencing:
      return is_mutex(shape);
    case Property::fifo:
      return !package.queue_key.empty();
    case Property::permits:
      return has_permits(shape);
    case Property::latch:
      return shape == StateShape::count;
    case Property::no_deadlock:
    case Property::no_starvation:
      return shape != StateShape::count;
    case Property::no_leak:
    case Property::no_lost_wakeup:
    case Property::truthful_answers:
      return true;
  }
  return false;
}

}  // namespace

bool needs_declared_operations(Property property) {
  switch (property) {
    case Property::lease_linearizability:
    case Property::hold_count:
    case Property::fifo:
    case Property::latch:
    case Property::permits:
    case Property::truthful_answers:
      return true;
    case Property::mutual_exclusion:
    case Property::valid_grant:
    case Property::harm:
    case Property::no_leak:
    case Property::fencing:
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
      return false;
  }
  return false;
}

bool is_mutex(StateShape shape) {
  return shape == StateShape::holds_by_owner || shape == StateShape::owner_token;
}

bool has_permits(StateShape shape) {
  return shape == StateShape::permits || shape == StateShape::permits_in_use;
}

std::string_view to_string(StateShape shape) {
  switch (shape) {
    case StateShape::holds_by_owner:
      return "holds-by-owner";
    case StateShape::owner_token:
      return "owner-token";
    case StateShape::readers_and_writer:
      return "readers-and-writer";
    case StateShape::permits:
      return "permits";
    case StateShape::permits_in_use:
      return "permits-in-use";
    case StateShape::count:
      return "count";
  }
  return "?";
}

void require_judgeable_promises(const LockPackage& package) {
  const scenario::SourceLocation place{(package.folder / "lock.toml").string()};
  const std::string of_state =
      " of a lock whose state is '" + std::string(to_string(package.state_shape)) + "'";
  std::vector<std::string_view> names;
  for (const Property property : checker::all_properties()) {
    if (applies(property, package)) names.push_back(checker::to_string(property));
  }
  for (const Property promised : package.promises) {
    if (applies(promised, package)) continue;
    throw scenario::InputError(place, "it promises '" + std::string(checker::to_string(promised)) +
                                          "', which says nothing" + of_state + " (it may promise " +
                                          scenario::listed(names) + ")");
  }
}

std::vector<Property> judged_properties(const LockPackage& package,
                                        const scenario::Scenario& scenario) {
  std::vector<Property> judged;
  std::vector<std::string_view> names;
  const bool is_declared = !scenario::has_program(scenario);
  for (const Property property : checker::all_properties()) {
    if (!applies(property, package)) continue;
    if (!is_declared && needs_declared_operations(property)) continue;
    names.push_back(checker::to_string(property));
    const bool is_asked_for = contains(package.promises, property) ||
                              contains(scenario.expect.violates, property) ||
                              contains(scenario.expect.holds, property);
    if (property != Property::fencing || is_asked_for) judged.push_back(property);
  }
  for (const auto* expected : {&scenario.expect.violates, &scenario.expect.holds}) {
    for (const Property property : *expected) {
      if (contains(judged, property)) continue;
      if (applies(property, package)) {
        throw scenario::InputError(
            scenario.expect.place,
            "'" + std::string(checker::to_string(property)) +
                "' is not judged where a client is a program, which declares no operations "
                "(what can be expected here: " +
                scenario::listed(names) + ")");
      }
      throw scenario::InputError(
          scenario.expect.place,
          "'" + std::string(checker::to_string(property)) + "' says nothing of the lock '" +
              package.full_name() + "', whose state is '" +
              std::string(to_string(package.state_shape)) +
              "' (what can be expected of it: " + scenario::listed(names) + ")");
    }
  }
  return judged;
}

}  // namespace lockstep::model
