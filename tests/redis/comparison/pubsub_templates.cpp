// Random pub/sub.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> pubsub_templates() {
  static constexpr std::array<std::string_view, 27> templates{
      "PUBLISH $channel $text",
      "SUBSCRIBE $channel",
      "PUBLISH $channel $text",
      "SUBSCRIBE $channel $channel $channel",
      "PSUBSCRIBE $pattern",
      "UNSUBSCRIBE $channel",
      "UNSUBSCRIBE $channel $channel",
      "PUNSUBSCRIBE $pattern",
      "PING",
      "PING $text",
      "GET $key",
      "NOSUCH",
      "PUBSUB NUMSUB $channel $channel",
      "PUBSUB CHANNELS",
      "PUBSUB CHANNELS $glob",
      "PUBSUB NUMPAT",
      "PUBSUB FOO",
      "MULTI",
      "SSUBSCRIBE $channel",
      "SSUBSCRIBE $channel $channel",
      "SUNSUBSCRIBE $channel",
      "SUNSUBSCRIBE",
      "SPUBLISH $channel $text",
      "SPUBLISH $channel $text",
      "PUBSUB SHARDCHANNELS $glob",
      "PUBSUB SHARDNUMSUB $channel $channel",
      "PUBSUB HELP",
  };
  return templates;
}

}  // namespace lockstep::redis::test
