// A file on a host's disk: what a process wrote, and how much of it survives a power failure.
//
// A write goes to the operating system's memory: it survives the process that made it, but not a
// power failure. Synced data survive both. A power failure loses everything unsynced: the worst
// that a real disk may do. Replacing a file (write another, sync it, rename it)
// is atomic and durable.
// Not covered: torn and reordered writes, a disk that is full, fails, lies or takes time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::sim {

class DiskFile {
 public:
  void append(std::string_view bytes) { bytes_ += bytes; }
  void sync() { durable_ = bytes_.size(); }
  /// Takes another file's place.
  void replace_by(std::string_view bytes) {
    bytes_.assign(bytes);
    sync();
  }
  /// The contents that a process reads now.
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::size_t unsynced_bytes() const { return bytes_.size() - durable_; }
  /// The machine loses its power.
  void lose_unsynced() { bytes_.resize(durable_); }
  /// Empties the file. Keeps memory.
  void clear() {
    bytes_.clear();
    durable_ = 0;
  }

 private:
  std::string bytes_;
  std::size_t durable_ = 0;
};

}  // namespace lockstep::sim
