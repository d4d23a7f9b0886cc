#include "checker/recorded/mutex/hold_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "checker/recorded/counting/counting_proof.h"
#include "checker/recorded/explanation.h"
#include "checker/text.h"

namespace lockstep::checker::recorded {
namespace {

bool is_known(const Operation& operation) {
  return operation.outcome == Outcome::ok && operation.completed != never_completed;
}

bool is_own(const HoldChain& chain, const Operation& operation, bool acquires) {
  return operation.owner == chain.owner &&
         operation.function == (acquires ? Function::acquire : Function::release);
}

bool says_nothing(const Operation& operation) {
  return operation.outcome == Outcome::fail && operation.completed != never_completed;
}

/// Where the steps of a chain begin and end.
class Places {
 public:
  Places(const History& history, const HoldProof& proof, const HoldChain& chain)
      : history_(history), proof_(proof), chain_(chain) {}

  [[nodiscard]] const Operation& operation(std::size_t step) const {
    return history_.operations[chain_.steps[step].operation];
  }
  /// What is counted was invoked after this position; -1: the beginning.
  [[nodiscard]] std::int64_t start(std::size_t step) const {
    return step == 0 ? -1 : std::int64_t{operation(step - 1).completed};
  }
  /// What is counted has completed by this position.
  [[nodiscard]] std::int64_t until(std::size_t step) const {
    const bool is_to_return = !chain_.steps[step].acquires || is_now(step);
    return is_to_return ? operation(step).completed : operation(step).invoked;
  }
  [[nodiscard]] bool counts(std::size_t step, const Operation& one) const {
    return is_known(one) && is_own(chain_, one, chain_.steps[step].acquires) &&
           std::int64_t{one.invoked} > start(step) && std::int64_t{one.completed} <= until(step);
  }
  /// One of two owners' last step: it ends where both hold the lock.
  [[nodiscard]] bool is_now(std::size_t step) const {
    return proof_.chains.size() == 2 && step + 1 == chain_.steps.size();
  }
  /// Whether the step ends as it says, and not before it starts.
  [[nodiscard]] bool is_well_formed(std::size_t step) const {
    const Operation& end = operation(step);
    if (!is_known(end) || until(step) <= start(step)) return false;
    if (is_now(step)) return chain_.steps[step].acquires;
    return chain_.steps[step].acquires ? end.owner != chain_.owner : is_own(chain_, end, false);
  }

 private:
  const History& history_;
  const HoldProof& proof_;
  const HoldChain& chain_;
};

bool is_chain_true(const HoldProof& proof, const HoldChain& chain, const History& history,
                   std::span<const std::uint32_t> operations) {
  const std::size_t count = chain.steps.size();
  if (count == 0 || chain.steps.back().operation != proof.stuck) return false;
  const Places places(history, proof, chain);
  for (std::size_t step = 0; step < count; ++step) {
    if (!places.is_well_formed(step)) return false;
  }
  const bool acquires_last = chain.steps.back().acquires;
  const std::uint32_t end = history.operations[proof.stuck].completed;
  std::vector<std::int64_t> within(count);
  std::int64_t others_invoked = 0;
  std::size_t step = 0;
  for (const std::uint32_t index : operations) {
    const Operation& operation = history.operations[index];
    if (operation.invoked >= end) break;
    if (operation.owner != chain.owner) continue;
    while (step + 1 < count && std::int64_t{operation.invoked} > places.start(step + 1)) ++step;
    if (places.counts(step, operation)) ++within[step];
    if (is_own(chain, operation, !acquires_last) && !says_nothing(operation)) ++others_invoked;
  }
  std::int64_t bound = 0;
  for (step = 0; step < count; ++step) {
    bound += within[step];
    if (within[step] != chain.steps[step].within || bound != chain.steps[step].at_least) {
      return false;
    }
  }
  return others_invoked == chain.others_invoked && bound > others_invoked;
}

class ChainWords {
 public:
  ChainWords(const History& history, const HoldProof& proof, const HoldChain& chain)
      : history_(history), proof_(proof), chain_(chain) {}

  [[nodiscard]] std::string claim() const {
    const HoldStep& last = chain_.steps.back();
    const std::string until = last.acquires && !is_of_two() ? begin(last) : end(last);
    const std::int64_t others = chain_.others_invoked - known_of_others();
    const std::string most =
        fmt::format("{}{}", until == end(last) ? std::string() : fmt::format("by {} ", end(last)),
                    others == 0 ? fmt::format("no {} of it", word(!last.acquires))
                                : fmt::format("at most {} of it", units(others, !last.acquires)));
    const std::string within =
        fmt::format("{} of {}", units(last.within, last.acquires), owner(chain_));
    if (chain_.steps.size() == 1) {
      return fmt::format("By {}, {} {} returned, and {} can have taken effect. {}", until, within,
                         last.within == 1 ? "has" : "have", most, so());
    }
    return fmt::format("From {} to {}, {} began and returned, and {} can have taken effect. {}",
                       end(before(last)), until, within, most, so());
  }

  [[nodiscard]] std::string why() const {
    if (chain_.steps.size() == 1) return {};
    const HoldStep& last = chain_.steps.back();
    const HoldStep& known = before(last);
    return fmt::format(
        "By {}, {} of {} had begun, and at least {} of them had taken effect by {}:", end(last),
        units(chain_.others_invoked, !last.acquires), owner(chain_), known.at_least, end(known));
  }

