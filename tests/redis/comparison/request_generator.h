// Makes requests of templates ("SET $key $text PX $ms"), in view of what a server holds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/values/keyspace.h"
#include "tests/redis/comparison/dice.h"

namespace lockstep::redis::test {

/// Whether words may be too long for the small form of hashes and sorted sets, which keeps an
/// order.
enum class WordLength : std::uint8_t { small, any };

class RequestGenerator {
 public:
  /// `data` is the database that the session works on; `start_ms` what $at and $ats are around.
  RequestGenerator(Dice& dice, const Keyspace& data, WordLength length, std::int64_t start_ms)
      : dice_(dice), data_(data), length_(length), start_ms_(start_ms) {}

  /// The request of a template. Throws std::logic_error at an unknown placeholder.
  std::vector<std::string> request(std::string_view line);
  /// A request that no template gives: a word more or less, other letter case.
  void disturb(std::vector<std::string>& words);

 private:
  std::string word(std::string_view placeholder);
  std::string key();
  /// A field, member or element of the key made last; empty where it has none.
  std::string part_of_key();

  Dice& dice_;
  const Keyspace& data_;
  WordLength length_;
  std::int64_t start_ms_;
  std::optional<std::size_t> wanted_type_;  // index in Value; what the command works on
  std::string last_key_;
};

/// The type of value a command works on, as an index in Value, by the command's name; none where it
/// takes any.
[[nodiscard]] std::optional<std::size_t> type_of_command(std::string_view name);

/// All that $key can stand for.
[[nodiscard]] std::span<const std::string_view> sequence_keys();

/// Requests that make keys of all types, with and without expiry.
[[nodiscard]] std::span<const std::string_view> population_templates();

}  // namespace lockstep::redis::test
