// The record of a search as a file: JSON Lines, so that its parts can be made on several machines
// and joined on one. docs/campaigns.md describes it.
//
// The first line says what was searched and how, with the scenario's text; then a line for each
// batch, and lines with the states; the last has a checksum, so that a damaged file is refused.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenario/faults/fault_choice.h"
#include "search/fuzz/fuzz.h"
#include "search/fuzz/search_record.h"
#include "search/runs/choice_tracks.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::reports {

/// What was searched, and how.
struct SearchIdentity {
  std::string target;     ///< as the user named it
  std::string file_name;  ///< of what is saved of it
  std::shared_ptr<const scenario::Scenario> scenario;
  std::uint64_t lock_digest = 0;
  search::FuzzPlan plan;         ///< without shard and corpus
  scenario::FaultChoice faults;  ///< that were asked for; the scenario is narrowed to them
  enum class Ends : std::uint8_t {
    by_runs,
    by_clock,  ///< then it is complete wherever the clock cut it
  };
  Ends ends = Ends::by_runs;
  std::uint64_t corpus_entries = 0;
  std::uint64_t corpus_digest = 0;
};

/// The text of SearchRecord::search.
[[nodiscard]] std::string write_identity(const SearchIdentity& identity);
/// REQUIRES: a text that write_identity wrote, or a record's. Throws scenario::InputError where the
/// scenario in it is wrong.
[[nodiscard]] SearchIdentity read_identity(const std::string& text);
/// The target's name alone.
[[nodiscard]] std::string target_of(const std::string& text);
/// In which way two texts differ, in words: "the seed is another (2, not 1)".
[[nodiscard]] std::string identity_difference(const std::string& one, const std::string& other);

/// The text of RecordedBatch::content.
[[nodiscard]] std::string write_batch(const search::BatchResult& batch);

/// A batch that was read again. Its findings and incidents have neither choices nor faults: a run
/// with the tracks tells both.
struct ReadBatch {
  search::BatchResult result;
  std::map<std::uint64_t, std::vector<search::ChoiceTrack>> tracks;  ///< by the number of the run
};
/// `empty`: an outcome of the scenario without runs. Throws std::runtime_error where it does not
/// fit.
[[nodiscard]] ReadBatch read_batch(std::uint64_t number, const search::RecordedBatch& batch,
                                   const search::ScenarioOutcome& empty);

void write_search_record(std::ostream& out, const search::SearchRecord& record);
/// Throws scenario::InputError with file and line where it is no record, of another format or model
/// version, or damaged.
[[nodiscard]] search::SearchRecord read_search_record(const std::string& path);

}  // namespace lockstep::reports
