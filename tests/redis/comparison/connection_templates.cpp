// Random commands on the connection itself: its protocol above all, so that commands of all
// families are compared in RESP2 and RESP3.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> connection_templates() {
  static constexpr std::array<std::string_view, 23> templates{
      "HELLO 3",
      "HELLO 3",
      "HELLO 3",
      "HELLO",
      "HELLO 2",
      "HELLO $number",
      "HELLO 3 SETNAME $field",
      "HELLO 3 AUTH default $text",
      "HELLO 2 AUTH $text $text",
      "HELLO 3 $option $text",
      "RESET",
      "AUTH $text",
      "AUTH default $text",
      "AUTH $text $text",
      "AUTH $text $text $text",
      "CLIENT SETNAME $text",
      "CLIENT GETNAME",
      "CLIENT ID",
      "CLIENT FOO",
      "CONFIG GET maxmemory",
      "CONFIG SET $field $text",
      "CONFIG RESETSTAT",
      "CONFIG REWRITE",
  };
  return templates;
}

std::span<const std::string_view> silence_templates() {
  static constexpr std::array<std::string_view, 9> templates{
      "CLIENT REPLY ON",
      "CLIENT REPLY SKIP",
      "CLIENT REPLY OFF",
      "CLIENT REPLY $option",
      "RESET",
      "HELLO 3",
      "SUBSCRIBE $channel",
      "PING",
      "PUBLISH $channel $text",
  };
  return templates;
}

}  // namespace lockstep::redis::test
