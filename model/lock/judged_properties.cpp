// Which properties apply to which lock (a semaphore excludes nobody, a latch has no queue), and
// what else must fit together in its lock.toml and in a scenario of it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checker/property.h"
#include "lua/source/tokens.h"
#include "model/lock/contract_declaration.h"
#include "model/lock/known_messages.h"
#include "model/lock/lock_package.h"
#include "model/lock/package_checks.h"
#include "model/lock/request_labels.h"
#include "scenario/milestones.h"
#include "scenario/options.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
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

std::string of_shape(const LockPackage& package) {
  return " of a state of shape '" + std::string(to_string(package.state_shape)) + "'";
}

/// Of the first of the keys that the file has.
scenario::SourceLocation place_of(const StatePlaces& places,
                                  std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const auto found = places.find(key); found != places.end()) return found->second;
  }
  return places.begin()->second;
}

void refuse(const LockPackage& package, const StatePlaces& places, std::string_view key,
            std::string_view expected) {
  throw scenario::InputError(place_of(places, {key}),
                             "'" + std::string(key) + "' of [state] says nothing" +
                                 of_shape(package) + "; expected " + std::string(expected));
}

/// Settings that only a mutex can have: permits and counts have no owner, readers do not queue.
void require_mutex_where_asked(const LockPackage& package, const StatePlaces& places) {
  if (is_mutex(package.state_shape)) return;
  const std::string a_state =
      "a state of shape '" + std::string(to_string(package.state_shape)) + "'";
  if (package.state_nodes == StateNodes::quorum) {
    throw scenario::InputError(
        place_of(places, {"nodes"}),
        a_state + " can't be a quorum's; expected holds-by-owner or owner-token");
  }
  if (!package.queue_key.empty()) {
    throw scenario::InputError(place_of(places, {"queue"}),
                               a_state + " has no queue; expected holds-by-owner or owner-token");
  }
  if (!package.also_key.empty()) {
    refuse(package, places, "also", "holds-by-owner or owner-token");
  }
}

void require_permits_that_fit(const LockPackage& package, const StatePlaces& places) {
  const bool has_scores = package.state_shape == StateShape::permits_in_use;
  if (package.permit_count != 0 && !has_scores) {
    refuse(package, places, "permits", "permits-in-use");
  }
  if (package.scores != StateScores::order && !has_scores) {
    refuse(package, places, "scores", "permits-in-use");
  }
  if (has_scores && package.permit_count == 0) {
    throw scenario::InputError(place_of(places, {"shape", "key"}),
                               "it is not said how many permits there are" + of_shape(package) +
                                   ", as in [state] permits = 3");
  }
  const bool has_life = package.permit_life_ms != 0;
  if (has_life != (package.scores == StateScores::begins)) {
    throw scenario::InputError(place_of(places, {has_life ? "permit_life" : "scores"}),
                               "'permit_life' of [state] and scores = \"begins\" belong together; "
                               "expected both");
  }
}

/// Whether some file of the client model has that name behind a dot: options.wait_ms.
bool reads_field(const LockPackage& package, std::string_view name) {
  const auto has_it = [&](std::string_view source) {
    const std::vector<lua::ScriptToken> tokens = lua::read_tokens(source);
    for (std::size_t i = 1; i < tokens.size(); ++i) {
      if (tokens[i].text == name && tokens[i - 1].text == ".") return true;
    }
    return false;
  };
  if (has_it(package.client_source)) return true;
  for (const LockLibrary& library : package.libraries) {
    if (has_it(library.source)) return true;
  }
  return false;
}

constexpr std::string_view reply_prefix = "reply to ";

