// Random commands on lists, and sessions that block on them.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> list_templates() {
  static constexpr std::array<std::string_view, 38> templates{
      "RPUSH $key $text",
      "LPUSH $key $text",
      "RPUSH $key 1 2 1 x 1 2",
      "LPUSH $key $text $field $text",
      "LPUSHX $key $text",
      "RPUSHX $key $text $text",
      "LPOP $key",
      "RPOP $key",
      "LPOP $key $count",
      "RPOP $key $count",
      "LLEN $key",
      "LINDEX $key $index",
      "LSET $key $index $text",
      "LINSERT $key BEFORE $field $text",
      "LINSERT $key after $field $text",
      "LINSERT $key $word 1 $text",
      "LRANGE $key 0 -1",
      "LRANGE $key $index $index",
      "LREM $key $index $field",
      "LREM $key $number 1",
      "LTRIM $key 1 -2",
      "LTRIM $key $index $index",
      "LPOS $key $field",
      "LPOS $key $field RANK $index",
      "LPOS $key 1 rank $number",
      "LPOS $key 1 RANK 2 COUNT 0",
      "LPOS $key 1 COUNT $count",
      "LPOS $key 1 rank $index count $count maxlen 3",
      "LPOS $key 1 MAXLEN $count",
      "LPOS $key 1 $word $count",
      "LMOVE $key $key LEFT RIGHT",
      "LMOVE $key $key $word $word",
      "RPOPLPUSH $key $key",
      "LMPOP 1 $key LEFT",
      "LMPOP 2 $key $key RIGHT COUNT $count",
      "lmpop $count $key $key left count 1",
      "LMPOP 1 $key LEFT COUNT 1 COUNT 1",
      "LMPOP 1 $key $word",
  };
  return templates;
}

std::span<const std::string_view> blocking_templates() {
  static constexpr std::array<std::string_view, 28> templates{
      "BLPOP $key 0.1",
      "BLPOP $key 0",
      "BRPOP $key $key 0.01",
      "BLPOP $key $key $key 0.001",
      "BLMOVE $key $key LEFT RIGHT 0.5",
      "BLMOVE $key $key right left 0.1",
      "BRPOPLPUSH $key $key 1",
      "BLMPOP 0.2 2 $key $key RIGHT COUNT $count",
      "BLMPOP 0.01 1 $key LEFT",
      "BLPOP $key $score",
      "BLMOVE $key $key LEFT $word 0.01",
      "BLMPOP $number 1 $key LEFT",
      "RPUSH $key $text",
      "RPUSH $key 1 2 3",
      "LPUSH $key $text $text",
      "LMOVE $key $key LEFT RIGHT",
      "MULTI",
      "EVAL redis.call('rpush',KEYS[2],1,2)redis.call('rpush',KEYS[1],3)return(1) 2 $key $key",
      "EVAL redis.call('lpush',KEYS[1],1)return(redis.call('lpop',KEYS[1])) 1 $key",
      "EVAL redis.call('lpush',KEYS[1],1)return(redis.call('nosuch')) 1 $key",
      "EVAL return(redis.call('blmpop',ARGV[1],2,KEYS[1],'x','RIGHT','COUNT',2)) 1 $key $number",
      "EVAL return(redis.call('blpop',KEYS[1],0)) 1 $key",
      "DEL $key",
      "RENAME $key $key",
      "COPY $key $key REPLACE",
      "MOVE $key 1",
      "SELECT 1",
      "SELECT 0",
  };
  return templates;
}

}  // namespace lockstep::redis::test
