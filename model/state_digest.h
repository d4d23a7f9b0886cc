// A number for the state of a simulation between two events: everything that the rest of its run
// depends on.
//
// Two equal digests stand for the same state: whatever happens after the one can happen after the
// other, with times counted from then on. Who answers a run's choices is no part of it.
// What goes into it, and what it keeps of a run's past: docs/explore.md.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::model {

struct StateDigest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend bool operator==(const StateDigest&, const StateDigest&) = default;
};

/// What a digest is made of, by who it is about: "network", "a", "n1", "events", …
struct DigestPart {
  std::string_view name;
  std::uint64_t value = 0;

  friend bool operator==(const DigestPart&, const DigestPart&) = default;
};

}  // namespace lockstep::model
