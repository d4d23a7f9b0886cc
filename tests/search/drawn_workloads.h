// What is drawn for a lock, for the tests of workloads: as a campaign without options draws it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/lock/lock_package.h"
#include "scenario/step_forms.h"
#include "search/campaign/workloads.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search::campaign_workloads {

struct Drawn {
  model::LockPackage lock;
  std::vector<scenario::StepKind> offered;
  std::vector<Workload> workloads;
};

/// For a lock of scripts/, or of another folder.
[[nodiscard]] Drawn drawn_for(const std::string& name, model::Engine& engine);

/// The names of those in scripts/.
[[nodiscard]] std::vector<std::string> locks(bool with_variants);

[[nodiscard]] std::string test_name(const testing::TestParamInfo<std::string>& info);

}  // namespace lockstep::search::campaign_workloads
