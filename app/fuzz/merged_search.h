// A search whose parts were joined: its result as if it had been made at once.
//
// Stretches are put together in the order of their numbers; where a search stops after a finding,
// up to that which it would have stopped after, whatever else other shards went on to make.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/fuzz/fuzz_targets.h"
#include "model/engine/engine.h"
#include "reports/formats/fuzz_report.h"
#include "reports/formats/search_record_file.h"
#include "search/fuzz/search_record.h"

namespace lockstep::app {

class MergedSearch {
 public:
  /// `path`: of a file that the record came from, for complaints. The record outlives it. Throws
  /// model::InputError where the lock is missing, wrong, or has changed since, and where the record
  /// is nothing that Lockstep wrote.
  MergedSearch(const search::SearchRecord& record, const std::string& path, const Context& context);

  [[nodiscard]] const FuzzTarget& target() const { return target_; }
  [[nodiscard]] const search::SearchRecord& record() const { return record_; }
  /// What is not there, one sentence each; empty where all is.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  /// Once.
  [[nodiscard]] reports::FuzzReport take_report() { return std::move(report_); }

 private:
  void put_together(model::Simulation& simulation);
  void note_missing(std::uint64_t batches_made);
  [[nodiscard]] bool is_whole(std::uint64_t number, const search::BatchResult& batch) const;
  void note_missing_shards();

  const search::SearchRecord& record_;
  reports::SearchIdentity identity_;
  FuzzTarget target_;
  reports::FuzzReport report_;
  std::vector<std::string> missing_;
};

}  // namespace lockstep::app
