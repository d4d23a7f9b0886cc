// A search whose parts were joined. Its result is that of the whole search.
//
// Batches are added in the order of their numbers. If the search stops after a finding, batches
// behind that finding's are dropped, even if other shards made them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/search/fuzz_targets.h"
#include "reports/formats/fuzz_report.h"
#include "reports/formats/search_record_file.h"
#include "search/fuzz/search_record.h"

namespace lockstep::model {
class Simulation;
}

namespace lockstep::app {

struct Context;

class MergedSearch {
 public:
  /// The record outlives it. `path` is of a file that the record came from, for messages. Throws
  /// scenario::InputError if the lock is missing, wrong, or has changed since, and if Lockstep did
  /// not write the record.
  MergedSearch(const search::SearchRecord& record, const std::string& path, const Context& context);

  [[nodiscard]] const FuzzTarget& target() const { return target_; }
  [[nodiscard]] const search::SearchRecord& record() const { return record_; }
  /// A sentence for each missing part.
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }
  /// Call it once.
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
