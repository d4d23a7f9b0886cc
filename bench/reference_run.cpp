#include "bench/reference_run.h"

#include <filesystem>
#include <stdexcept>
#include <string>

#include "checker/verdict.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "tests/support/source_folder.h"

namespace lockstep::bench {
namespace {

std::filesystem::path in_source_folder(const char* name) {
  return std::filesystem::path(source_folder()) / name;
}

}  // namespace

ReferenceRun::ReferenceRun(const char* scenario)
    : engine_({in_source_folder("scripts")}),
      simulation_(engine_.prepare(scenario::load_scenario(in_source_folder(scenario)))) {}

const model::RunResult& ReferenceRun::run(std::uint64_t seed) {
  choices_.reset(seed);
  const model::RunResult& result = simulation_->run(choices_);
  if (!result.client_failures.empty()) {
    throw std::logic_error("the reference run's client model failed: " +
                           result.client_failures.front());
  }
  for (const checker::Verdict& verdict : *result.verdicts) {
    if (verdict.kind != checker::VerdictKind::holds) {
      throw std::logic_error("the reference run is broken: " + verdict.summary);
    }
  }
  return result;
}

}  // namespace lockstep::bench
