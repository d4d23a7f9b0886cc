#include "checker/recorded/counting/counting_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checker/recorded/explanation.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {
namespace {

/// What each step counts, counted anew: its operations lie between it and the step before.
std::vector<std::int64_t> counted_within(const CountingProof& proof, const CountingLock& lock) {
  std::vector<std::int64_t> within(proof.steps.size());
  for (const CountingOperation& operation : lock.operations) {
    const auto step = std::upper_bound(
        proof.steps.begin(), proof.steps.end(), operation.invoked,
        [](std::uint32_t invoked, const CountingStep& each) { return invoked < each.until; });
    if (step == proof.steps.end()) break;  // all others were invoked later
    if (operation.acquires == step->acquires && operation.completed <= step->until) {
      within[static_cast<std::size_t>(step - proof.steps.begin())] += operation.units;
    }
  }
  return within;
}

class Words {
 public:
  Words(const History& history, const CountingProof& proof) : history_(history), proof_(proof) {}

  std::string claim() const {
    const CountingStep& last = proof_.steps.back();
    const std::string within = units(last.within, last.acquires);
    const std::int64_t others = proof_.others_since();
    const std::string others_words =
        others == 0 ? fmt::format("no {}", word(!last.acquires)) : units(others, !last.acquires);
    if (proof_.steps.size() == 1) {
      return fmt::format("By {}, {} {} returned, and {}{} {} begun. {}", at(last), within,
                         has(last.within), others == 0 ? "" : "only ", others_words,
                         others == 0 ? "has" : has(others), so());
    }
    return fmt::format("From {} to {}, {} began and returned, and {}{} can have taken effect. {}",
                       at(before(last)), at(last), within, others == 0 ? "" : "at most ",
                       others_words, so());
  }

  std::vector<std::string> reasons(std::size_t lines_max) const {
    std::vector<std::string> lines;
    const std::size_t count = proof_.steps.size() - 1;
    for (std::size_t index = count - std::min(count, lines_max); index < count; ++index) {
      lines.push_back(reason(proof_.steps[index]));
    }
    return lines;
  }

  std::string why() const {
    const CountingStep& last = proof_.steps.back();
    if (proof_.steps.size() == 1) return {};
    const CountingStep& known = before(last);
    return fmt::format(
        "By {}, {} had begun, and at least {} of them had taken effect by {}:", at(last),
        units(proof_.others_invoked, known.acquires), known.at_least, at(known));
  }

 private:
  static std::string_view word(bool acquires) { return acquires ? "acquire" : "release"; }
  std::string_view has(std::int64_t count) const {
    return count <= 1 && !proof_.counts_permits ? "has" : "have";
  }
  static const CountingStep& before(const CountingStep& step) { return *(&step - 1); }

  std::string units(std::int64_t count, bool acquires) const {
    if (!proof_.counts_permits) return counted(count, word(acquires));
    return fmt::format("{}s of {}", word(acquires), counted(count, "permit"));
  }

  std::string at(const CountingStep& step) const {
    const Operation& operation = history_.operations[step.operation];
    if (operation.completed_line != 0) return fmt::format("line {}", operation.completed_line);
    return fmt::format("the return of {}", describe(history_, operation));
  }

  std::string reason(const CountingStep& step) const {
    const std::string what = units(step.at_least, step.acquires);
    if (&step == &proof_.steps.front()) {
      return fmt::format("by {}, {} {} returned", at(step), what, has(step.at_least));
    }
    const std::int64_t carried = step.at_least - step.within;
    const std::string since = fmt::format("{} began since then and returned", step.within);
    const std::string why =
        step.acquires
            ? fmt::format("{} were released by {}", carried, at(before(step)))
            : fmt::format("of the {} acquired by {} at most {} {} still out", before(step).at_least,
                          at(before(step)), proof_.capacity, proof_.capacity == 1 ? "is" : "are");
    return fmt::format("by {}, at least {} took effect: {}, and {}", at(step), what, why, since);
  }

  /// What follows, and can't be.
  std::string so() const {
    const std::int64_t excess = proof_.steps.back().at_least - proof_.others_invoked;
    if (proof_.steps.back().acquires) {
      if (!proof_.counts_permits) return fmt::format("So {} hold the lock at once.", excess);
      return fmt::format("So {} {} out at once, of {}.", counted(excess, "permit"),
                         excess == 1 ? "is" : "are", proof_.capacity);
    }
    const std::string nothing = fmt::format("So {} had nothing to release", units(excess, false));
    if (proof_.steps.size() == 1) return nothing + ".";
    return fmt::format("{}, as at most {} {} out before.", nothing, proof_.capacity,
                       proof_.capacity == 1 ? "was" : "were");
  }

  const History& history_;
  const CountingProof& proof_;
};

}  // namespace

bool is_true(const CountingProof& proof, const CountingLock& lock) {
  if (proof.steps.empty() || proof.capacity != lock.capacity) return false;
  const std::vector<std::int64_t> within = counted_within(proof, lock);
  std::int64_t bound = 0;
  for (std::size_t index = 0; index < within.size(); ++index) {
    const CountingStep& step = proof.steps[index];
    if (index > 0) {
      const CountingStep& before = proof.steps[index - 1];
      if (before.acquires == step.acquires || before.until >= step.until) return false;
      if (before.acquires) bound -= proof.capacity;
    }
    bound += within[index];
    if (within[index] != step.within || bound != step.at_least) return false;
  }
  const CountingStep& last = proof.steps.back();
  std::int64_t others_invoked = 0;
  for (const CountingOperation& operation : lock.operations) {
    if (operation.invoked >= last.until) break;
    if (operation.acquires != last.acquires) others_invoked += operation.units;
  }
  return others_invoked == proof.others_invoked &&
         bound > others_invoked + (last.acquires ? proof.capacity : 0);
}

std::string claim_in_words(const History& history, const CountingProof& proof) {
  return Words(history, proof).claim();
}

std::string why_in_words(const History& history, const CountingProof& proof) {
  return Words(history, proof).why();
}

std::vector<std::string> reasons_in_words(const History& history, const CountingProof& proof,
                                          std::size_t lines_max) {
  return Words(history, proof).reasons(lines_max);
}

}  // namespace lockstep::checker::recorded
