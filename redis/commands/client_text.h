// A connection as CLIENT LIST and CLIENT INFO show it.
//
// What depends on the memory and sockets of Redis's process (fd, buffers) has the values of an idle
// connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "redis/server/session.h"

namespace lockstep::redis {

/// What CLIENT KILL TYPE and CLIENT LIST TYPE tell apart.
enum class ClientType : std::uint8_t { normal, replica, pubsub, master };

[[nodiscard]] std::optional<ClientType> client_type_named(std::string_view name);
[[nodiscard]] ClientType client_type(const Session& session);

/// Appends a connection's line, with its end.
void append_client_line(const Session& session, std::int64_t now_ms, std::string& text);

}  // namespace lockstep::redis
