// A workload under construction: clients and their steps, with times in milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/options.h"

namespace lockstep::model {
enum class Usage : std::uint8_t;
}  // namespace lockstep::model

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct TimeRange {
  std::int64_t min_ms = 0;
  std::int64_t max_ms = 0;
};

/// "1ms..4s"
[[nodiscard]] std::string text_of(TimeRange range);
/// "4s"
[[nodiscard]] std::string time_text(std::int64_t time_ms);

/// [client.generate]
struct DraftTurns {
  int turns = 3;
  std::vector<std::pair<std::string, int>> mix;
  TimeRange think;
  std::optional<TimeRange> hold;
  int nesting = 1;
  int permits_min = 1;
  int permits_max = 1;
  std::vector<std::string> locks;
};

/// [[client]]
struct DraftClient {
  std::string name;
  int count = 1;
  int threads = 1;
  int rounds = 1;
  std::vector<std::string> run;
  std::optional<DraftTurns> turns;
  TimeRange start{0, 20};
  std::int64_t drift_ppm = 0;       ///< of its clocks
  std::int64_t wall_offset_ms = 0;  ///< by how much its wall clock is wrong
  std::optional<TimeRange> away;    ///< how long each way between it and n1 takes
};

struct WorkloadDraft {
  std::string name;
  std::string purpose;  ///< a sentence at the head of the file
  std::vector<DraftClient> clients;
  std::vector<model::Usage> breaks;
  std::string redis;  ///< "masters = 3": the lines of [redis]; empty: none
  scenario::Options options = {};
  std::size_t weight = 1;
  std::int64_t servers_drift_ppm = 0;  ///< of the masters' clocks
  std::int64_t progress_ms = 0;        ///< what waiters may be asked to bear; 0: as everywhere
  /// The faults that its story takes, of those that the contract does not exclude; empty: any.
  std::vector<scenario::FaultKind> faults = {};
};

/// Where the lock's node is one of several: for WorkloadDraft::redis.
namespace places {
inline constexpr std::string_view replicas = "replicas = 2";
inline constexpr std::string_view sentinel =
    "topology = \"sentinel\"\nreplicas = 2\n"
    "sentinel = { count = 3, quorum = 2, down_after = \"2s\" }";
inline constexpr std::string_view cluster =
    "topology = \"cluster\"\nmasters  = 3\nreplicas = 1\n"
    "cluster  = { node_timeout = \"2s\" }";
}  // namespace places

struct FileHead {
  std::string_view lock;
  std::vector<std::string_view> promises;
  std::int64_t drift_ppm = 0;  ///< by which clocks may run fast or slow
  std::int64_t events_max = 0;
};

/// The scenario file.
[[nodiscard]] std::string file_of(const WorkloadDraft& draft, const FileHead& head);

}  // namespace lockstep::search
