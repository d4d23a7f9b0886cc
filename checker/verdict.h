// A property's verdict on one run, with the evidence for it (evidence.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/verdict_kind.h"

namespace lockstep::checker {

enum class Property : std::uint8_t;
struct Evidence;

struct Verdict {
  // Not here, where evidence is only declared.
  Verdict();
  Verdict(const Verdict&);
  Verdict(Verdict&&) noexcept;
  Verdict& operator=(const Verdict&);
  Verdict& operator=(Verdict&&) noexcept;
  ~Verdict();

  Property property{};
  VerdictKind kind = VerdictKind::holds;
  /// One sentence for a person: what broke, who, when, for how many ms. Empty where it holds.
  std::string summary;
  std::vector<Evidence> evidence;
  /// Where two intervals overlap: the overlap's bounds, true ns.
  std::optional<std::int64_t> overlap_from_ns;
  std::optional<std::int64_t> overlap_until_ns;
  /// Whether it could have been violated in this run (put_to_the_test.h); false where it is
  /// unknown.
  bool put_to_the_test = false;
};

}  // namespace lockstep::checker
