// Random commands around WAITAOF, as Redis 8.0 and Valkey have it. None waits for real time.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> disk_wait_templates() {
  static constexpr std::array<std::string_view, 13> templates{
      "WAITAOF 0 0 0",
      "WAITAOF 0 0 $ms",
      "WAITAOF 1 0 0",
      "WAITAOF $count 0 0",
      "WAITAOF 0 -1 0",
      "WAITAOF 0 $text 0",
      "WAITAOF 0 0 $text",
      "WAITAOF 0 0",
      "SET $key $text",
      "DEL $key",
      "EVAL return{redis.call('waitaof',0,3,0),redis.call('waitaof',1,0,0)} 0",
      "EVAL redis.call('set',KEYS[1],1)return(redis.call('waitaof',1,0,0)) 1 $key",
      "EVAL return(redis.call('waitaof',ARGV[1],ARGV[2],0)) 0 $count $count",
  };
  return templates;
}

}  // namespace lockstep::redis::test
