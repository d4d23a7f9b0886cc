// A number for the state of a simulation between two events: everything that the rest of its run
// depends on.
//
// Two equal digests mean the same state: everything that can happen after the one can happen after
// the other, with times counted from then on. The source of a run's choices is not part of it.
// docs/explore.md says what goes into it, and what it keeps of a run's past.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::model {

struct StateDigest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const StateDigest&, const StateDigest&) = default;
};

/// A part of a digest, by its subject: "network", "a", "n1", "events", …
struct DigestPart {
  std::string_view name;
  std::uint64_t value = 0;

  friend bool operator==(const DigestPart&, const DigestPart&) = default;
};

}  // namespace lockstep::model
