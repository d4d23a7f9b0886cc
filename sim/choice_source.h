// Where every decision of a run comes from.
//
// A run is a pure function of its scenario and of the answers of one ChoiceSource. Each decision
// names its stream (its purpose and its owner), and each stream draws on its own, so that an extra
// draw in one place shifts no other. A source can be a seed (sim/seeded_choices.h), a record
// of an earlier run (sim/recorded_choices.h), a search strategy or a fuzzer's bytes.
#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

namespace lockstep::sim {

/// The purpose of a decision. The numbers are part of the saved form of a trace: append only.
enum class Purpose : std::uint8_t {
  network_delay = 0,  ///< how long a message travels; owner: the link
  network_loss = 1,   ///< whether a message is lost; owner: the link
  client_random = 2,  ///< random numbers that a client model draws; owner: the client
  token = 3,          ///< unique tokens and client ids; owner: the client
  workload = 4,       ///< think times and generated operations; owner: the client
  fault = 5,          ///< which fault strikes, when, for how long; owner: the fault's index
  scenario = 6,       ///< values that a scenario leaves open as ranges
  server_random = 7,  ///< what a Redis server draws (RANDOMKEY, SPOP, eviction); owner: its host
  fault_kind = 8,    ///< which faults there are where a scenario leaves that open; owner: its place
  fault_moment = 9,  ///< of such a fault: when it strikes; owner: the fault's place
  fault_extent = 10,  ///< of such a fault: whom it strikes, for how long; owner: the fault's place
};
inline constexpr Purpose last_purpose = Purpose::fault_extent;
/// The enumerator's name.
[[nodiscard]] std::string_view name_of(Purpose purpose);

/// One independent sequence of decisions.
struct Stream {
  Purpose purpose;
  std::uint32_t owner = 0;

  friend bool operator==(const Stream&, const Stream&) = default;
};

class ChoiceSource {
 public:
  ChoiceSource() = default;
  ChoiceSource(const ChoiceSource&) = delete;
  ChoiceSource& operator=(const ChoiceSource&) = delete;
  virtual ~ChoiceSource() = default;

  /// A number in [0, count). REQUIRES: count ≥ 1. Where count is 1 nothing is drawn.
  [[nodiscard]] std::uint64_t choose(Stream stream, std::uint64_t count) {
    return count <= 1 ? 0 : draw(stream, count);
  }

  /// An integer in [low, high], both included. REQUIRES: low ≤ high, fewer than 2^64 alternatives.
  [[nodiscard]] std::int64_t between(Stream stream, std::int64_t low, std::int64_t high) {
    assert(low <= high);
    const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    assert(width != UINT64_MAX);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + choose(stream, width + 1));
  }

 private:
  /// Like choose. REQUIRES: count ≥ 2.
  virtual std::uint64_t draw(Stream stream, std::uint64_t count) = 0;
};

}  // namespace lockstep::sim
