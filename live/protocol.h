// What the simulator and the library in a client's process (live/preload) say to each other.
//
// A *program* is a real client. The library is loaded into it with LD_PRELOAD and takes over its
// clocks, sockets, threads and random numbers. The program runs only between a `resume` from the
// simulator and its next `idle`; meanwhile the simulator waits and virtual time stands still.
//
// Three descriptors are inherited: the control socket (SEQPACKET, one Packet each), the page (a
// memory file that the simulator writes before each resume) and the report, a stream on which the
// program says what it thinks of the lock, line by line (docs/real-clients.md). A write to the
// report is followed by an `idle`, so that the simulator hears of it before the program goes on.
//
// A simulated connection is one end of a stream socket pair. The library hands its other end to the
// simulator with `connect`. What the program writes there arrives at the simulator, and the other
// way round; closing is seen as the end of the stream.
//
// Both sides are built together, so that the layout needs no version.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::live {

inline constexpr int control_fd = 240;
inline constexpr int page_fd = 241;
inline constexpr int report_fd = 242;
/// The environment variable that turns the library on: "process" or "fork".
inline constexpr const char* mode_variable = "LOCKSTEP_LIVE";
/// The environment variable that tells the program which descriptor its report is.
inline constexpr const char* report_variable = "LOCKSTEP_REPORT";
/// A deadline that never comes.
inline constexpr std::int64_t never = INT64_MAX;

/// Which host names there are. The rest of the page, up to page_bytes, is `names`: for each host
/// its name, a zero byte and the four bytes of its IPv4 address, the first one first. The first
/// host is the program's own.
struct Page {
  std::int64_t monotonic_ns;  ///< the host's monotonic clock
  std::int64_t wall_ns;       ///< the host's wall clock, since 1970
  std::uint64_t seed;         ///< of all random numbers of this run
  std::int32_t pid;           ///< the process id that the program sees; > 1
  std::uint32_t name_count;   ///< in `names`
  std::uint64_t turns;        ///< 0: threads run in turn; else the seed of another order
  char names[1];
};
inline constexpr std::size_t page_bytes = 65536;

struct Packet {
  enum class Kind : std::int32_t {
    // From the program.
    ready = 1,  ///< a fork server is about to connect or report, and waits for `spawn`
    loaded,     ///< a program that is to fork has opened a file to read it: the descriptor
    connect,    ///< with the simulator's end of connection `connection`: to `address`, `port`
    idle,       ///< nothing can run before `deadline_ns`, or before something arrives
    exiting,    ///< the process ends with `status`; the end of the control socket follows
    refused,    ///< the program did what cannot work here: `text`; it ends
    // From the simulator.
    resume,  ///< go on; `results` of connects and resets since the last one
    spawn,   ///< to a fork server: run, with control, page, report and output as descriptors
  };
  enum class Result : std::int32_t {
    opened,     ///< the connect has succeeded
    refused,    ///< ECONNREFUSED
    timed_out,  ///< ETIMEDOUT
    reset,      ///< an open connection: the next read or write fails with ECONNRESET
  };
  struct ConnectionResult {
    std::int32_t connection;
    Result result;
  };
  static constexpr std::size_t results_max = 32;

  Kind kind;
  std::int32_t connection;  ///< counts up from 1 in each process
  std::uint32_t address;    ///< IPv4 in host byte order; ::1 counts as 127.0.0.1
  std::int32_t port;
  /// connect: bytes that fill the program's send buffer, so that it sees the socket as not yet
  /// writable. The simulator reads and forgets them before it says `opened`.
  std::int32_t filler_bytes;
  std::int32_t status;       ///< exiting: the exit status; < 0: minus the signal that ended it
  std::int64_t deadline_ns;  ///< idle: on the monotonic clock, `never`, or a time already past
  /// idle: how long the program has been busy waiting, which the simulator lets pass (≥ 0).
  /// ready: how much time has passed in the fork server.
  std::int64_t spun_ns;
  /// idle: the number of the system call that a thread repeats while it waits for nothing; 0: none.
  std::int32_t repeated_call;
  /// idle: 1 if a connection is full on which the program wanted to write. Once the simulator has
  /// read from it, the program is to be resumed.
  std::int32_t wants_to_write;
  std::int32_t process;       ///< idle: its id, as the kernel knows it
  std::int32_t result_count;  ///< resume
  ConnectionResult results[results_max];
  char text[160];  ///< refused: zero-terminated
};

}  // namespace lockstep::live
