// Clients that are alike, and which of the runs that differ in their names only is made.
//
// Clients are alike that do the same, stand next to each other in the file, and are named by
// nothing else in it. Until the first answer that tells two of them apart, what they do is the
// same, in the order of the file: they open connections at one instant, are accepted at one
// instant, send their first messages at one instant. A run in which the second of them is the
// faster is a run in which the first is, with their names exchanged. So of a pair's first answers
// those of the first are no greater than those of the second, compared delay by delay; all other
// runs are these, with the clients listed in another order (docs/explore.md says what that means).
//
// A pair is *open* while its answers are the same and none of the two has sent a message: what
// comes of messages may depend on whose came first. A fault that strikes, any choice that is no
// delay, and delays that are not of one kind leave it as it is: then nothing is left out.
//
// Which pairs are open is to be part of a state: the same runs are made from it, whoever comes to
// it first.
//
// Not covered: looking whether a client model asks which client it is
// (PathRecord::breaks_symmetry). Redis nodes: a client model knows them by their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "search/explore/bounded_choices.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// The clients that are alike, by their places in the scenario: each number stands for this client
/// and the next. At most 64 of them: others are taken for unlike.
[[nodiscard]] std::vector<std::uint32_t> symmetric_pairs(const scenario::Scenario& scenario);

class ClientSymmetry {
 public:
  /// Which pairs are open, a bit for each.
  using Pairs = std::uint64_t;

  /// Of clients that are alike: symmetric_pairs(). Clients are the first hosts.
  explicit ClientSymmetry(std::vector<std::uint32_t> pairs = {});

  void begin_run();
  /// Leaves nothing out in this run any more.
  void close() { open_ = 0; }
  /// Whether any pair is open: otherwise there is nothing to look at any more.
  [[nodiscard]] bool is_open() const { return open_ != 0; }
  [[nodiscard]] Pairs open() const { return open_; }
  /// Looks at what was decided in an instant, whatever was answered to its delays.
  void look_at(std::span<const Decision> instant);
  /// Whether no pair's second is faster than its first with these answers to that instant.
  /// REQUIRES: one for each decision of it.
  [[nodiscard]] bool is_canonical(std::span<const std::uint32_t> answers) const;
  /// The pairs that are open once these are the answers.
  [[nodiscard]] Pairs open_after(std::span<const std::uint32_t> answers) const;
  /// The instant is over.
  void pass(std::span<const std::uint32_t> answers) { open_ = open_after(answers); }

 private:
  /// Where a delay of a client stands in the instant.
  struct Own {
    std::uint32_t client;
    std::uint32_t other;     ///< the other end
    bool is_to_client;       ///< the direction
    std::uint32_t nth;       ///< of this direction, from 0
    std::uint32_t decision;  ///< of the instant
    std::uint32_t alternatives;
  };
  /// What is compared of a pair in this instant.
  struct Comparison {
    bool is_comparable = false;
    bool has_messages = false;
    std::vector<std::uint32_t> first;   ///< decisions of the instant
    std::vector<std::uint32_t> second;  ///< as many
  };
  enum class Order : std::uint8_t { same, first_is_faster, second_is_faster };

  [[nodiscard]] std::uint32_t& count_of(std::uint32_t from, std::uint32_t to);
  void collect(std::span<const Decision> instant);
  void compare(std::size_t pair);
  [[nodiscard]] static Order order_of(const Comparison& compared,
                                      std::span<const std::uint32_t> answers);

  std::vector<std::uint32_t> symmetric_pairs_;
  std::vector<bool> is_symmetric_;  // by client: one of a pair
  Pairs open_ = 0;
  // Of the instant that is looked at.
  std::vector<Own> own_;
  std::vector<Comparison> compared_;  // by pair
  // How many delays were drawn so far from one host to another, where one is of a pair.
  struct Count {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t count;
  };
  std::vector<Count> counts_;
};

}  // namespace lockstep::search
