// What `lockstep keep` has kept of a lock runs before anything else of it does: a finding that does
// not break any more was mended, one that was mended and breaks again is back.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/exit_code.h"

namespace lockstep::model {
class Engine;
}
namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::app {

struct Context;

/// The lock, named independently of the folder that the scenario is in.
[[nodiscard]] std::string lock_of(const scenario::Scenario& scenario);

class KeptFindings {
 public:
  /// Where `keep` puts them unless it is told otherwise.
  static constexpr const char* folder = "scenarios/regressions";

  /// Both outlive it.
  KeptFindings(const Context& context, model::Engine& engine)
      : context_(context), engine_(engine) {}

  /// Runs those of the scenarios' locks but for the files named, and tells of them on the error
  /// stream. Not as expected: one is back. Bad input: one can't be read.
  [[nodiscard]] ExitCode run(const std::vector<const scenario::Scenario*>& scenarios,
                             const std::set<std::string>& files_named);

 private:
  void run_one(const scenario::Scenario& kept);

  const Context& context_;
  model::Engine& engine_;
  ExitCode exit_code_ = ExitCode::as_expected;
  std::size_t as_kept_ = 0;
};

}  // namespace lockstep::app
