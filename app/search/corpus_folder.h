// A folder with the entries of a corpus, one file each, named by its content.
//
// Any number of processes may read and write at once: an entry is written to a temporary file and
// renamed, equal entries have equal names, and a complete entry never changes. Files that are no
// entries of this scenario and model version are reported on the error stream and left alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "search/fuzz/corpus_entry.h"

namespace lockstep::app {

struct Context;

class CorpusFolder {
 public:
  /// The context outlives it. Makes the folder; throws scenario::InputError if it can't.
  CorpusFolder(std::filesystem::path folder, std::uint64_t scenario_digest, const Context& context);

  struct Contents {
    std::vector<std::filesystem::path> files;  ///< of the entries, by name
    std::vector<search::CorpusEntry> entries;
    std::size_t passed_over = 0;
  };
  /// Throws scenario::InputError if the folder can't be read.
  [[nodiscard]] Contents read() const;

  /// Adds an entry. Returns false if it is there already, or too large. Throws scenario::InputError
  /// if it can't be written.
  bool add(const search::CorpusEntry& entry) const;

 private:
  void read_into(Contents& all, const std::filesystem::path& file) const;
  void pass_over(Contents& all, const std::filesystem::path& file, std::string_view why) const;

  std::filesystem::path folder_;
  std::uint64_t scenario_digest_;
  const Context& context_;
};

}  // namespace lockstep::app
