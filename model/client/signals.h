// Local semaphores by name within one client: how its threads and tasks wait for each other.
//
// Each starts without permits; a signal adds some, each permit lets one waiting fiber go on, the
// longest waiting first. Nothing here reaches the network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/runtime/fiber.h"

namespace lockstep::model {

class ClientProcess;
class FiberScheduler;

class Signals {
 public:
  /// Does not own; all outlive this.
  Signals(ClientProcess& process, FiberScheduler& fibers) : process_(process), fibers_(fibers) {}

  /// Carries out fiber.interaction: the fiber goes on with true for a permit, with false when the
  /// time is over.
  void wait(Fiber& fiber);
  void signal(std::string_view name, std::int64_t permits);
  void on_timeout(Fiber& fiber);

  /// A fiber that waits is taken back.
  void forget_waiter(const Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all() { semaphores_.clear(); }
  void digest_into(sim::Digest& digest) const;

 private:
  struct Semaphore {
    std::string name;
    std::int64_t permits = 0;
    std::vector<std::uint32_t> waiting;  ///< fibers, the longest waiting first
  };

  [[nodiscard]] Semaphore& find(std::string_view name);
  void answer(Fiber& fiber, bool yes);

  ClientProcess& process_;
  FiberScheduler& fibers_;
  std::vector<Semaphore> semaphores_;
};

}  // namespace lockstep::model