/// What others than a client model send.
constexpr std::array<std::string_view, 35> others = {
    "read",           "write",
    "message",        "subscribe",
    "unsubscribe",    "replication",
    "acknowledge",    "acknowledge now",
    "psync",          "eval",
    "evalsha",        "full synchronisation",
    "ping",           "info",
    "hello",          "is-master-down-by-addr",
    "slaveof",        "role",
    "reply",          "get-master-addr-by-name",
    "cluster slots",  "asking",
    "gossip ping",    "gossip pong",
    "fail",           "vote request",
    "vote",           "update",
    "script load",    "cluster publish",
    "script kill",    "client kill",
    "multi",          "exec",
    "config rewrite",
};

bool is_known(const LockPackage& package, std::string_view label) {
  if (label.starts_with(reply_prefix)) label.remove_prefix(reply_prefix.size());
  return label.empty() || label == scenario::any_message ||
         std::find(others.begin(), others.end(), label) != others.end() ||
         sends_requests_called(package, label);
}

void require_known(const LockPackage& package, const scenario::SourceLocation& place,
                   std::string_view label) {
  if (is_known(package, label)) return;
  std::vector<std::string_view> names;
  for (const LockScript& script : package.scripts) names.push_back(script.name);
  std::string_view word = label;
  if (word.starts_with(reply_prefix)) word.remove_prefix(reply_prefix.size());
  // A command may be put together while the client model runs; a slip in a script's name is one.
  if (scenario::nearest(word, names).empty()) return;
  throw scenario::InputError(
      place, "nobody sends the message " + scenario::in_quotes(label) + ": the lock " +
                 scenario::in_quotes(package.full_name()) + " has no such script" +
                 scenario::did_you_mean(word, names) + " (there are " + scenario::listed(names) +
                 "), and its client model no such command in small letters");
}

scenario::SourceLocation place_of(const PlacedWord& word) {
  return {word.file, word.line, word.column};
}