  [[nodiscard]] std::string reason(const HoldStep& step) const {
    const bool is_first = &step == &chain_.steps.front();
    const std::string what =
        is_first ? fmt::format("{} {} returned", units(step.within, step.acquires),
                               step.within == 1 ? "has" : "have")
                 : fmt::format(
                       "at least {} took effect: {} by {}, and {} began since then and "
                       "returned",
                       units(step.at_least, step.acquires), before(step).at_least,
                       end(before(step)), step.within);
    if (!step.acquires) return fmt::format("by {}, {}", end(step), what);
    return fmt::format("by {}, {}; by {} as many were released, as {} had the lock", begin(step),
                       what, end(step), owner_of(history_, history_.operations[step.operation]));
  }

 private:
  static std::string_view word(bool acquires) { return acquires ? "acquire" : "release"; }
  static std::string units(std::int64_t count, bool acquires) {
    return counted(count, word(acquires));
  }
  static const HoldStep& before(const HoldStep& step) { return *(&step - 1); }
  [[nodiscard]] bool is_of_two() const { return proof_.chains.size() == 2; }
  [[nodiscard]] std::int64_t known_of_others() const {
    return chain_.steps.size() == 1 ? 0 : before(chain_.steps.back()).at_least;
  }

  [[nodiscard]] std::string owner(const HoldChain& chain) const {
    Operation own;
    own.owner = chain.owner;
    return owner_of(history_, own);
  }

  [[nodiscard]] std::string begin(const HoldStep& step) const {
    const Operation& operation = history_.operations[step.operation];
    if (operation.invoked_line != 0) return fmt::format("line {}", operation.invoked_line);
    return fmt::format("the call of {}", describe(history_, operation));
  }
  [[nodiscard]] std::string end(const HoldStep& step) const {
    const Operation& operation = history_.operations[step.operation];
    if (operation.completed_line != 0) return fmt::format("line {}", operation.completed_line);
    return fmt::format("the return of {}", describe(history_, operation));
  }

  /// What follows, and can't be.
  [[nodiscard]] std::string so() const {
    const HoldStep& last = chain_.steps.back();
    if (!last.acquires) {
      return fmt::format("So {} had nothing to release.",
                         units(last.at_least - chain_.others_invoked, false));
    }
    if (is_of_two()) {
      return fmt::format("So {} holds the lock then{}.", owner(chain_),
                         &chain_ == &proof_.chains.back() ? ", too" : "");
    }
    return fmt::format("So {} held the lock from {} to {}, and {} can't have had it then.",
                       owner(chain_), begin(last), end(last),
                       owner_of(history_, history_.operations[proof_.stuck]));
  }

  const History& history_;
  const HoldProof& proof_;
  const HoldChain& chain_;
};

}  // namespace

bool is_true(const HoldProof& proof, const History& history,
             std::span<const std::uint32_t> operations) {
  const std::vector<HoldChain>& chains = proof.chains;
  const bool are_two = chains.size() == 2 && chains[0].owner != chains[1].owner;
  if (chains.size() != 1 && !are_two) return false;
  const bool are_covered =
      std::all_of(operations.begin(), operations.end(), [&](std::uint32_t index) {
        const Function function = history.operations[index].function;
        return function == Function::acquire || function == Function::release;
      });
  return are_covered && std::all_of(chains.begin(), chains.end(), [&](const HoldChain& each) {
           return is_chain_true(proof, each, history, operations);
         });
}

std::string claim_in_words(const History& history, const HoldProof& proof, const HoldChain& chain) {
  return ChainWords(history, proof, chain).claim();
}

std::string why_in_words(const History& history, const HoldProof& proof, const HoldChain& chain) {
  return ChainWords(history, proof, chain).why();
}

std::vector<std::string> reasons_in_words(const History& history, const HoldProof& proof,
                                          const HoldChain& chain, std::size_t lines_max) {
  const ChainWords words(history, proof, chain);
  std::vector<std::string> lines;
  const std::size_t count = chain.steps.size() - 1;
  for (std::size_t step = count - std::min(count, lines_max); step < count; ++step) {
    lines.push_back(words.reason(chain.steps[step]));
  }
  return lines;
}

void name_operations(const History& history, std::span<const std::uint32_t> operations,
                     HoldProof& proof) {
  const std::uint32_t end = history.operations[proof.stuck].completed;
  for (HoldChain& chain : proof.chains) {
    const Places places(history, proof, chain);
    const std::size_t last = chain.steps.size() - 1;
    const auto add = [](std::vector<std::uint32_t>& some, std::uint32_t index) {
      if (some.size() < counted_told_max) some.push_back(index);
    };
    for (auto at = operations.rbegin(); at != operations.rend(); ++at) {
      const Operation& one = history.operations[*at];
      if (one.invoked >= end) continue;
      if (places.counts(last, one)) add(chain.counted, *at);
      const bool matters = std::int64_t{one.invoked} > places.start(last) ||
                           (is_known(one) && std::int64_t{one.completed} > places.start(last));
      const bool is_other = is_own(chain, one, !chain.steps[last].acquires) && !says_nothing(one);
      if (matters && is_other) add(chain.others, *at);
    }
    std::reverse(chain.counted.begin(), chain.counted.end());
    std::reverse(chain.others.begin(), chain.others.end());
  }
}

}  // namespace lockstep::checker::recorded
