// The page that a program reads its clocks from: memory that both sides see.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "live/protocol.h"
#include "model/program/program.h"
#include "sim/file_descriptor.h"

namespace lockstep::live {

class PageMemory {
 public:
  /// `host_name` is what the program's own host is called. Throws std::system_error.
  PageMemory(std::string_view host_name, std::span<const model::ProgramHost> hosts);
  PageMemory(const PageMemory&) = delete;
  PageMemory& operator=(const PageMemory&) = delete;
  ~PageMemory();

  [[nodiscard]] int descriptor() const { return file_.number(); }
  /// As the host's clocks read. The program's monotonic one is ahead of it, by a time of each
  /// host's own: that of a machine that has been up for a while. None reads 0, which Go refuses.
  void set_clocks(const model::ProgramClocks& clocks);
  /// A moment on the program's monotonic clock, on its host's.
  [[nodiscard]] std::int64_t on_host(std::int64_t monotonic_ns) const {
    return monotonic_ns - up_before_ns_;
  }
  /// For the process that starts next. `thread_order` 0: its threads run in turn.
  void set_seed(std::uint64_t seed, std::uint64_t thread_order);
  /// For a fork server: what it draws before its runs is this client's own, as if each client had
  /// been started by itself. So is its process id, which none of the runs has.
  void set_seed_before_runs(std::string_view client_name);

 private:
  std::int64_t up_before_ns_;
  sim::FileDescriptor file_;
  Page* page_ = nullptr;
};

}  // namespace lockstep::live
