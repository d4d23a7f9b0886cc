#include "search/campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "checker/property.h"
#include "model/lock/lock_package.h"
#include "model/lock/usage.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "search/campaign/workloads.h"

namespace lockstep::search {
namespace {

using model::Assumption;
using scenario::FaultKind;

/// What such a fault does nearly always breaks the assumption; of replicas, where there are some.
std::vector<FaultKind> kinds_against(Assumption assumption, bool has_replicas) {
  switch (assumption) {
    case Assumption::writes_survive:
      if (!has_replicas) return {FaultKind::crash, FaultKind::power_loss, FaultKind::restart};
      return {FaultKind::crash, FaultKind::power_loss, FaultKind::restart,   FaultKind::promote,
              FaultKind::lag,   FaultKind::stall,      FaultKind::disconnect};
    case Assumption::keys_stay:
      return {FaultKind::delete_key, FaultKind::evict, FaultKind::flush_all};
    case Assumption::clocks_steady:
      return {FaultKind::clock_step, FaultKind::clock_drift, FaultKind::clock_freeze,
              FaultKind::clock_strobe, FaultKind::clock_leap};
    case Assumption::holds_within_lease:
      return {FaultKind::pause, FaultKind::slow, FaultKind::postpone};
    case Assumption::renewals_get_through:
      return {FaultKind::pause, FaultKind::cut, FaultKind::isolate, FaultKind::refuse,
              FaultKind::busy};
    case Assumption::executed_once:
    case Assumption::calls_answered:
      return {FaultKind::drop, FaultKind::reset, FaultKind::half_open, FaultKind::delay};
    case Assumption::calls_not_abandoned:
      return {FaultKind::abandon};
    case Assumption::clients_survive:
      return {FaultKind::crash};
    case Assumption::messages_arrive:
      return {FaultKind::drop, FaultKind::reset, FaultKind::cut, FaultKind::half_open};
  }
  return {};
}

/// These strike whatever the contract says: how long or how often decides whether it is broken.
bool may_be_within(Assumption assumption) {
  return assumption != Assumption::keys_stay && assumption != Assumption::calls_not_abandoned &&
         assumption != Assumption::clocks_steady && assumption != Assumption::writes_survive;
}

bool contains(const std::vector<FaultKind>& kinds, FaultKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// All kinds but those that always do what the contract excludes.
std::vector<FaultKind> kinds_within(const model::Contract& contract, bool has_replicas) {
  std::vector<FaultKind> excluded = {FaultKind::restart};
  contract.all_assumed().visit([&](Assumption each) {
    if (may_be_within(each)) return;
    for (const FaultKind kind : kinds_against(each, true)) excluded.push_back(kind);
  });
  if (contract.drift_ppm > 0) std::erase(excluded, FaultKind::clock_drift);
  std::vector<FaultKind> kinds;
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    const bool is_crash = form.kind == FaultKind::crash;  // of clients, too
    const bool is_of_replica = form.target.kind == scenario::TargetKind::replica;
    if ((is_of_replica && !has_replicas) || (contains(excluded, form.kind) && !is_crash)) continue;
    if (form.search.by_default == scenario::SearchDefault::allowed) kinds.push_back(form.kind);
  }
  return kinds;
}

/// Who names kinds of fault asks what they do, whatever the contract says of them.
std::vector<FaultKind> kinds_named(const scenario::FaultChoice& choice, bool has_replicas) {
  std::vector<FaultKind> kinds;
  for (const FaultKind kind : choice.only) {
    const bool is_of_replica = scenario::form_of(kind).target.kind == scenario::TargetKind::replica;
    if (choice.allows(kind) && (has_replicas || !is_of_replica)) kinds.push_back(kind);
  }
  return kinds;
}

/// Leaves out, rather than names: what can't strike a topology may not be named.
std::string with_faults_line(const std::string& text, const std::vector<FaultKind>& kinds) {
  std::string faults = "\"any\"";
  std::string budget = "[budget]\n";
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    const bool is_wanted = contains(kinds, form.kind);
    const bool is_among_any = form.search.by_default == scenario::SearchDefault::allowed;
    if (is_wanted && !is_among_any) faults += fmt::format(", \"{}\"", form.word);
    if (!is_wanted && is_among_any) budget += fmt::format("{} = 0\n", form.word);
  }
  return fmt::format("faults = [{}]\n{}\n{}", faults, text, budget);
}

/// Whether the contract says of each hold whether it kept the rule, so that what others do is
/// judged all the same.
bool is_excused_by_hold(const model::Contract& contract, model::Usage usage,
                        checker::Property promise) {
  const std::optional<model::AssumptionSet> assumed = contract.assumed_for(promise);
  return usage == model::Usage::holds_within_lease && assumed &&
         assumed->contains(Assumption::holds_within_lease);
}

bool has_replicas(const std::string& text) { return text.find("replicas") != std::string::npos; }

}  // namespace

