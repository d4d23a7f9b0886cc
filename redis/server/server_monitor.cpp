// MONITOR: what clients and scripts ask of the server, as lines for those who listen.
#include <algorithm>
#include <string>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

/// A word in quotes, as Redis writes it for people.
void append_quoted(std::string& line, std::string_view word) {
  constexpr std::string_view digits = "0123456789abcdef";
  line += '"';
  for (const char byte : word) {
    constexpr std::string_view special = "\\\"\n\r\t\a\b";
    constexpr std::string_view letters = "\\\"nrtab";
    const auto code = static_cast<unsigned char>(byte);
    if (const std::size_t at = special.find(byte); at != special.npos) {
      line += '\\';
      line += letters[at];
    } else if (code >= ' ' && code <= '~') {
      line += byte;
    } else {
      line.append("\\x").append(1, digits[code >> 4U]).append(1, digits[code & 15U]);
    }
  }
  line += '"';
}

/// Where a request came from: "127.0.0.1:50000", "unix:/run/redis.sock", or "lua".
std::string origin_text(const Session& session, Origin origin) {
  if (origin == Origin::script) return "lua";
  constexpr std::string_view no_port = ":0";
  const std::string& address = session.address;
  if (!address.starts_with('/') || !address.ends_with(no_port)) return address;
  return "unix:" + address.substr(0, address.size() - no_port.size());
}

}  // namespace

void Server::add_monitor(SessionId session) {
  if (std::find(monitors_.begin(), monitors_.end(), session) == monitors_.end()) {
    monitors_.push_back(session);
  }
}

void Server::remove_monitor(SessionId session) { std::erase(monitors_, session); }

/// Scripts are told of before what they do, all else after it.
Server::TellMonitors Server::when_monitored(const CommandSpec& spec) const {
  if (is_loading_ || spec.is(CommandFlag::admin)) return TellMonitors::never;
  return spec.is(CommandFlag::skip_monitor) ? TellMonitors::before : TellMonitors::after;
}

void Server::tell_monitors(const Session& session, Origin origin,
                           std::span<const std::string_view> words) {
  constexpr std::int64_t us_per_s = 1'000'000;
  constexpr std::size_t digits = 6;
  const std::string fraction = std::to_string(now_us_ % us_per_s);
  Reply line;
  line.kind = Reply::Kind::status;
  line.text = std::to_string(now_us_ / us_per_s) + '.';
  line.text.append(digits - fraction.size(), '0').append(fraction);
  line.text.append(" [").append(std::to_string(session.database)).append(1, ' ');
  line.text.append(origin_text(session, origin)).append(1, ']');
  for (const std::string_view word : words) {
    line.text += ' ';
    append_quoted(line.text, word);
  }
  for (const SessionId each : monitors_) listener_.on_push(each, line);
}

}  // namespace lockstep::redis
