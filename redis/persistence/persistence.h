// When a server's data reaches its disk: the rules of appendfsync and of save points.
//
// The append-only file gets the effects of commands as replicas get them, before the reply goes out
// (write(2)); when they are synced is appendfsync's matter:
//   always     with the write
//   everysec   with the first write of each second of the wall clock; what comes later in that
//              second with the first tick of the next
//   no         when the process ends well; the operating system would some time, which is not
//              promised, so here it never does
// A snapshot is due when enough changes have waited for more than so many whole seconds. What is
// due is done at ticks, ten a second since the start, as by Redis's serverCron; a background job
// (fsync, BGSAVE) takes no time.
//
// The server says what there is to store; nothing is done here while nothing is configured.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "redis/persistence/stored_files.h"
#include "redis/replication/propagation_buffer.h"
#include "redis/server/config.h"

namespace lockstep::redis {

class Persistence {
 public:
  static constexpr std::int64_t never_ms = std::numeric_limits<std::int64_t>::max();

  /// A process starts. Without `files` (nullptr) it has no disk and stores nothing, but says when
  /// it would be synced.
  void start(StoredFiles* files, std::int64_t now_ms);
  [[nodiscard]] StoredFiles* files() { return files_; }

  // The append-only file.

  /// Switches the file on or off. The server fills it (restore, rewrite).
  void set_logging(bool logs);
  [[nodiscard]] bool logs() const { return logs_; }
  /// One effect of the command that runs. REQUIRES: logs().
  void log(std::uint8_t database, std::span<const std::string_view> words) {
    effects_.append(database, words);
  }
  /// The same as 6.0 does it (stored_expiry.h).
  void log_with_moments(std::uint8_t database, std::span<const std::string_view> words,
                        std::int64_t now_ms);
  [[nodiscard]] bool has_unwritten() const { return !effects_.empty(); }
  [[nodiscard]] bool has_unsynced() const { return is_unsynced_ || has_unwritten(); }
  /// A command and its effects are complete: they go into the file.
  void write(AppendFsync fsync, std::int64_t now_ms);
  /// The file begins anew with what the databases hold.
  void rewrite(const Databases& databases, std::vector<std::string> libraries);
  void sync();
  void sync_at(std::int64_t now_ms);

  // The snapshot.

  /// Without a disk nothing is stored, but LASTSAVE and the counts move as if it were.
  void save(const Databases& databases, std::vector<std::string> libraries,
            const std::optional<StreamPosition>& position, std::uint64_t dirty,
            std::int64_t now_ms);
  /// LASTSAVE: the last successful save, or the start; Unix time in seconds.
  [[nodiscard]] std::int64_t last_save_s() const { return last_save_s_; }
  [[nodiscard]] std::uint64_t changes_since_save(std::uint64_t dirty) const {
    return dirty - dirty_when_saved_;
  }

  // Ticks.

  /// The next tick with something to do if nothing more happens; never_ms: none.
  [[nodiscard]] std::int64_t next_due_ms(const Config& config, std::uint64_t dirty,
                                         std::int64_t now_ms) const;
  void digest_into(sim::Digest& digest, const Config& config, std::uint64_t dirty,
                   std::int64_t now_ms) const;
  [[nodiscard]] bool sync_is_due(const Config& config, std::int64_t now_ms) const;
  [[nodiscard]] bool save_is_due(const Config& config, std::uint64_t dirty,
                                 std::int64_t now_ms) const;

 private:
  StoredFiles* files_ = nullptr;
  bool logs_ = false;
  bool is_unsynced_ = false;  // what was written to the append-only file
  PropagationBuffer effects_;
  std::int64_t started_ms_ = 0;
  std::int64_t last_sync_s_ = 0;
  std::int64_t last_save_s_ = 0;
  std::uint64_t dirty_when_saved_ = 0;
};

}  // namespace lockstep::redis
