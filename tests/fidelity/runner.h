// Runs the sequences of a kind on both sides, and makes each that shows a difference small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "confirm/real_program.h"
#include "tests/fidelity/plan.h"
#include "tests/fidelity/tally.h"
#include "tests/redis/comparison/replica_pair.h"
#include "tests/redis/comparison/server_pair.h"

namespace lockstep::fidelity {

/// The sequences of one worker: every `step`-th of a kind, from `first`, below `count`.
struct Share {
  std::uint64_t seed = 0;
  std::size_t first = 0;
  std::size_t step = 1;
  std::size_t count = 0;
};

/// A text without line ends and tabulators.
[[nodiscard]] std::string one_line(std::string text);

class Runner {
 public:
  /// With real servers of this program. `is_brief`: differences are not made small, each is one
  /// line, and however many there are, all are counted.
  Runner(confirm::RealProgram program, bool is_brief);

  /// Differences are written to standard output, each as one text.
  Tally run(const PlannedKind& kind, const Share& share);

 private:
  /// What differs, where something does.
  std::optional<std::string> compare(const PlannedKind& kind, const redis::test::Sequence& sequence,
                                     Tally* tally);
  void report(const PlannedKind& kind, const Share& share, std::size_t index,
              const redis::test::Sequence& sequence, const std::string& first_text);

  redis::test::ComparedCounts compare_on(redis::test::ServerSetup players,
                                         const redis::test::SequenceKind& kind,
                                         const redis::test::Sequence& sequence);

  confirm::RealProgram program_;
  bool is_brief_;
  std::unique_ptr<redis::test::StreamedServer> server_;
  std::unique_ptr<redis::test::RealReplicas> replicas_;
  std::size_t sequences_run_ = 0;
};

}  // namespace lockstep::fidelity
