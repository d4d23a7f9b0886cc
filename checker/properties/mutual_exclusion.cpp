#include "checker/properties/mutual_exclusion.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

std::string_view why_it_ended(BeliefEnd end) {
  switch (end) {
    case BeliefEnd::released:
      return "until it released";
    case BeliefEnd::told:
      return "until it was told of the loss";
    case BeliefEnd::validity:
      return "until its own validity timer fired";
    case BeliefEnd::crashed:
      return "until it crashed";
    case BeliefEnd::run_over:
      return "still when the run ended";
  }
  return "";
}

/// Of a pair of which one reads, both are told apart: "reader a/1", "writer b/1".
std::string believer(const Names& names, const Belief& belief, const Belief& other) {
  const bool writes_beside_reader =
      belief.mode == HoldMode::exclusive && other.mode == HoldMode::shared;
  return fmt::format("{}{}", writes_beside_reader ? "writer " : "",
                     holder_name(names, belief.owner, belief.mode));
}

Evidence evidence_of(const Names& names, const Belief& belief, const Belief& other) {
  return {fmt::format("{} believed that it held lock \"{}\", {}", believer(names, belief, other),
                      name_of(names, belief.lock), why_it_ended(belief.end)),
          belief.owner, belief.from, belief.until};
}

/// "for 5,000.3 ms (from 10,001.2 ms to 15,001.5 ms)"
std::string for_how_long(const Names& names, const Belief& earlier, const Belief& later) {
  const TimeNs from_ns = later.from.at_ns;
  const TimeNs until_ns = std::min(earlier.until, later.until).at_ns;
  if (from_ns == until_ns && until_ns < earlier.until.at_ns) {
    return fmt::format("at {}; {} gave it up at once", milliseconds(from_ns),
                       believer(names, later, earlier));
  }
  if (from_ns == until_ns) {
    return fmt::format("for 0 ms, in the same instant (at {})", milliseconds(from_ns));
  }
  return fmt::format("for {} (from {} to {})", milliseconds(until_ns - from_ns),
                     milliseconds(from_ns), milliseconds(until_ns));
}

}  // namespace

const Belief* MutualExclusion::FurthestTwo::of_another_than(NameId owner) const {
  return first == nullptr || first->owner != owner ? first : second;
}

void MutualExclusion::FurthestTwo::add(const Belief& belief) {
  if (first == nullptr || first->owner == belief.owner) {
    if (first == nullptr || first->until < belief.until) first = &belief;
  } else if (first->until < belief.until) {
    second = first;
    first = &belief;
  } else if (second == nullptr || second->until < belief.until) {
    second = &belief;
  }
}

const Belief* MutualExclusion::Furthest::excluding(const Belief& belief) const {
  const FurthestTwo& others = belief.mode == HoldMode::exclusive ? of_all : of_exclusive;
  return others.of_another_than(belief.owner);
}

void MutualExclusion::Furthest::add(const Belief& belief) {
  of_all.add(belief);
  if (belief.mode == HoldMode::exclusive) of_exclusive.add(belief);
}

Moment MutualExclusion::Overlap::until() const { return earlier_of(earlier->until, later->until); }

TimeNs MutualExclusion::Overlap::width_ns() const { return until().at_ns - later->from.at_ns; }

void MutualExclusion::put_in_order(const std::vector<Belief>& beliefs) {
  in_order_.clear();
  for (const Belief& belief : beliefs) in_order_.push_back(&belief);
  const auto begins_earlier = [](const Belief* a, const Belief* b) {
    return a->from == b->from ? a < b : a->from < b->from;
  };
  if (!std::is_sorted(in_order_.begin(), in_order_.end(), begins_earlier)) {
    std::sort(in_order_.begin(), in_order_.end(), begins_earlier);
  }
}

/// Calls visit(overlap) for every belief that began while another owner's excluded it, in order,
/// with the other's belief that reaches furthest.
template <typename Visit>
void MutualExclusion::sweep(const Run& run, Visit visit) {
  locks_.assign(run.names.size(), Furthest{});
  for (const Belief* belief : in_order_) {
    if (!(belief->from < belief->until)) continue;  // it never lasted
    Furthest& furthest = locks_[static_cast<std::size_t>(belief->lock)];
    const Belief* other = furthest.excluding(*belief);
    if (other != nullptr && belief->from < other->until) visit(Overlap{other, belief});
    furthest.add(*belief);
  }
}

void MutualExclusion::judge(const Run& run, Verdict& verdict) {
  put_in_order(run.observations.beliefs);
  Overlaps all;
  sweep(run, [&](const Overlap& overlap) { all.add(overlap); });
  if (all.count > 0) report(run, all.widest, all, verdict);
}

void MutualExclusion::tell(const Run& run, const Belief& earlier, const Belief& later,
                           Verdict& verdict) {
  put_in_order(run.observations.beliefs);
  Overlaps all;
  sweep(run, [&](const Overlap& overlap) { all.add(overlap); });
  verdict.evidence.clear();
  report(run, Overlap{&earlier, &later}, all, verdict);
}

TimeNs MutualExclusion::widest_ns(const Run& run) {
  put_in_order(run.observations.beliefs);
  TimeNs widest_ns = 0;
  sweep(run, [&](const Overlap& overlap) { widest_ns = std::max(widest_ns, overlap.width_ns()); });
  return widest_ns;
}

void MutualExclusion::Overlaps::add(const Overlap& overlap) {
  if (count++ == 0) first = widest = overlap;
  if (overlap.width_ns() > widest.width_ns()) widest = overlap;
}

void MutualExclusion::report(const Run& run, const Overlap& told, const Overlaps& all,
                             Verdict& verdict) {
  verdict.kind = VerdictKind::violated;
  verdict.overlap_from_ns = told.later->from.at_ns;
  verdict.overlap_until_ns = told.until().at_ns;
  verdict.summary = fmt::format("{} and {} both believed that they held lock \"{}\" {}",
                                believer(run.names, *told.earlier, *told.later),
                                believer(run.names, *told.later, *told.earlier),
                                name_of(run.names, told.later->lock),
                                for_how_long(run.names, *told.earlier, *told.later));
  verdict.summary += in_all(all.count, "overlaps");
  if (all.first.later != told.later) {
    verdict.summary += fmt::format(", the first at {}", milliseconds(all.first.later->from.at_ns));
  }
  verdict.evidence.push_back(evidence_of(run.names, *told.earlier, *told.later));
  verdict.evidence.push_back(evidence_of(run.names, *told.later, *told.earlier));
}

}  // namespace lockstep::checker
