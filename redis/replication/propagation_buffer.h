// The effects of commands as RESP bytes, as a master sends them to its replicas.
//
// The effects of one top-level command are collected and sent together. Two or more are wrapped in
// MULTI and EXEC, so that a replica applies all or none. A change of database is announced by
// SELECT; the first effect's before MULTI in Redis 7.0, after it in later versions.
//
//   SET k v PX 100          →  *5 SET k v PXAT 1700000000100
//   a script with 2 writes  →  *1 MULTI  *4 hincrby L c 1  *3 PEXPIREAT L 1700000000100  *1 EXEC
//
// The memory is kept from command to command: warm, nothing is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::redis {

struct VersionTraits;

class PropagationBuffer {
 public:
  /// Starts over for a new top-level command.
  void begin() {
    used_ = 0;
    count_ = 0;
    select_bytes_ = 0;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// Adds one effect, executed in a database, by the command's words.
  void append(std::uint8_t database, std::span<const std::string_view> words);
  /// The bytes of all effects since begin(). REQUIRES: not empty. Valid until the next call.
  [[nodiscard]] std::string_view finish();
  /// Where the first effect's SELECT stands, and whether each effect is written as it comes
  /// (begin_frame).
  void set_framing(const VersionTraits& version);
  /// Redis 6.0: MULTI, in this database, unless it stands already.
  void begin_frame(std::uint8_t database);
  /// Redis 6.0: EXEC, in this database, where a MULTI stands.
  void end_frame(std::uint8_t database);
  /// The next effect begins with a SELECT, whichever database was used last: replicas must not rely
  /// on an earlier one.
  void forget_database() { database_ = no_database; }
  [[nodiscard]] std::uint8_t database() const { return database_; }

  static constexpr std::uint8_t no_database = 255;

 private:
  char* reserve(std::size_t bytes);
  void write(std::string_view text);
  void write(std::span<const std::string_view> words);
  void select(std::uint8_t database);

  // SELECT where the first effect needs one, MULTI, which a single effect leaves out, the effects.
  std::string bytes_;     // its size is the memory;
  std::size_t used_ = 0;  // so much of it is the stream
  std::size_t select_bytes_ = 0;
  std::size_t count_ = 0;
  std::uint8_t database_ = no_database;
  bool selects_inside_multi_ = false;
  bool frames_itself_ = true;
  bool has_frame_ = false;
};

}  // namespace lockstep::redis
