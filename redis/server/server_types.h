// The small types of a server's interface.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep::redis {

enum class SessionId : std::uint32_t {};
enum class Role : std::uint8_t { master, replica };

/// What a server loaded from its disk.
struct LoadedData {
  enum class From : std::uint8_t { nothing, snapshot, append_only };
  From from = From::nothing;
  std::uint64_t keys = 0;
  std::uint64_t expired_keys = 0;  ///< in the snapshot; a master skips them
};

enum class SaveAtShutdown : std::uint8_t {
  as_configured,  ///< a snapshot if there are save points
  yes,
  no,
};

/// Both ends of a connection as CLIENT LIST shows them.
struct PeerAddresses {
  std::string_view peer = "127.0.0.1:0";
  std::string_view local = "127.0.0.1:6379";
};

enum class ExecuteResult : std::uint8_t {
  replied,  ///< the reply is complete
  blocked,  ///< the reply comes through on_unblocked (WAIT, BLPOP)
  silent,   ///< there is no reply (CLIENT REPLY); nothing was written
};

}  // namespace lockstep::redis
