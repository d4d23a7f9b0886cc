// What the library knows of the program's descriptors.
//
// Several descriptors can mean the same thing (dup): what belongs to the thing, not to the number,
// is its Description, as in the kernel. All that can block (connections, pipes, ...) are
// non-blocking for the kernel, always; whether the program has asked for O_NONBLOCK is kept here,
// and where it has not, the library lets its threads wait. Regular files and other devices are not
// tracked.
//
// sendfile and splice refuse what is tracked (EINVAL), as they do other things that they can't do,
// and recvmmsg does not exist for it (ENOSYS): programs then read and write.
//
// Not covered: preadv2 and pwritev2 on what is tracked, which may then give EAGAIN.
#pragma once

#include <sys/epoll.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "live/preload/kernel/trap.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

inline constexpr int descriptors_max = 1024;

/// An option that the program has set on a connection, to be told when it asks.
struct SocketOption {
  int level;
  int name;
  int value;
};

struct Description {
  enum class Kind : std::uint8_t {
    connection,  ///< a simulated network socket (connections.h)
    stream,      ///< an end of a pipe or of a pair of sockets, or another socket of this machine
    event,       ///< an eventfd
    timer,       ///< a timerfd (timers.h)
    epoll,
    random,   ///< /dev/urandom and its like
    netlink,  ///< a socket that tells of interfaces (interfaces.h)
    folder,   ///< the one of the network interfaces (proc_files.h)
    report,   ///< where the program says what it thinks of the lock (live/protocol.h)
  };
  enum class State : std::uint8_t { fresh, connecting, open, failed, reset, listening };

  Kind kind;
  int references;  ///< descriptors that mean this; 0: unused
  bool nonblocking;

  // Connections, datagram sockets among them, and netlink.
  int socket_type;  ///< SOCK_STREAM, SOCK_DGRAM
  State state;
  int number;         ///< as told to the simulator; from its connect on
  int local_port;     ///< 0: none yet
  int simulator_end;  ///< the pair's other end, until it is handed over; else -1
  int family;
  std::uint32_t address;
  int port;
  int pending_error;                ///< what SO_ERROR, or the next read or write, will say
  bool is_full;                     ///< the last write found no room
  std::int64_t receive_timeout_ns;  ///< 0: none
  std::int64_t send_timeout_ns;
  SocketOption options[8];
  int option_count;

  // Timers.
  bool on_wall_clock;
  Deadline due;
  std::int64_t every_ns;  ///< 0: once

  // What a fork server's child makes anew.
  int flags;             ///< eventfd2, epoll_create1, pipe2
  Description* partner;  ///< the other end of a pipe or pair, if it is open
  bool is_pipe;
  bool is_second;  ///< of the pair
};

/// Its pending error, which is then told.
inline int take_error(Description& description) {
  return std::exchange(description.pending_error, 0);
}

/// Null for what is not tracked.
Description* description_of(int descriptor);

/// Starts to track a new descriptor; the program is refused if there are too many.
Description& track(int descriptor, Description::Kind kind);

/// The kernel made `copy` mean the same as `original`, and closed what it was before.
void share(int original, int copy);

/// The kernel closes the descriptor, or is about to.
void forget(int descriptor);

/// Sets O_NONBLOCK for the kernel.
void set_nonblocking(int descriptor);

/// All descriptors of this description mean `made` from now on, which is closed. In the child of a
/// fork server, which must not share it with its siblings.
void replace(const Description& description, int made);

extern Description descriptions[descriptors_max];

/// Looked through for each message: only those below have ever been in use.
extern int descriptions_end;
extern int descriptors_end;

inline std::span<Description> used_descriptions() {
  return {descriptions, static_cast<std::size_t>(descriptions_end)};
}

/// The first description in use that satisfies the condition, or null.
template <class Condition>
Description* find_description(Condition condition) {
  for (Description& description : used_descriptions()) {
    if (description.references > 0 && condition(description)) return &description;
  }
  return nullptr;
}

/// Calls `visit(descriptor, description)` for each that is tracked, in order.
template <class Visit>
void for_each_descriptor(Visit visit) {
  for (int descriptor = 0; descriptor < descriptors_end; ++descriptor) {
    Description* const description = description_of(descriptor);
    if (description != nullptr) visit(descriptor, *description);
  }
}

/// close, dup, fcntl, ioctl, pipe, socketpair, eventfd.
TrapTable descriptor_traps();

}  // namespace lockstep::live::preload
