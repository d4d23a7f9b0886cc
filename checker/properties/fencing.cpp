#include "checker/properties/fencing.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "checker/check.h"
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

}  // namespace

void Fencing::judge(const Run& run, Verdict& verdict) {
  load(run);
  find_twins();
  find_earlier();
  std::size_t count = 0;
  for (const Fenced& fenced : fenced_) {
    if (fenced.twin == nullptr && fenced.earlier == nullptr) continue;
    if (++count <= evidence_max / 2) add_violation(run, fenced, verdict);
  }
  verdict.summary += in_all(count, "such grants");
}

void Fencing::load(const Run& run) {
  fenced_.clear();
  for (const Grant& grant : run.observations.grants) {
    if (grant.token) fenced_.push_back({&grant, *grant.token, nullptr, nullptr});
  }
  for (auto* places : {&by_return_, &by_asking_, &by_token_}) {
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

void Fencing::add_violation(const Run& run, const Fenced& fenced, Verdict& verdict) {
  const Grant& grant = *fenced.grant;
  const bool has_twin = fenced.twin != nullptr;
  const Grant& other = has_twin ? *fenced.twin : *fenced.earlier;
  std::string what = has_twin ? describe_twins(run.names, grant, other)
                              : describe_disorder(run.names, grant, other);
  if (verdict.kind == VerdictKind::holds) verdict.summary = what;
  verdict.kind = VerdictKind::violated;
  verdict.evidence.push_back(
      {fmt::format("{} was granted lock \"{}\" with token {}", name_of(run.names, other.owner),
                   name_of(run.names, other.lock), *other.token),
       other.owner, other.invoked, other.at});
  verdict.evidence.push_back({std::move(what), grant.owner, grant.invoked, grant.at});
}

}  // namespace lockstep::checker
