#include "model/lock/loaded_locks.h"

#include <algorithm>

#include "scenario/scenario.h"
#include "scenario/workload_spec.h"

namespace lockstep::model {
namespace {

// A search goes on with the options of its last scenarios; each package is some ten kilobytes.
constexpr std::size_t loaded_max = 16;

}  // namespace

LoadedLocks::Request LoadedLocks::request_of(const scenario::Scenario& scenario) {
  Request request{scenario.lock,
                  std::filesystem::path(scenario.path).parent_path(),
                  scenario.options,
                  {},
                  scenario.scripts};
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (client.options.empty()) continue;
    request.options_of_clients.emplace_back(client.name, client.options);
  }
  return request;
}

LockPackage LoadedLocks::load(const scenario::Scenario& scenario) {
  Request request = request_of(scenario);
  const auto found = std::find_if(loaded_.begin(), loaded_.end(),
                                  [&](const Loaded& each) { return each.request == request; });
  if (found != loaded_.end()) {
    std::rotate(loaded_.begin(), found, found + 1);
    return loaded_.front().package;
  }
  LockPackage package = load_lock(scenario, script_folders_);
  if (loaded_.size() == loaded_max) loaded_.pop_back();
  loaded_.insert(loaded_.begin(), {std::move(request), package});
  return package;
}

}  // namespace lockstep::model
