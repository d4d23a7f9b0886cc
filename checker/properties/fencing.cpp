#include "checker/properties/fencing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

std::string describe_twins(const Names& names, const Grant& grant, const Grant& twin) {
  return fmt::format(
      "{} was granted lock \"{}\" with token {} at {}, which {} had been given at {} already",
      name_of(names, grant.owner), name_of(names, grant.lock), *grant.token,
      milliseconds(grant.at.at_ns), twin.owner == grant.owner ? "it" : name_of(names, twin.owner),
      milliseconds(twin.at.at_ns));
}

std::string describe_disorder(const Names& names, const Grant& grant, const Grant& earlier) {
  return fmt::format(
      "{} asked for lock \"{}\" at {} and was granted it with token {} at {}, but {} had been "
      "granted it with token {} at {}",
      name_of(names, grant.owner), name_of(names, grant.lock), milliseconds(grant.invoked.at_ns),
      *grant.token, milliseconds(grant.at.at_ns),
      earlier.owner == grant.owner ? "it" : name_of(names, earlier.owner), *earlier.token,
      milliseconds(earlier.at.at_ns));
}

auto place_of(const HoldChange& change) {
  return std::tuple(change.lock, change.owner, change.mode, change.at.order);
}

}  // namespace

std::string Fencing::describe_holds(const Names& names, const Fenced& fenced,
                                    const Fenced& before) {
  const Grant& grant = *fenced.grant;
  const Grant& other = *before.grant;
  return fmt::format(
      "{} held lock \"{}\" with token {} from {} on, but {}, which held it from {} on, has the "
      "higher token {}",
      name_of(names, grant.owner), name_of(names, grant.lock), fenced.token,
      milliseconds(fenced.held_from->at_ns),
      other.owner == grant.owner ? "it" : name_of(names, other.owner),
      milliseconds(before.held_from->at_ns), before.token);
}

void Fencing::judge(const Run& run, Verdict& verdict) {
  load(run);
  find_twins();
  find_earlier();
  find_held_before();
  std::size_t count = 0;
  for (const Fenced& fenced : fenced_) {
    const bool is_in_order =
        fenced.twin == nullptr && fenced.earlier == nullptr && fenced.held_before == nullptr;
    if (is_in_order) continue;
    if (++count <= evidence_max / 2) add_violation(run, fenced, verdict);
  }
  verdict.summary += in_all(count, "such grants");
}

void Fencing::load(const Run& run) {
  fenced_.clear();
  for (const Grant& grant : run.observations.grants) {
    if (grant.token) fenced_.push_back({&grant, *grant.token, nullptr, nullptr, {}, nullptr});
  }
  load_holds(run);
  for (auto* places : {&by_return_, &by_asking_, &by_token_, &by_hold_}) {
    places->resize(fenced_.size());
    std::iota(places->begin(), places->end(), 0U);
  }
  const auto sort_by = [this](std::vector<std::uint32_t>& places, auto key) {
    std::sort(places.begin(), places.end(), [this, key](std::uint32_t a, std::uint32_t b) {
      return std::tuple_cat(key(fenced_[a]), std::tuple(a)) <
             std::tuple_cat(key(fenced_[b]), std::tuple(b));
    });
  };
  sort_by(by_return_,
          [](const Fenced& each) { return std::tuple(each.grant->lock, each.grant->at.order); });
  sort_by(by_asking_, [](const Fenced& each) {
    return std::tuple(each.grant->lock, each.grant->invoked.order);
  });
  sort_by(by_token_, [](const Fenced& each) {
    return std::tuple(each.grant->lock, each.token, each.grant->at.order);
  });
  sort_by(by_hold_, [](const Fenced& each) {
    return std::tuple(each.grant->lock, each.held_from ? each.held_from->order : 0);
  });
}

void Fencing::load_holds(const Run& run) {
  begun_.clear();
  if (fenced_.empty()) return;
  for (const HoldChange& change : run.observations.hold_changes) {
    const bool begins = change.count_before == 0 && change.count_after > 0;
    if (begins && change.by == change.owner) begun_.push_back(&change);
  }
  std::sort(begun_.begin(), begun_.end(),
            [](const HoldChange* a, const HoldChange* b) { return place_of(*a) < place_of(*b); });
  for (Fenced& fenced : fenced_) fenced.held_from = hold_of(*fenced.grant);
}

