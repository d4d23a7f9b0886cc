#include <algorithm>
#include <array>

#include "checker/property.h"
#include "model/lock/contract_declaration.h"
#include "model/lock/lock_package.h"
#include "model/lock/request_labels.h"
#include "model/lock/usage.h"

namespace lockstep::model {
namespace {

using checker::Property;

/// In executed_once: all requests, not only those of scripts.
constexpr std::string_view any_request = "*";

constexpr std::array<std::string_view, 7> family_words = {
    "lease", "quorum", "fenced", "fair", "read-write", "semaphore", "latch"};

bool promises(const LockPackage& package, Property property) {
  return std::find(package.promises.begin(), package.promises.end(), property) !=
         package.promises.end();
}

LockFamily family_of(const LockPackage& package) {
  switch (package.state_shape) {
    case StateShape::permits:
    case StateShape::permits_in_use:
      return LockFamily::semaphore;
    case StateShape::count:
      return LockFamily::latch;
    case StateShape::readers_and_writer:
      return LockFamily::read_write;
    case StateShape::holds_by_owner:
    case StateShape::owner_token:
      break;
  }
  if (package.state_nodes == StateNodes::quorum) return LockFamily::quorum;
  if (!package.queue_key.empty()) return LockFamily::fair;
  return promises(package, Property::fencing) ? LockFamily::fenced : LockFamily::lease;
}

/// The assumptions without which no lock of any family keeps its promises.
constexpr AssumptionSet data = {Assumption::writes_survive, Assumption::keys_stay,
                                Assumption::calls_not_abandoned};
constexpr AssumptionSet leases = {Assumption::holds_within_lease, Assumption::renewals_get_through,
                                  Assumption::clocks_steady};

/// Whether a permit ends by itself, whoever has it.
bool ends_permits(const LockPackage& package) { return package.scores != StateScores::order; }

AssumptionSet standard(const Contract& contract, const LockPackage& package, Property property) {
  const LockFamily family = contract.family;
  // What sets its own token on a node a second time has it there but once.
  const bool sets_tokens =
      family == LockFamily::quorum && package.state_shape == StateShape::owner_token;
  const AssumptionSet once =
      sets_tokens ? AssumptionSet{} : AssumptionSet{Assumption::executed_once};
  // What has no lease is gone with who had it, or with a call that nobody knows the outcome of.
  const bool has_leases = family != LockFamily::semaphore && family != LockFamily::latch;
  const AssumptionSet nobodys_lease =
      has_leases ? AssumptionSet{}
      : ends_permits(package)
          ? AssumptionSet{Assumption::calls_answered}
          : AssumptionSet{Assumption::clients_survive, Assumption::calls_answered};
  const AssumptionSet ends_of_permits =
      ends_permits(package)
          ? AssumptionSet{Assumption::holds_within_lease, Assumption::clocks_steady}
          : AssumptionSet{};
  switch (property) {
    case Property::mutual_exclusion:
    case Property::valid_grant:
    case Property::fifo:
      return data | leases | once;
    case Property::hold_count:
      return data | leases | once | AssumptionSet{Assumption::calls_answered};
    case Property::truthful_answers:
      // Whether its lease is over is what an owner asks for, so it may ask then, too.
      return data | once |
             AssumptionSet{Assumption::renewals_get_through, Assumption::clocks_steady};
    case Property::harm:
      return data | leases | once;
    case Property::lease_linearizability:
      return data | once | AssumptionSet{Assumption::clocks_steady};
    case Property::fencing:
      return data | once;
    case Property::permits:
      return data | once | nobodys_lease | ends_of_permits;
    case Property::latch:
      return data | once | nobodys_lease;
    case Property::no_leak:
      return data | once | nobodys_lease | AssumptionSet{Assumption::messages_arrive};
    case Property::no_deadlock:
    case Property::no_starvation:
    case Property::no_lost_wakeup:
      return data | once | nobodys_lease | leases |
             AssumptionSet{Assumption::messages_arrive, Assumption::calls_answered};
  }
  return {};
}

/// The commands of a client model that may take a lock, by the labels of their requests. Those of
/// its scripts have the scripts' names.
std::vector<std::string> taking_commands(const LockPackage& package) {
  // Others give back too: HINCRBY by -1.
  constexpr std::array<std::string_view, 3> commands = {"set", "setnx", "getset"};
  std::vector<std::string> found;
  for (const std::string_view command : commands) {
    if (sends_requests_called(package, command)) found.emplace_back(command);
  }
  return found;
}

/// What takes a lock must not happen twice. Who gives one back says whose it is, and who renews one
/// may do so again; but a number knows nobody.
std::vector<std::string> standard_once(LockFamily family, const LockPackage& package) {
  if (family == LockFamily::semaphore || family == LockFamily::latch) {
    return {std::string(any_request)};
  }
  std::vector<std::string> labels = taking_commands(package);
  constexpr std::array<std::string_view, 4> idempotent = {"release", "unlock", "renew", "extend"};
  for (const LockScript& script : package.scripts) {
    const bool may_run_again = std::any_of(
        idempotent.begin(), idempotent.end(),
        [&](std::string_view word) { return script.name.find(word) != std::string::npos; });
    if (!may_run_again) labels.push_back(script.name);
  }
  if (labels.empty()) labels.emplace_back("set");  // a program's: nobody knows what it sends
  return labels;
}

/// Why a standard contract may assume what a lock.toml must give a reason for.
std::string standard_reason(Assumption assumption, LockFamily family) {
  const bool has_leases = family != LockFamily::semaphore && family != LockFamily::latch;
  if (assumption == Assumption::messages_arrive) {
    return has_leases ? "a release or a wake-up that is lost is made good when a lease ends"
                      : "who misses a wake-up does not look again by itself";
  }
  if (assumption == Assumption::clients_survive) return "what has no lease goes with who has it";
  return has_leases ? "what a failed release leaves stays until its lease ends"
                    : "nobody knows whether a call without an answer took effect";
}

/// The options that shipped locks and those of `new lock` have for it.
void find_own_lease(Contract& contract, const LockPackage& package) {
  constexpr std::string_view renewed = "watchdog_lease";
  constexpr std::string_view given = "lease";
  for (const std::string_view name : {renewed, given}) {
    if (!package.find_number(std::string(name) + "_ms")) continue;
    contract.own_lease = name;
    contract.renews = name == renewed;
    return;
  }
}

}  // namespace

std::string_view to_string(LockFamily family) {
  return family_words[static_cast<std::size_t>(family)];
}

std::optional<AssumptionSet> Contract::assumed_for(Property property) const {
  const auto found = assumes.find(property);
  if (found == assumes.end()) return std::nullopt;
  return found->second;
}

bool Contract::asks_for(Usage asked, Property property) const {
  // Whoever writes after its hold does harm, however well it was told that it is over.
  const bool is_unfenced_harm = property == Property::harm && family != LockFamily::fenced;
  if (is_unfenced_harm && asked == Usage::holds_within_lease) return true;
  const auto said = usage.find(property);
  // Only places in a queue are kept by the clocks of those who stand in it. And a hold inside
  // another has a lease of its own as a rule, which a lock must keep.
  const bool is_unusual = (asked == Usage::clocks_agree && family != LockFamily::fair) ||
                          asked == Usage::unleased_reentry;
  if (said == usage.end()) return !is_unusual && is_needed_for(asked, property);
  return std::find(said->second.begin(), said->second.end(), asked) != said->second.end();
}

AssumptionSet Contract::all_assumed() const {
  AssumptionSet all;
  for (const auto& [property, assumed] : assumes) all = all | assumed;
  return all;
}

void ContractDeclaration::lay_over(const ContractDeclaration& other) {
  is_there = is_there || other.is_there;
  if (other.family) family = other.family;
  for (const auto& [property, assumed] : other.assumes) assumes[property] = assumed;
  if (other.executed_once) executed_once = other.executed_once;
  if (other.remembers) remembers = other.remembers;
  if (other.own_lease) own_lease = other.own_lease;
  if (other.renews) renews = other.renews;
  if (other.drift_ppm) drift_ppm = other.drift_ppm;
  for (const auto& [property, asked] : other.usage) usage[property] = asked;
  for (const auto& [assumption, reason] : other.reasons) reasons[assumption] = reason;
  known.insert(known.end(), other.known.begin(), other.known.end());
}

void ContractDeclaration::forget_flaws_of_client() {
  std::erase_if(known, [](const KnownFlaw& flaw) { return flaw.is_of_client; });
}

Contract contract_of(const ContractDeclaration& declared, const LockPackage& package) {
  Contract contract;
  contract.family = declared.family.value_or(family_of(package));
  contract.is_standard = !declared.is_there;
  find_own_lease(contract, package);
  if (declared.own_lease) {
    contract.own_lease = declared.own_lease->text;
    contract.renews = false;
  }
  if (declared.renews) {
    contract.own_lease = declared.renews->text;
    contract.renews = true;
  }
  for (const Property property : package.promises) {
    const auto said = declared.assumes.find(property);
    contract.assumes[property] =
        said == declared.assumes.end() ? standard(contract, package, property) : said->second;
  }
  if (declared.executed_once) {
    for (const PlacedWord& label : *declared.executed_once) {
      contract.executed_once.push_back(label.text);
    }
  } else {
    contract.executed_once = standard_once(contract.family, package);
  }
  contract.remembers = declared.remembers ? declared.remembers->text : "";
  const bool recognizes_all = declared.executed_once && declared.executed_once->empty();
  contract.forgets_answers = !recognizes_all && !declared.remembers;
  contract.drift_ppm = declared.drift_ppm.value_or(0);
  contract.usage = declared.usage;
  contract.reasons = declared.reasons;
  contract.known = declared.known;
  for (const Assumption each :
       {Assumption::messages_arrive, Assumption::calls_answered, Assumption::clients_survive}) {
    if (contract.all_assumed().contains(each) && !contract.reasons.contains(each)) {
      contract.reasons[each] = standard_reason(each, contract.family);
    }
  }
  return contract;
}

}  // namespace lockstep::model