void require_duration(const std::optional<PlacedWord>& option, const LockPackage& package) {
  if (!option || package.find_number(option->text + "_ms")) return;
  constexpr std::string_view ending = "_ms";
  std::vector<std::string_view> durations;
  for (const auto& [name, value] : *package.options) {
    if (!name.ends_with(ending)) continue;
    durations.push_back(std::string_view(name).substr(0, name.size() - ending.size()));
  }
  throw scenario::InputError(
      place_of(*option), "unknown option " + scenario::in_quotes(option->text) +
                             scenario::did_you_mean(option->text, durations) + " (durations are " +
                             scenario::listed(durations) + ")");
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

bool LockPackage::state_counts_holds() const {
  return state_shape != StateShape::owner_token || !count_key.empty();
}

checker::Reentry LockPackage::judged_reentry() const {
  // Who holds permits and asks for more competes with everybody else.
  if (has_permits(state_shape)) return checker::Reentry::refused;
  const bool is_counted = reentry == checker::Reentry::counted;
  // A writer beside a list of readers is a string, which counts nothing.
  const bool has_count = state_counts_holds() && (readers_key.empty() || !count_key.empty());
  return is_counted && !has_count ? checker::Reentry::counted_by_client : reentry;
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

void require_judgeable_promises(const LockPackage& package,
                                std::span<const scenario::SourceLocation> places) {
  const std::string of_state =
      " of a lock whose state is '" + std::string(to_string(package.state_shape)) + "'";
  std::vector<std::string_view> names;
  for (const Property property : checker::all_properties()) {
    if (applies(property, package)) names.push_back(checker::to_string(property));
  }
  for (std::size_t i = 0; i < package.promises.size(); ++i) {
    const Property promised = package.promises[i];
    if (applies(promised, package)) continue;
    throw scenario::InputError(places[i], "it promises '" +
                                              std::string(checker::to_string(promised)) +
                                              "', which says nothing" + of_state +
                                              " (it may promise " + scenario::listed(names) + ")");
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

std::vector<Property> properties_not_promised(const LockPackage& package) {
  std::vector<Property> missing;
  for (const Property property : checker::all_properties()) {
    const bool is_extra = property == Property::fencing || property == Property::no_starvation;
    if (is_extra || !applies(property, package) || contains(package.promises, property)) continue;
    missing.push_back(property);
  }
  return missing;
}

void require_state_that_fits(const LockPackage& package, const StatePlaces& places) {
  require_mutex_where_asked(package, places);
  if (package.queue_key.empty() != package.deadlines_key.empty()) {
    throw scenario::InputError(place_of(places, {"queue", "deadlines"}),
                               "'queue' and 'deadlines' of [state] belong together; expected both");
  }
  if (!package.count_key.empty() && package.state_shape != StateShape::owner_token) {
    refuse(package, places, "count", "owner-token");
  }
  if (!package.readers_key.empty() && package.state_shape != StateShape::readers_and_writer) {
    refuse(package, places, "readers", "readers-and-writer");
  }
  require_permits_that_fit(package, places);
  const bool has_readers = package.state_shape == StateShape::readers_and_writer;
  if (package.service == checker::Service::writers_first && !has_readers) {
    throw scenario::InputError(place_of(places, {"serves"}),
                               "there are no writers" + of_shape(package) +
                                   " to be served first; expected \"anybody\" or \"in-order\"");
  }
  if (package.service != checker::Service::anybody && package.state_shape == StateShape::count) {
    refuse(package, places, "serves", "a lock or permits");
  }
}

void require_options_as_read(const LockPackage& package,
                             const std::map<std::string, PlacedOption>& options) {
  constexpr std::string_view ending = "_ms";
  for (const auto& [name, option] : options) {
    if (!std::holds_alternative<std::int64_t>(option.value) || name.ends_with(ending)) continue;
    const std::string duration = name + std::string(ending);
    if (package.options->contains(duration) || reads_field(package, name) ||
        !reads_field(package, duration)) {
      continue;
    }
    throw scenario::InputError(
        option.place,
        fmt::format("'{}' is a whole number, and the client model reads it as options.{}; "
                    "expected a duration in quotes, as in \"1500ms\"",
                    name, duration));
  }
}

/// Throws InputError where the declaration names an option or a request that the lock has not.
void require_known_words(const ContractDeclaration& declared, const LockPackage& package) {
  require_duration(declared.remembers, package);
  require_duration(declared.own_lease, package);
  require_duration(declared.renews, package);
  if (!declared.executed_once) return;
  for (const PlacedWord& label : *declared.executed_once) {
    if (label.text == "*" || sends_requests_called(package, label.text)) continue;
    std::vector<std::string_view> names;
    for (const LockScript& script : package.scripts) names.push_back(script.name);
    if (scenario::nearest(label.text, names).empty()) continue;
    throw scenario::InputError(
        place_of(label), "the lock sends no " + scenario::in_quotes(label.text) +
                             scenario::did_you_mean(label.text, names) + " (expected a script, " +
                             scenario::listed(names, "or") +
                             ", a command of the client model in small letters, or *)");
  }
}

void require_known_messages(const scenario::Scenario& scenario,
                            const std::vector<std::filesystem::path>& script_folders) {
  if (scenario.faults.empty() || scenario::has_program(scenario)) return;
  const LockPackage package = load_lock(scenario, script_folders);
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const scenario::FaultSpec& fault = scenario.faults[i];
    const scenario::SourceLocation& place = scenario.fault_places[i];
    require_known(package, place, fault.message_label);
    require_known(package, place, fault.behind_label);
    if (fault.callback == scenario::CallbackKind::reply) {
      require_known(package, place, fault.callback_name);
    }
    if (!fault.trigger.when) continue;
    const scenario::Trigger::When& when = *fault.trigger.when;
    const bool is_of_request = when.kind == scenario::Trigger::When::Kind::message ||
                               when.milestone == scenario::Milestone::executed ||
                               when.milestone == scenario::Milestone::sent;
    if (when.kind != scenario::Trigger::When::Kind::any && is_of_request) {
      require_known(package, place, when.detail);
    }
  }
}

}  // namespace lockstep::model
