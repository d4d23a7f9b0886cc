// An entry of a corpus: the choices of one run, as the bytes of a file.
//
//   entry  := "lockstep choices 1 model=N scenario=H lock=H checksum=H\n" track…
//   track  := purpose owner count value…       numbers as in choice_tracks.h; count: of the values
//   H      := 16 hexadecimal digits; the checksum is XXH3 of all other bytes
//
// lockstep fuzz and the libFuzzer target read and write the same files. What is damaged, of another
// scenario or of another model version is told apart, so that it can be named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "search/runs/choice_tracks.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

inline constexpr std::size_t entry_bytes_max = std::size_t{4} << 20U;

struct CorpusEntry {
  std::uint64_t scenario_digest = 0;
  std::uint64_t lock_digest = 0;  ///< of the lock's files when the entry was made
  std::vector<ChoiceTrack> tracks;

  friend bool operator==(const CorpusEntry&, const CorpusEntry&) = default;
};

/// Of what a scenario says; comments, and where it stands, are not part of it.
[[nodiscard]] std::uint64_t digest_of(const scenario::Scenario& scenario);

/// XXH3, 64 bits.
[[nodiscard]] std::uint64_t digest_of(std::string_view bytes);

[[nodiscard]] std::string write_entry(const CorpusEntry& entry);

struct ReadEntry {
  CorpusEntry entry;
  std::string complaint;  ///< why it is none; empty where it is one
};
[[nodiscard]] ReadEntry read_entry(std::string_view bytes);

/// What the entry's file is called: 16 hexadecimal digits, by its bytes.
[[nodiscard]] std::string entry_name(std::string_view bytes);

}  // namespace lockstep::search
