// Random commands on the connection and the server.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> server_templates() {
  static constexpr std::array<std::string_view, 6> templates{
      "SELECT $number", "TIME", "ECHO $text", "PING $text", "NOSUCH $key $text", "WAIT 0 0",
  };
  return templates;
}

}  // namespace lockstep::redis::test
