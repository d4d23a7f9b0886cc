// A folder with the entries of a corpus, one file each, named by its content.
//
// Any number of processes may read and write at once: an entry is written beside its place and
// renamed, equal entries have equal names, and nothing that is whole is ever changed. What is no
// entry of this scenario and model version is named on the error stream and passed over; it stays
// where it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/context.h"
#include "search/fuzz/corpus_entry.h"

namespace lockstep::app {

class CorpusFolder {
 public:
  /// The context outlives it. Makes the folder; throws model::InputError where it can't.
  CorpusFolder(std::filesystem::path folder, std::uint64_t scenario_digest, const Context& context);

  struct Contents {
    std::vector<std::filesystem::path> files;  ///< of the entries, by name
    std::vector<search::CorpusEntry> entries;
    std::size_t passed_over = 0;
  };
  /// Throws model::InputError where the folder can't be read.
  [[nodiscard]] Contents read() const;

  /// Puts an entry there; false where it was there already, or is too large to be one. Throws
  /// model::InputError where it can't be written.
  bool add(const search::CorpusEntry& entry) const;

 private:
  void read_into(Contents& all, const std::filesystem::path& file) const;
  void pass_over(Contents& all, const std::filesystem::path& file, std::string_view why) const;

  std::filesystem::path folder_;
  std::uint64_t scenario_digest_;
  const Context& context_;
};

}  // namespace lockstep::app
