// Random commands on sorted sets.
#include <array>

#include "tests/redis/comparison/command_families.h"

namespace lockstep::redis::test {

std::span<const std::string_view> sorted_set_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "ZADD $key $score $field",
      "ZADD $key 1 $field 2 $field",
      "ZADD $key 0 $field 0 $field 0 $field",
      "ZADD $key $score $field $score $field $score $field",
      "ZADD $key $score $field $score",
      "ZADD $key $condition $score $field",
      "ZADD $key $condition CH $score $field $score $field",
      "zadd $key $condition $condition $score $field",
      "ZADD $key INCR $score $field",
      "ZADD $key $condition incr $score $field",
      "ZADD $key INCR 1 $field 2 $field",
      "ZINCRBY $key $score $field",
      "zincrby $key $number $field",
      "ZREM $key $field",
      "ZREM $key $field $field",
      "ZCARD $key",
      "ZSCORE $key $field",
      "ZMSCORE $key $field $field",
      "ZRANK $key $field",
      "ZREVRANK $key $field",
      "ZCOUNT $key $bound $bound",
      "ZRANGE $key $index $index",
      "ZRANGE $key $index $index WITHSCORES",
      "ZRANGE $key $bound $bound BYSCORE",
      "ZRANGE $key $bound $bound BYSCORE WITHSCORES LIMIT $index $index",
      "ZRANGE $key $bound $bound BYSCORE REV LIMIT $index $index",
      "ZRANGE $key $index $index LIMIT 0 $index",
      "ZRANGE $key $index $index REV $word",
      "ZREVRANGE $key $index $index WITHSCORES",
      "ZRANGEBYSCORE $key $bound $bound",
      "ZRANGEBYSCORE $key -inf +inf WITHSCORES LIMIT $index $count",
      "zrangebyscore $key $bound $bound limit $index $index withscores",
      "ZREVRANGEBYSCORE $key $bound $bound WITHSCORES",
      "ZREVRANGEBYSCORE $key +inf -inf LIMIT $index $index",
      "ZRANGESTORE $key $key $index $index",
      "ZUNION 2 $key $key",
      "ZUNION 2 $key $key WITHSCORES",
      "ZUNION 3 $key $key $key WEIGHTS $score 2 $score AGGREGATE $aggregate WITHSCORES",
      "ZUNION $count $key $key $word",
      "ZINTER 2 $key $key WITHSCORES",
      "ZINTER 2 $key $key AGGREGATE $aggregate WEIGHTS $score $score WITHSCORES",
      "ZDIFF 2 $key $key WITHSCORES",
      "ZDIFF $count $key $key WEIGHTS 1 1",
      "ZINTERCARD 2 $key $key",
      "ZINTERCARD 2 $key $key LIMIT $count",
      "ZUNIONSTORE $key 2 $key $key",
      "ZUNIONSTORE $key 2 $key $key WEIGHTS $score $score",
      "zunionstore $key 2 $key $key aggregate $aggregate weights $score 1",
      "ZUNIONSTORE $key $count $key $key WITHSCORES",
      "ZINTERSTORE $key 2 $key $key",
      "ZINTERSTORE $key 2 $key $key WEIGHTS 1 $score AGGREGATE $aggregate",
      "ZINTERSTORE $key 1 $key WEIGHTS $score",
      "ZDIFFSTORE $key 2 $key $key",
      "ZDIFFSTORE $key 3 $key $key $key",
      "SADD $key $field $field",
      "ZRANGESTORE $key $key $bound $bound BYSCORE LIMIT $index $index",
      "ZRANGESTORE $key $key 0 -1 WITHSCORES",
      "ZREMRANGEBYRANK $key $index $index",
      "ZREMRANGEBYSCORE $key $bound $bound",
      "ZREMRANGEBYSCORE $key -inf $number",
      "ZPOPMIN $key",
      "ZPOPMAX $key",
      "ZPOPMIN $key $count",
      "ZPOPMAX $key $count",
      "ZMPOP 1 $key MIN",
      "ZMPOP 2 $key $key MAX COUNT $count",
      "ZMPOP $count $key $key max",
      "ZRANDMEMBER $key",
      "ZRANDMEMBER $key $count",
      "ZRANDMEMBER $key $count WITHSCORES",
      "ZRANDMEMBER $key -3 $word",
      "ZSCAN $key 0 COUNT 1000",
      "ZSCAN $key 0 COUNT 100 MATCH $glob",
      "ZSCAN $key x",
      "ZSCAN $key 0 COUNT 0",
      "ZSCAN $key 0 COUNT 1000 $word 100",
      "PEXPIRE $key $ms",
  });
  return templates;
}

// Of a big set with different scores these are unspecified: the makers of sequences leave them out.
std::span<const std::string_view> lexical_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "ZADD $key 0 $field 0 $field 0 $field",
      "ZADD $key 0 $field",
      "ZREM $key $field",
      "ZLEXCOUNT $key $lex $lex",
      "ZRANGE $key $lex $lex BYLEX",
      "ZRANGE $key $lex $lex BYLEX REV LIMIT $index $index",
      "ZRANGE $key $lex $lex BYLEX WITHSCORES",
      "ZRANGEBYLEX $key $lex $lex",
      "ZRANGEBYLEX $key - + LIMIT $index $count",
      "ZREVRANGEBYLEX $key $lex $lex LIMIT $index $index",
      "ZRANGESTORE $key $key $lex $lex BYLEX REV",
      "ZREMRANGEBYLEX $key $lex $lex",
  });
  return templates;
}

std::span<const std::string_view> blocking_sorted_set_templates() {
  static constexpr std::array templates = std::to_array<std::string_view>({
      "BZPOPMIN $key 0.1",
      "BZPOPMAX $key 0",
      "BZPOPMIN $key $key $key 0.01",
      "bzpopmax $key $key 0.001",
      "BZMPOP 0.2 2 $key $key MAX COUNT $count",
      "BZMPOP 0.01 1 $key MIN",
      "BZPOPMIN $key $score",
      "BZMPOP $number 1 $key MIN",
      "BZMPOP 0 $count $key $key min $word",
      "ZADD $key $score $field",
      "ZADD $key 1 $field 2 $field 0 $field",
      "ZADD $key XX 1 $field",
      "ZINCRBY $key 1 $field",
      "ZRANGESTORE $key $key 0 1",
      "RPUSH $key $text",
      "MULTI",
      "EVAL redis.call('zadd',KEYS[2],1,2)redis.call('zadd',KEYS[1],3,4)return(1) 2 $key $key",
      "EVAL redis.call('zadd',KEYS[1],1,1)return(redis.call('zpopmin',KEYS[1])) 1 $key",
      "EVAL return(redis.call('bzmpop',ARGV[1],2,KEYS[1],'x','MAX','COUNT',2)) 1 $key $number",
      "EVAL return(redis.call('bzpopmin',KEYS[1],0)) 1 $key",
      "DEL $key",
  });
  return templates;
}

}  // namespace lockstep::redis::test