std::vector<CampaignPart> parts_of(const model::LockPackage& lock,
                                   std::span<const Workload> workloads,
                                   const scenario::FaultChoice& choice) {
  const model::AssumptionSet assumed = lock.contract.all_assumed();
  std::vector<CampaignPart> parts;
  const auto add = [&](const Workload& workload, Tier tier, std::optional<Assumption> against,
                       std::string text) {
    CampaignPart& part = parts.emplace_back();
    part.workload = workload.name;
    part.tier = tier;
    part.against = against;
    part.weight = workload.weight;
    part.text = std::move(text);
    for (const checker::Property promise : lock.promises) {
      bool is_judged = true;
      bool is_excused = false;
      for (const model::Usage usage : workload.breaks) {
        if (!lock.contract.asks_for(usage, promise)) continue;
        const bool is_of_holds = is_excused_by_hold(lock.contract, usage, promise);
        is_judged = is_judged && is_of_holds;
        is_excused = is_excused || is_of_holds;
      }
      if (!is_judged) continue;
      part.judged.push_back(promise);
      if (is_excused) part.limits_untold.push_back(promise);
    }
  };
  for (const Workload& workload : workloads) {
    add(workload, Tier::without_faults, std::nullopt, workload.text);
  }
  const auto chosen = [&choice](std::vector<FaultKind> kinds) {
    std::erase_if(kinds, [&](FaultKind kind) { return !choice.allows(kind); });
    return kinds;
  };
  for (const Workload& workload : workloads) {
    const bool is_replicated = has_replicas(workload.text);
    std::vector<FaultKind> kinds = choice.only.empty()
                                       ? chosen(kinds_within(lock.contract, is_replicated))
                                       : kinds_named(choice, is_replicated);
    if (choice.only.empty() && !workload.faults.empty()) {
      std::erase_if(kinds, [&](FaultKind kind) { return !contains(workload.faults, kind); });
    }
    if (kinds.empty()) continue;
    add(workload, Tier::within_contract, std::nullopt, with_faults_line(workload.text, kinds));
  }
  // One workload for each assumption, another for the next: what is beyond is only to be named. But
  // a failover is what everybody asks after, and another one in each topology, beside a master that
  // comes back by itself.
  const auto add_against = [&](const Workload& workload, Assumption each) {
    const std::vector<FaultKind> kinds = chosen(kinds_against(each, has_replicas(workload.text)));
    if (!kinds.empty()) {
      add(workload, Tier::beyond_contract, each, with_faults_line(workload.text, kinds));
    }
  };
  std::size_t next = 0;
  assumed.visit([&](Assumption each) {
    if (each == Assumption::writes_survive) {
      for (const Workload& workload : workloads) {
        if (has_replicas(workload.text)) add_against(workload, each);
      }
    }
    if (!workloads.empty()) {
      add_against(workloads[next++ % workloads.size()], each);
    }
  });
  return parts;
}

Rota::Rota(std::span<const CampaignPart> parts) {
  const auto add = [&](Tier tier) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].tier == tier) turns_.insert(turns_.end(), parts[i].weight, i);
    }
  };
  // The first round has each workload without faults and with some; then faults within the contract
  // have most of the turns, and what is beyond it the fewest. The first workloads are of the
  // commonest uses, the last ones break a rule each: that neither has to wait for the other, the
  // first round begins at both ends.
  const auto of_tier = [&parts](Tier tier) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].tier == tier) found.push_back(i);
    }
    return found;
  };
  const std::vector<std::size_t> plain = of_tier(Tier::without_faults);
  // Who asks after faults that strike few of the workloads, or that the contract excludes, is not
  // to wait for the second round.
  std::vector<std::size_t> asked = of_tier(Tier::beyond_contract);
  for (const std::size_t within : of_tier(Tier::within_contract)) asked.push_back(within);
  for (std::size_t taken = 0; taken < plain.size(); ++taken) {
    const std::size_t place = taken / 2;
    const std::size_t part = plain[taken % 2 == 0 ? place : plain.size() - 1 - place];
    turns_.push_back(part);
    bool has_faults = false;
    for (std::size_t other = 0; other < parts.size(); ++other) {
      const bool is_same = parts[other].tier == Tier::within_contract &&
                           parts[other].workload == parts[part].workload;
      if (is_same) turns_.push_back(other);
      has_faults = has_faults || is_same;
    }
    if (!has_faults && !asked.empty()) turns_.push_back(asked[taken % asked.size()]);
  }
  first_round_ = turns_.size();
  add(Tier::beyond_contract);
  add(Tier::within_contract);
  add(Tier::without_faults);
  add(Tier::within_contract);
  add(Tier::within_contract);
}

bool is_bug(const Finding& finding) { return finding.broken && finding.broken->empty(); }

bool PartFinding::is_the_same(const PartFinding& other) const {
  return Finding::is_the_same(other) && (!is_bug(*this) || part == other.part);
}

void add_batch(CampaignResult& result, std::size_t part, BatchResult batch) {
  result.runs += batch.outcome.runs;
  result.survival.add(batch.survival);
  for (Finding& each : batch.findings) {
    PartFinding finding;
    static_cast<Finding&>(finding) = std::move(each);
    finding.part = part;
    const auto same =
        std::find_if(result.findings.begin(), result.findings.end(),
                     [&](const PartFinding& other) { return other.is_the_same(finding); });
    if (same != result.findings.end()) {
      same->seen += finding.seen;
    } else {
      result.findings.push_back(std::move(finding));
    }
  }
  for (Incident& each : batch.incidents) {
    const auto same =
        std::find_if(result.incidents.begin(), result.incidents.end(),
                     [&](const PartIncident& other) { return is_the_same(other, each); });
    if (same != result.incidents.end()) {
      same->seen += each.seen;
      continue;
    }
    PartIncident incident;
    static_cast<Incident&>(incident) = std::move(each);
    incident.part = part;
    result.incidents.push_back(std::move(incident));
  }
}

}  // namespace lockstep::search
