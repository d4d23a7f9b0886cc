// Ours, in Redisson's style: what RPermitExpirableSemaphore's scripts do. Each permit has a lease of
// its own: a score in a sorted set.
package example.redisson;

public class PermitExpirableSemaphore extends Base {

    /** Gives back the permits whose lease is over. */
    private static final String TAKE_BACK =
            "local over = redis.call('zrangebyscore', KEYS[2], '-inf', ARGV[1]); " +
            "if #over > 0 then " +
                "redis.call('zrem', KEYS[2], unpack(over)); " +
                "local free = redis.call('incrby', KEYS[1], #over); " +
                "redis.call(ARGV[2], KEYS[3], free); " +
            "end; ";

    RFuture<String> tryAcquireAsync(List<String> ids, long until) {
        return syncedEval(getRawName(), ByteArrayCodec.INSTANCE, RedisCommands.EVAL_STRING,
                TAKE_BACK +
                "local free = tonumber(redis.call('get', KEYS[1]) or 0); " +
                "if free < #ARGV - 3 then " +
                    "local next = redis.call('zrange', KEYS[2], 0, 0, 'WITHSCORES'); " +
                    "return next[2]; " +
                "end; " +
                "redis.call('decrby', KEYS[1], #ARGV - 3); " +
                "for i = 4, #ARGV do " +
                    "redis.call('zadd', KEYS[2], ARGV[3], ARGV[i]); " +
                "end; " +
                "local left = redis.call('pttl', KEYS[1]); " +
                "if left > 0 then redis.call('pexpire', KEYS[2], left); end; " +
                "return 'OK';",
                List.of(getRawName(), timeoutName(), channel()), parameters(now(), publishCommand(), until, ids));
    }

    RFuture<Boolean> tryReleaseAsync(String id) {
        return syncedEval(getRawName(), ByteArrayCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local until_ms = redis.call('zscore', KEYS[2], ARGV[3]); " +
                "if until_ms == false then return 0; end; " +
                "redis.call('zrem', KEYS[2], ARGV[3]); " +
                "redis.call(ARGV[2], KEYS[3], redis.call('incrby', KEYS[1], 1)); " +
                "return tonumber(until_ms) > tonumber(ARGV[1]) and 1 or 0;",
                List.of(getRawName(), timeoutName(), channel()), now(), publishCommand(), id);
    }

    RFuture<Long> tryReleaseAllAsync(List<String> ids) {
        return syncedEval(getRawName(), ByteArrayCodec.INSTANCE, RedisCommands.EVAL_LONG,
                "local count = redis.call('zrem', KEYS[2], unpack(ARGV, 2)); " +
                "if count > 0 then " +
                    "redis.call('publish', KEYS[3], redis.call('incrby', KEYS[1], count)); " +
                "end; " +
                "return count;",
                List.of(getRawName(), timeoutName(), channel()), parameters(now(), ids));
    }

    RFuture<Integer> availablePermitsAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_INTEGER,
                TAKE_BACK + "return redis.call('get', KEYS[1]) or 0;",
                List.of(getRawName(), timeoutName(), channel()), now(), publishCommand());
    }

    RFuture<Integer> acquiredPermitsAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_INTEGER,
                "return redis.call('zcount', KEYS[2], ARGV[1], '+inf');",
                List.of(getRawName(), timeoutName()), now());
    }

    RFuture<Void> setPermitsAsync(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_VOID,
                "local free = redis.call('get', KEYS[1]); " +
                "if free == false then " +
                    "redis.call('set', KEYS[1], ARGV[1]); " +
                "else " +
                    "local all = free + redis.call('zcard', KEYS[2]); " +
                    "if all == tonumber(ARGV[1]) then return; end; " +
                    "redis.call('incrby', KEYS[1], ARGV[1] - all); " +
                "end; " +
                "redis.call(ARGV[2], KEYS[3], ARGV[1]);",
                List.of(getRawName(), timeoutName(), channel()), permits, publishCommand());
    }

    RFuture<Boolean> trySetPermitsAsync(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local free = redis.call('get', KEYS[1]); " +
                "if free and free ~= '0' then return 0; end; " +
                "redis.call('set', KEYS[1], ARGV[1]); " +
                "redis.call(ARGV[2], KEYS[2], ARGV[1]); " +
                "return 1;",
                List.of(getRawName(), channel()), permits, publishCommand());
    }

    RFuture<Boolean> updateLeaseTimeAsync(String id, long until) {
        return evalWriteAsync(getRawName(), ByteArrayCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                TAKE_BACK +
                "if redis.call('zscore', KEYS[2], ARGV[3]) then " +
                    "redis.call('zadd', KEYS[2], ARGV[4], ARGV[3]); " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName(), timeoutName(), channel()), now(), publishCommand(), id, until);
    }
}
