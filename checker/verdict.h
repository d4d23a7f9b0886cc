// A property's verdict on one run, with the evidence for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/history.h"
#include "checker/verdict_kind.h"

namespace lockstep::checker {

enum class Property : std::uint8_t;

/// How many violations of one property a verdict shows at most; the summary counts all of them.
inline constexpr std::size_t evidence_max = 8;

/// One thing that a reader should look at: an event (until is none) or an interval.
struct Evidence {
  std::string what;  ///< "a/1 believed that it held the lock"
  NameId who = no_name;
  Moment from;
  std::optional<Moment> until;
};

struct Verdict {
  Property property;
  VerdictKind kind = VerdictKind::holds;
  /// One sentence for a person: what broke, who, when, for how many ms. Empty where it holds.
  std::string summary;
  std::vector<Evidence> evidence;
  /// Where two intervals overlap: the overlap's bounds, true ns.
  std::optional<TimeNs> overlap_from_ns;
  std::optional<TimeNs> overlap_until_ns;
  /// Whether it could have been violated in this run (put_to_the_test.h); false where it is
  /// unknown.
  bool put_to_the_test = false;
};

}  // namespace lockstep::checker
