// Random sequences of commands, for comparisons of two servers: shrinkable, and likely to be about
// the same few keys, at the same few milliseconds.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::redis::test {

/// One step: the clock moves, then a session sends a request.
struct Step {
  std::int64_t advance_us = 0;
  std::size_t session = 0;
  std::vector<std::string> words;
};

std::ostream& operator<<(std::ostream& out, const Step& step);

/// A line of words; a word that begins with '$' is replaced by one of its kind:
///   $key $lock $field $owner $text $number $ms $s $option $condition $channel $pattern $glob
///   $script
/// (see command_sequences.cpp), and $at and $ats, moments around the start of the sequence in ms
/// and s.
struct SequenceKind {
  std::span<const std::string_view> templates;
  std::span<const std::string> scripts;  ///< loaded before the sequence begins
  std::size_t sessions = 1;
  std::int64_t start_ms = 0;
};

/// Sequences of up to some hundred steps. All that a step is made of shrinks towards the first
/// template and the first alternatives.
rc::Gen<std::vector<Step>> any_sequence(const SequenceKind& kind);

/// All that $key and $lock can stand for.
std::span<const std::string_view> sequence_keys();

/// Templates of all commands that work on keys.
std::span<const std::string_view> data_templates();
/// Templates of transactions.
std::span<const std::string_view> transaction_templates();
/// Templates of pub/sub.
std::span<const std::string_view> pubsub_templates();
/// Templates of EVAL and SCRIPT, with small scripts.
std::span<const std::string_view> script_templates();

}  // namespace lockstep::redis::test
