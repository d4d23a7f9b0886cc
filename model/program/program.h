// A real program as its simulated host drives it. live/ has the one with processes; the simulator
// itself knows no process, socket or signal.
//
// A program runs only within start() and go_on(), for as long as virtual time stands still, and
// says what it did meanwhile. Its connections carry bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenario {
struct ProgramSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// A connection as the program counts them, from 1 in each run.
enum class ProgramConnection : std::int32_t {};

/// What its host's clocks read.
struct ProgramClocks {
  std::int64_t monotonic_ns = 0;
  std::int64_t wall_ns = 0;  ///< since 1970
};

/// A host's name and where the program finds it.
struct ProgramHost {
  std::string name;
  std::uint32_t address = 0;  ///< IPv4
};

/// What the program did while it ran.
struct ProgramStep {
  enum class State : std::uint8_t {
    waits,   ///< until `deadline_ns`, or until something arrives
    ended,   ///< with `status`
    failed,  ///< it could not go on here, or did what can't work on virtual time: `why`
    stuck,   ///< it does not come to wait for anything: `why`
  };
  struct Connect {
    ProgramConnection connection;
    std::uint32_t address;
    std::int32_t port;
  };
  struct Sent {
    ProgramConnection connection;
    std::string bytes;
  };

  State state = State::waits;
  std::int64_t deadline_ns = 0;  ///< on the monotonic clock; INT64_MAX: never
  std::int64_t spun_ns = 0;      ///< how long it has been busy waiting
  std::string repeats;  ///< what it asks again and again, waiting for nothing; empty: nothing
  int status = 0;       ///< of exit; negative: minus the signal that ended it
  std::string why;
  std::vector<Connect> connects;
  std::vector<Sent> sent;  ///< at most one of each connection
  std::vector<ProgramConnection> closed;
  std::vector<std::string> reports;  ///< lines that it says of the lock, in order

  /// Keeps memory.
  void clear();
};

class Program {
 public:
  struct Start {
    std::uint64_t seed = 0;
    ProgramClocks clocks;
    std::uint64_t thread_order = 0;  ///< 0: its threads run in turn; else the seed of another order
  };

  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  /// Ends the one that runs, and starts another. It comes to its first wait in go_on().
  virtual void start(const Start& start) = 0;
  /// Lets it run until all of its threads wait, or it ends, and says what it did. REQUIRES: it was
  /// started and has not ended.
  virtual void go_on(const ProgramClocks& clocks, ProgramStep& step) = 0;
  /// Ends it, if it runs, at once and unasked.
  virtual void kill() = 0;

  // What it meets when it goes on. Of a connection that it has closed, nothing.
  virtual void opened(ProgramConnection connection) = 0;
  virtual void refused(ProgramConnection connection) = 0;
  virtual void deliver(ProgramConnection connection, std::string_view bytes) = 0;
  virtual void closed(ProgramConnection connection) = 0;
  /// An open one broke: its next read or write fails.
  virtual void reset(ProgramConnection connection) = 0;

  /// The last lines that it wrote to its output in this run.
  [[nodiscard]] virtual std::string last_output() const = 0;
};

class ProgramLauncher {
 public:
  virtual ~ProgramLauncher() = default;
  /// Nothing is started yet. `hosts` are those that it can name; `name` is its client's; `wall_ns`
  /// is what its host's wall clock reads as a run begins. Throws InputError where such a program
  /// can't be started here.
  [[nodiscard]] virtual std::unique_ptr<Program> prepare(const scenario::ProgramSpec& program,
                                                         std::string_view name,
                                                         std::span<const ProgramHost> hosts,
                                                         std::int64_t wall_ns) = 0;
  /// What may make programs differ between two runs of a seed here, and the remedies, in words.
  [[nodiscard]] virtual std::string likely_sources_of_differences() const = 0;
};

}  // namespace lockstep::model
