// Ours, in Redisson's style: what RFencedLock's scripts do. The token's counter stays for good.
package example.redisson;

public class Fenced extends Base {

    RFuture<Long> tryLockInnerAsync(long leaseTime, long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_LONG,
                "if (redis.call('exists', KEYS[1]) == 0) then " +
                    "redis.call('hset', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "redis.call('incr', KEYS[2]); " +
                    "return nil; " +
                "end; " +
                "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "redis.call('incr', KEYS[2]); " +
                    "return nil; " +
                "end; " +
                "return redis.call('pttl', KEYS[1]);",
                List.of(getRawName(), tokenName()), leaseTime, getLockName(threadId));
    }

    RFuture<List<Long>> tryLockAndGetTokenInnerAsync(long leaseTime, long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_LIST,
                "if ((redis.call('exists', KEYS[1]) == 0) " +
                        "or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "local token = redis.call('incr', KEYS[2]); " +
                    "return {-1, token}; " +
                "end; " +
                "return {redis.call('pttl', KEYS[1]), -1};",
                List.of(getRawName(), tokenName()), leaseTime, getLockName(threadId));
    }

    RFuture<Boolean> writeFencedAsync(long token, String value) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local highest = redis.call('get', KEYS[1]); " +
                "if highest ~= false and tonumber(highest) > tonumber(ARGV[1]) then " +
                    "return 0; " +
                "end; " +
                "redis.call('set', KEYS[1], ARGV[1]); " +
                "redis.call('rpush', KEYS[2], ARGV[2]); " +
                "return 1;",
                List.of(highestName(), logName()), token, value);
    }
}