std::optional<Moment> Fencing::hold_of(const Grant& grant) const {
  const auto after =
      std::partition_point(begun_.begin(), begun_.end(), [&](const HoldChange* change) {
        return !(std::tuple(grant.lock, grant.owner, grant.mode, grant.at.order) <
                 place_of(*change));
      });
  if (after == begun_.begin()) return std::nullopt;
  const HoldChange& last = **(after - 1);
  const bool is_its_own = last.lock == grant.lock && last.owner == grant.owner &&
                          last.mode == grant.mode && !(last.at < grant.invoked);
  return is_its_own ? std::optional(last.at) : std::nullopt;
}

void Fencing::find_twins() {
  for (std::size_t index = 1; index < by_token_.size(); ++index) {
    const Fenced& before = fenced_[by_token_[index - 1]];
    Fenced& fenced = fenced_[by_token_[index]];
    if (before.grant->lock != fenced.grant->lock || before.token != fenced.token) continue;
    fenced.twin = before.twin != nullptr ? before.twin : before.grant;
  }
}

/// Invariant: `highest` is the first grant with the highest token among those of the lock that had
/// returned before `fenced` was asked for; `returned` passes each grant once, as the moments at
/// which grants are asked for only grow within a lock, and its places pass whole locks otherwise.
void Fencing::find_earlier() {
  std::size_t returned = 0;
  const Grant* highest = nullptr;
  NameId lock = no_name;
  for (const std::uint32_t place : by_asking_) {
    Fenced& fenced = fenced_[place];
    if (fenced.grant->lock != lock) {
      lock = fenced.grant->lock;
      highest = nullptr;
      while (fenced_[by_return_[returned]].grant->lock != lock) ++returned;
    }
    for (; returned < by_return_.size(); ++returned) {
      const Grant& other = *fenced_[by_return_[returned]].grant;
      if (other.lock != lock || !(other.at < fenced.grant->invoked)) break;
      if (highest == nullptr || *other.token > *highest->token) highest = &other;
    }
    if (highest != nullptr && *highest->token >= fenced.token) fenced.earlier = highest;
  }
}

/// Invariant: `highest` has the highest token of the grants of the lock whose holds began earlier;
/// `earlier` passes each grant once.
void Fencing::find_held_before() {
  const Fenced* highest = nullptr;
  std::size_t earlier = 0;
  NameId lock = no_name;
  for (std::size_t index = 0; index < by_hold_.size(); ++index) {
    Fenced& fenced = fenced_[by_hold_[index]];
    if (fenced.grant->lock != lock) {
      lock = fenced.grant->lock;
      highest = nullptr;
      earlier = index;
    }
    if (!fenced.held_from) continue;
    for (; earlier < index; ++earlier) {
      const Fenced& other = fenced_[by_hold_[earlier]];
      if (other.held_from && !(*other.held_from < *fenced.held_from)) break;
      if (other.held_from && (highest == nullptr || other.token > highest->token)) highest = &other;
    }
    if (highest != nullptr && highest->token > fenced.token) fenced.held_before = highest;
  }
}

void Fencing::add_violation(const Run& run, const Fenced& fenced, Verdict& verdict) {
  const Grant& grant = *fenced.grant;
  // A higher token shows how far behind this one is; that it was given before, only that it is.
  const bool is_twin = fenced.twin != nullptr &&
                       (fenced.earlier == nullptr || *fenced.earlier->token == fenced.token);
  const Grant& other = is_twin                     ? *fenced.twin
                       : fenced.earlier != nullptr ? *fenced.earlier
                                                   : *fenced.held_before->grant;
  std::string what = is_twin ? describe_twins(run.names, grant, other)
                     : fenced.earlier != nullptr
                         ? describe_disorder(run.names, grant, other)
                         : describe_holds(run.names, fenced, *fenced.held_before);
  if (verdict.kind == VerdictKind::holds) verdict.summary = what;
  verdict.kind = VerdictKind::violated;
  verdict.evidence.push_back(
      {fmt::format("{} was granted lock \"{}\" with token {}", name_of(run.names, other.owner),
                   name_of(run.names, other.lock), *other.token),
       other.owner, other.invoked, other.at});
  verdict.evidence.push_back({std::move(what), grant.owner, grant.invoked, grant.at});
}

}  // namespace lockstep::checker
