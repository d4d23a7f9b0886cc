// The coroutines of one client, and whose turn it is.
//
// Nothing runs inside anything else: what becomes ready is put into a queue, and run_ready() takes
// one after the other, each only while the process runs. So a pause or a crash that strikes in the
// midst of one turn keeps the next from happening.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "model/client/runtime/errors.h"
#include "model/client/runtime/fiber.h"

namespace lockstep::model {

class ClientProcess;

/// Told how a coroutine's turn ended. May do anything except run another one.
class FiberListener {
 public:
  /// It asks for fiber.interaction.
  virtual void on_interaction(Fiber& fiber) = 0;
  /// It returned; its results lie on its stack.
  virtual void on_returned(Fiber& fiber) = 0;
  /// It raised; the error lies on top of its stack.
  virtual void on_raised(Fiber& fiber) = 0;
  /// A thread's turn to go on with its next step has come.
  virtual void on_next_step(std::uint32_t thread) = 0;

 protected:
  ~FiberListener() = default;
};

class FiberScheduler {
 public:
  /// `client` is what the functions of the client model reach. Does not own; all outlive this.
  FiberScheduler(ClientProcess& process, ClientComponents& client, FiberListener& listener)
      : process_(process), client_(client), listener_(listener) {}
  FiberScheduler(const FiberScheduler&) = delete;
  FiberScheduler& operator=(const FiberScheduler&) = delete;
  ~FiberScheduler();

  /// A coroutine that nobody uses, with an empty stack. May raise a Lua error ("not enough
  /// memory").
  Fiber& take();
  /// Returns it to the unused ones, whatever it was doing.
  void recycle(Fiber& fiber);
  /// Recycles all and cancels all turns: the process died, or a new run begins.
  void recycle_all();
  [[nodiscard]] Fiber& operator[](std::uint32_t index) { return *fibers_[index]; }
  [[nodiscard]] const Fiber& operator[](std::uint32_t index) const { return *fibers_[index]; }
  [[nodiscard]] std::size_t size() const { return fibers_.size(); }

  /// Its turn comes, with the function and arguments, or the results, that lie on its stack.
  void make_ready(Fiber& fiber, int results);
  /// The interaction went well: its results are the top `count` values of its stack.
  void succeed(Fiber& fiber, int count);
  /// The interaction raises an error.
  void fail(Fiber& fiber, std::string_view code, std::string_view message, CallEffect effect);
  /// A thread's next step has its turn.
  void make_step_ready(std::uint32_t thread);

  /// Gives turns until nobody is ready or the process does not run; what is left then comes when it
  /// resumes. Does nothing where it is running already.
  void run_ready();
  /// The cookie with which Host::run_or_defer comes back to run_ready.
  static constexpr std::uint64_t deferred_cookie = UINT64_MAX;
  void on_resumed();
  /// Grows whenever what the client's coroutines and variables hold may have changed.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// Whose turn it is; not what the coroutines are at.
  void digest_into(sim::Digest& digest) const;

 private:
  struct Turn {
    enum class Kind : std::uint8_t { fiber, step };
    Kind kind;
    std::uint32_t index;
  };

  void make_coroutine(Fiber& fiber);
  void resume(Fiber& fiber);

  ClientProcess& process_;
  ClientComponents& client_;
  FiberListener& listener_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<std::uint32_t> unused_;
  std::vector<Turn> turns_;
  std::size_t next_turn_ = 0;
  std::uint64_t changes_ = 1;
  sim::TimeNs instant_ns_ = 0;
  int turns_in_instant_ = 0;  ///< of all fibers
  bool is_running_ = false;
  bool is_deferred_ = false;
};

}  // namespace lockstep::model
