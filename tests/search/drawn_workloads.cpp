#include "tests/search/drawn_workloads.h"

#include <algorithm>
#include <cctype>

#include "model/engine/engine.h"
#include "scenario/scenario.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::campaign_workloads {

Drawn drawn_for(const std::string& name, model::Engine& engine) {
  scenario::Scenario named;
  named.lock = name;
  Drawn drawn{model::load_lock(named, {support::script_folder()}), {}, {}};
  drawn.offered = engine.offered(drawn.lock);
  drawn.workloads = workloads_of(drawn.lock, drawn.offered, name);
  return drawn;
}

std::vector<std::string> locks(bool with_variants) {
  std::vector<std::string> names = model::list_locks({support::script_folder()});
  if (with_variants) return names;
  std::erase_if(names, [](const std::string& name) { return name.find('/') != name.npos; });
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace lockstep::search::campaign_workloads
