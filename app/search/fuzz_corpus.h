// The corpus of one target of lockstep fuzz: where its search begins, and what it adds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "app/search/corpus_folder.h"
#include "reports/formats/fuzz_report.h"
#include "search/fuzz/fuzz.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::app {

struct Context;

class FuzzCorpus {
 public:
  /// Reads the folder and makes all its runs once, unless `interrupted` ends that early. The
  /// context outlives it. Throws scenario::InputError if the folder can't be made or read, or the
  /// lock is missing or wrong.
  FuzzCorpus(const std::filesystem::path& folder, const scenario::Scenario& scenario,
             const Context& context, const std::function<bool()>& interrupted);

  [[nodiscard]] const search::Corpus& corpus() const { return corpus_; }
  /// Reports the first entry that can't be written, and throws for none.
  void keep(const search::Discovery& discovery);
  [[nodiscard]] bool has_failed() const { return has_failed_; }
  [[nodiscard]] reports::CorpusCounts counts() const { return counts_; }

 private:
  const Context& context_;
  reports::CorpusCounts counts_;
  std::optional<CorpusFolder> folder_;
  search::Corpus corpus_;
  std::uint64_t scenario_digest_ = 0;
  std::uint64_t lock_digest_ = 0;
  bool has_failed_ = false;
};

}  // namespace lockstep::app
