// What the judges are told of a lock: what it promises, and what its answers mean.
#pragma once

#include <cstdint>

namespace lockstep::checker {

/// What the lock promises to an owner that acquires what it holds already.
enum class Reentry : std::uint8_t {
  counted,  ///< it is granted once more, and must be released as often
  refused,  ///< it is refused, like everybody else
  /// As counted, but only its client knows how often; of an acquisition whose outcome nobody heard
  /// it may not know either, and be refused.
  counted_by_client,
};

/// What a refused acquire says of the lock.
enum class Refusal : std::uint8_t {
  truthful,  ///< that somebody held it
  spurious,  ///< nothing: a split vote, a queue with somebody ahead
};

/// Who of those that wait may have what is available.
enum class Service : std::uint8_t {
  anybody,        ///< whoever asks for no more than that
  in_order,       ///< who came first: nobody passes somebody who waits for more
  writers_first,  ///< no reader, as long as a writer waits
};

}  // namespace lockstep::checker
