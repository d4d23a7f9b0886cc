#include "search/contract/survival.h"

#include <algorithm>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_group.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "search/runs/untested.h"

namespace lockstep::search {
namespace {

constexpr std::size_t rows = scenario::fault_kind_count + scenario::fault_group_count + 1;

}  // namespace

Survival::Survival() : held_(rows), struck_(rows) {}

std::size_t Survival::row_of(std::optional<scenario::FaultKind> kind) {
  return kind ? static_cast<std::size_t>(*kind) : rows - 1;
}

std::size_t Survival::row_of(scenario::FaultGroup group) {
  return scenario::fault_kind_count + static_cast<std::size_t>(group);
}

void Survival::add(const model::RunResult& run) {
  constexpr auto nothing = model::Mattered::no;
  std::array<model::Mattered, rows> mattered;
  mattered.fill(nothing);
  std::array<bool, rows> has_struck{};
  bool any = false;
  for (std::size_t i = 0; i < run.faults->size(); ++i) {
    if (run.fault_strikes[i] == 0) continue;
    const scenario::FaultKind kind = (*run.faults)[i].kind;
    any = true;
    for (const std::size_t row : {row_of(kind), row_of(scenario::group_of(kind))}) {
      has_struck[row] = true;
      mattered[row] = std::max(mattered[row], run.fault_effects[i]);
    }
  }
  has_struck[rows - 1] = !any;
  if (!any) mattered[rows - 1] = model::Mattered::to_writers;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!has_struck[row]) continue;
    ++struck_[row];
    for (const checker::Verdict& verdict : *run.verdicts) {
      const bool held = verdict.kind == checker::VerdictKind::holds && verdict.put_to_the_test;
      if (!held || mattered[row] < matters_to(verdict.property)) continue;
      ++held_[row][static_cast<std::size_t>(verdict.property)];
    }
  }
}

void Survival::add(const Survival& other) {
  for (std::size_t row = 0; row < rows; ++row) {
    struck_[row] += other.struck_[row];
    for (std::size_t i = 0; i < properties_max; ++i) held_[row][i] += other.held_[row][i];
  }
}

std::uint64_t Survival::held(std::optional<scenario::FaultKind> kind,
                             checker::Property property) const {
  return held_[row_of(kind)][static_cast<std::size_t>(property)];
}

std::uint64_t Survival::held(scenario::FaultGroup group, checker::Property property) const {
  return held_[row_of(group)][static_cast<std::size_t>(property)];
}

std::uint64_t Survival::struck(std::optional<scenario::FaultKind> kind) const {
  return struck_[row_of(kind)];
}

std::uint64_t Survival::struck(scenario::FaultGroup group) const { return struck_[row_of(group)]; }

}  // namespace lockstep::search
