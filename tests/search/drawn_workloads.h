// What is drawn for a lock, for the tests of workloads: as a campaign without options draws it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "search/campaign/workloads.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::campaign_workloads {

struct Drawn {
  model::LockPackage lock;
  std::vector<scenario::StepKind> offered;
  std::vector<Workload> workloads;
};

/// For a lock of scripts/, or of another folder.
inline Drawn drawn_for(const std::string& name, model::Engine& engine) {
  scenario::Scenario named;
  named.lock = name;
  Drawn drawn{model::load_lock(named, {support::script_folder()}), {}, {}};
  drawn.offered = engine.offered(drawn.lock);
  drawn.workloads = workloads_of(drawn.lock, drawn.offered, name);
  return drawn;
}

/// The names of those in scripts/.
inline std::vector<std::string> locks(bool with_variants) {
  std::vector<std::string> names = model::list_locks({support::script_folder()});
  if (with_variants) return names;
  std::erase_if(names, [](const std::string& name) { return name.find('/') != name.npos; });
  return names;
}

inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace lockstep::search::campaign_workloads
