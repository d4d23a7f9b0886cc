// Random commands on hashes whose fields expire, as Redis 8.0 and Valkey 9.1 have them.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> hash_expiry_templates() {
  static constexpr std::array<std::string_view, 42> templates{
      "HPEXPIRE $key $ms FIELDS 1 $field",
      "HPEXPIRE $key $ms FIELDS 2 $field $field",
      "HPEXPIRE $key $ms $condition FIELDS 1 $field",
      "HPEXPIRE $key 10 FIELDS 1 $field",
      "HPEXPIRE $key 500 FIELDS 3 $field $field $field",
      "HPEXPIRE $key 1000 FIELDS $count $field",
      "HPEXPIRE $key 1000 $word 1 $field",
      "HEXPIRE $key $s FIELDS 1 $field",
      "HPEXPIREAT $key $at FIELDS 1 $field",
      "HPEXPIREAT $key $at $condition FIELDS 2 $field $field",
      "HEXPIREAT $key $ats FIELDS 1 $field",
      "HTTL $key FIELDS 2 $field $field",
      "HPTTL $key FIELDS 2 $field $field",
      "HPTTL $key FIELDS $count $field",
      "HEXPIRETIME $key FIELDS 1 $field",
      "HPEXPIRETIME $key FIELDS 2 $field $field",
      "HPERSIST $key FIELDS 2 $field $field",
      "HPERSIST $key FIELDS $count $field",
      "HGETEX $key PX $ms FIELDS 1 $field",
      "HGETEX $key PERSIST FIELDS 2 $field $field",
      "HGETEX $key FIELDS 1 $field",
      "HSETEX $key PX $ms FIELDS 1 $field $text",
      "HSETEX $key FNX PX 500 FIELDS 2 $field $text $field $text",
      "HSETEX $key FXX KEEPTTL FIELDS 1 $field $text",
      "HSETEX $key FIELDS 1 $field $text",
      "HGETDEL $key FIELDS 2 $field $field",
      "HSET $key $field $text $field $text",
      "HSETNX $key $field $text",
      "HGET $key $field",
      "HMGET $key $field $field",
      "HDEL $key $field",
      "HEXISTS $key $field",
      "HINCRBY $key $field 3",
      "HINCRBYFLOAT $key $field 0.5",
      "HSTRLEN $key $field",
      "HLEN $key",
      "HGETALL $key",
      "HKEYS $key",
      "HSCAN $key 0 COUNT 10000",
      "COPY $key $key REPLACE",
      "RENAME $key $key",
      "EVAL return{redis.call('hget',KEYS[1],ARGV[1]),redis.call('hlen',KEYS[1])} 1 $key $field",
  };
  return templates;
}

}  // namespace lockstep::redis::test
