// Strategies that learn nothing: chance, and bounds that are drawn for each run.
//
// Each draws from the run's seed as SeededChoices does, and answers some purposes otherwise. What
// it draws for itself comes from a stream that no run asks for.
#pragma once

#include <cstdint>
#include <vector>

#include "search/fuzz/strategy.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {

class UniformStrategy final : public Strategy {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;

 private:
  sim::SeededChoices choices_{0};
};

/// Chance, with a way of one's own for some purposes.
class BiasedChoices : public sim::ChoiceSource {
 protected:
  void reseed(std::uint64_t run_seed) { seeded_.reset(run_seed); }
  /// As SeededChoices.
  [[nodiscard]] std::uint64_t seeded(sim::Stream stream, std::uint64_t count) {
    return seeded_.choose(stream, count);
  }
  /// For the strategy itself.
  [[nodiscard]] std::uint64_t own(std::uint64_t count) { return seeded_.choose(own_stream, count); }

 private:
  sim::SeededChoices seeded_{0};
};

/// Each run has between one and four of the alternatives that a fault's kind is drawn from, and
/// messages that are all fast, all slow, the one or the other, or as chance says.
class SwarmStrategy final : public Strategy, private BiasedChoices {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;

 private:
  enum class Delays : std::uint8_t { as_chance_says, least, most, extreme };
  struct Kept {
    std::uint64_t count;  // the number of alternatives that it is about
    std::vector<std::uint64_t> values;
  };
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;
  [[nodiscard]] const Kept& kept(std::uint64_t count);

  std::vector<Kept> kept_;
  Delays delays_ = Delays::as_chance_says;
};

/// Probabilistic concurrency testing, carried over to messages: each client has a priority, and the
/// lower it is, the slower are the messages from and to it. At up to four moments, drawn for each
/// run, the client that is about to send falls behind all others.
class PriorityStrategy final : public Strategy, private BiasedChoices {
 public:
  explicit PriorityStrategy(std::uint32_t clients) : ranks_(clients) {}
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;

  std::vector<std::uint32_t> ranks_;    // of each client: 0 is the fastest
  std::vector<std::uint64_t> changes_;  // the numbers of the messages before which ranks change
  std::uint64_t messages_ = 0;
};

/// Each message takes the least or the most time: whichever two race, each is first as often.
/// Partial-order sampling gives events random priorities; here a message's delay is its priority,
/// and it is drawn anew for each message, whether or not it races with one before.
class PartialOrderStrategy final : public Strategy, private BiasedChoices {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;
};

/// Every message takes the least time, but for one to three, which take the most.
class DelayBoundedStrategy final : public Strategy, private BiasedChoices {
 public:
  sim::ChoiceSource& begin_run(std::uint64_t run_seed) override;

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override;

  std::vector<std::uint64_t> slow_;  // the numbers of the messages that are
  std::uint64_t messages_ = 0;
};

}  // namespace lockstep::search
