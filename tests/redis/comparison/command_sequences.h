// Random sequences of commands, for comparisons of two servers: reproducible from a number,
// shrinkable, and likely to be about the same few keys, at the same few milliseconds.
//
// A sequence is made beside a simulated server that runs it meanwhile, so that the next step can be
// about what is there: keys of the right type, the very millisecond at which one expires.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/redis/comparison/command_families.h"
#include "tests/redis/comparison/request_generator.h"

namespace lockstep::redis::test {

/// One step: the clock moves, then a session sends a request.
struct Step {
  std::int64_t advance_us = 0;
  std::size_t session = 0;
  std::vector<std::string> words;
};

std::ostream& operator<<(std::ostream& out, const Step& step);

using Sequence = std::vector<Step>;

/// What sequences are played to.
enum class ServerSetup : std::uint8_t {
  one_server,
  replicas,  ///< a master and its replica, with the steps that replica_pair.h adds
  restarts,  ///< a server with a disk; `RESTART kill MS` and `RESTART terminate MS` end its process
};

/// What sequences are made of.
struct SequenceKind {
  std::vector<std::string_view> templates;
  std::vector<std::string_view> calls = {};  ///< templates of redis.call in generated scripts
  std::vector<std::string> scripts = {};     ///< loaded before the sequence begins
  std::size_t sessions = 1;
  ServerSetup players = ServerSetup::one_server;
  std::string_view storing = {};  ///< a name of persistence_setups() (restart_pair.h)
  std::size_t steps_min = 0;
  std::size_t steps_max = 60;
};

/// A family's own commands, and some that make or touch keys.
SequenceKind kind_of(const CommandFamily& family);
/// The commands of all families, in several sessions, and generated scripts.
SequenceKind mixed_kind();
/// Generated scripts that call what families offer, and commands between them.
SequenceKind generated_scripts_kind();
/// The locks' own scripts, with random keys and arguments, and commands that get in their way.
SequenceKind lock_scripts_kind();

/// Reads and writes on a master and its replica, in two sessions each, and often a promotion and
/// the return of the old master.
SequenceKind replicas_kind();

/// Reads and writes on a server that stores its data in this way, and is restarted now and then.
SequenceKind restarts_kind(std::string_view storing);

/// The sequence of a seed.
Sequence make_sequence(const SequenceKind& kind, std::uint64_t seed);

/// What a sequence can be shrunk to: without some steps, or with one calmer.
rc::Seq<Sequence> smaller_sequences(const Sequence& sequence);

/// Sequences that shrink by leaving out steps, then by calming single ones.
rc::Gen<Sequence> any_sequence(const SequenceKind& kind);

}  // namespace lockstep::redis::test
