// Saves what a search found: the run as it was, and the small scenario that it shrinks to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace lockstep::model {
class Engine;
}

namespace lockstep::reports {
struct SavedFinding;
struct SavedIncident;
}  // namespace lockstep::reports

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::search {
class ContractJudge;
struct Finding;
struct Incident;
struct NotableRun;
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::app {

struct Context;

class FindingSaver {
 public:
  /// All outlive it. `is_over` is asked between runs; when it says true, a finding is saved as
  /// small as it is by then.
  FindingSaver(const scenario::Scenario& scenario, std::filesystem::path folder,
               const Context& context, model::Engine& engine, std::function<bool()> is_over);

  /// What a finding is to be called, once it is known which faults are left of it.
  using NameOf = std::function<std::string(const search::Finding&)>;

  /// Shrinks it and writes what save_shrunk (shrunk_files.h) does, and
  /// FOLDER/NAME.found.trace.jsonl. The kinds of fault that are told of it are those of the small
  /// scenario. `seed` is the search's. Throws scenario::InputError if they can't be written.
  [[nodiscard]] reports::SavedFinding save(search::Finding finding, const NameOf& name_of,
                                           std::uint64_t seed);
  /// Writes FOLDER/NAME.found.trace.jsonl, and FOLDER/NAME.toml with the run's faults.
  [[nodiscard]] reports::SavedIncident save(const search::Incident& incident,
                                            const std::string& name, std::uint64_t seed);
  /// Makes the run again as it was found. Throws std::logic_error if it differs.
  [[nodiscard]] search::RunRecord example_of(const search::NotableRun& found, std::uint64_t seed);

  /// What a finding shrinks to has to break no more of the lock's contract than it; outlives this.
  void set_contract(const search::ContractJudge* judge) { judge_ = judge; }
  /// The command that searches as it was searched, behind "lockstep": "fuzz plain --seed 1".
  void set_command(std::string command) { command_ = std::move(command); }
  /// Sets what files say about who found it, if not lockstep fuzz: "Found by …".
  void set_provenance(std::string provenance) { provenance_ = std::move(provenance); }

 private:
  [[nodiscard]] std::string provenance_of(const search::NotableRun& found) const;
  /// Returns the path.
  std::string write_found_trace(const search::RunRecord& example, const std::string& name) const;

  const scenario::Scenario& scenario_;
  std::filesystem::path folder_;
  const Context& context_;
  model::Engine& engine_;
  std::function<bool()> is_over_;
  const search::ContractJudge* judge_ = nullptr;
  std::string command_;
  std::string provenance_;  // empty: fuzz found it
};

}  // namespace lockstep::app
