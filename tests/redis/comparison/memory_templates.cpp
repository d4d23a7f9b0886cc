// Random commands at a limit that no data fits: what the real server refuses then.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> memory_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "CONFIG SET maxmemory 1",
      "CONFIG SET maxmemory 1",
      "CONFIG SET maxmemory 0",
      "SET $key $text",
      "GET $key",
      "DEL $key",
      "HSET $key $field $text",
      "HDEL $key $field",
      "SADD $key $field",
      "SMOVE $key $key $field",
      "SPOP $key 0",
      "ZADD $key $score $field",
      "ZPOPMIN $key",
      "ZREM $key $field",
      "RPUSH $key $text",
      "LPOP $key",
      "INCR $key",
      "SUNIONSTORE $key $key $key",
      "EXPIRE $key $s",
      "PEXPIRE $key $ms",
      "PERSIST $key",
      "PUBLISH news $text",
      "APPEND $key $text",
      "SCRIPT LOAD $script",
      "MULTI",
      "EXEC",
      "DISCARD",
      "WATCH $key",
      "UNWATCH",
      "PING",
      "SET $key",
      "NOSUCH $key",
      "EVAL $script 2 $key $key $number $field",
      "EVAL_RO $script 2 $key $key $number $field",
      "EVAL return(redis.call('get',KEYS[1])) 1 $key",
      "EVAL redis.call('del','none')return(redis.call('set',KEYS[1],1)) 1 $key",
      "EVAL redis.call('get',KEYS[1])redis.call('sadd',KEYS[1],1)return(1) 1 $key",
      "EVAL return(redis.pcall('set',KEYS[1],1)) 1 $key",
      "EVAL local(r)=redis.pcall('set',KEYS[1],1)redis.call('del',KEYS[1])return{r,2} 1 $key",
      "EVAL #!lua\nreturn(redis.call('get',KEYS[1])) 1 $key",
      "EVAL #!lua\tflags=allow-oom\nreturn(redis.call('set',KEYS[1],1)) 1 $key",
      "FLUSHALL",
  });
  return templates;
}

}  // namespace lockstep::redis::test
