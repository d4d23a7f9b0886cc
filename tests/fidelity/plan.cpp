#include "tests/fidelity/plan.h"

#include <utility>

#include "tests/redis/comparison/restart_pair.h"

namespace lockstep::fidelity {
namespace {

constexpr std::size_t steps_min = 50;
constexpr std::size_t steps_max = 70;

constexpr redis::VersionSet with_waitaof = redis::VersionSet::all()
                                               .without(redis::ServerVersion::redis_6_0)
                                               .without(redis::ServerVersion::redis_7_0);

PlannedKind planned(std::string name, redis::test::SequenceKind sequences, std::size_t count) {
  constexpr std::size_t long_to_short = 10;
  sequences.steps_min = steps_min;
  sequences.steps_max = steps_max;
  return {std::move(name), std::move(sequences), count, count / long_to_short,
          redis::VersionSet::all()};
}

}  // namespace

std::vector<PlannedKind> make_plan() {
  using namespace redis::test;
  std::vector<PlannedKind> plan;
  for (const CommandFamily& family : command_families()) {
    plan.push_back(planned(std::string(family.name), kind_of(family), 800));
  }
  const CommandFamily field_expiries{"hash_expiries", hash_expiry_templates(), 2, Mixing::alone};
  plan.push_back(planned("hash_expiries", kind_of(field_expiries), 800));
  plan.back().versions = {redis::ServerVersion::redis_8_0, redis::ServerVersion::valkey_9_1};
  const CommandFamily disk_waits{"disk_waits", disk_wait_templates(), 2, Mixing::alone};
  plan.push_back(planned("disk_waits", kind_of(disk_waits), 800));
  plan.back().versions = with_waitaof;
  plan.push_back(planned("mixed", mixed_kind(), 6'000));
  plan.push_back(planned("generated-scripts", generated_scripts_kind(), 3'000));
  plan.push_back(planned("locks", lock_scripts_kind(), 2'000));
  plan.push_back(planned("replicas", replicas_kind(), 2'500));
  for (const PersistenceSetup& each : persistence_setups()) {
    plan.push_back(planned("restarts-" + std::string(each.name), restarts_kind(each.name), 50));
  }
  SequenceKind synced = restarts_kind("append_only_always");
  for (const std::string_view line : disk_wait_templates()) synced.templates.push_back(line);
  plan.push_back(planned("restarts-disk_waits", synced, 50));
  plan.back().versions = with_waitaof;
  return plan;
}

}  // namespace lockstep::fidelity
