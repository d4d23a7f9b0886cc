// Ours, in Redisson's style: what RFairLock's scripts do. A list has the waiters in order, a sorted
// set until when each of them is waited for.
package example.redisson;

public class Fair extends Base {

    private static final String REMOVE_STALE_WAITERS =
            "while true do " +
                "local head = redis.call('lindex', KEYS[2], 0);" +
                "if head == false then " +
                    "break;" +
                "end;" +
                "local until_ms = redis.call('zscore', KEYS[3], head);" +
                "if until_ms ~= false and tonumber(until_ms) <= tonumber(ARGV[4]) then " +
                    "redis.call('zrem', KEYS[3], head);" +
                    "redis.call('lpop', KEYS[2]);" +
                "else " +
                    "break;" +
                "end;" +
            "end;";

    RFuture<Boolean> tryLockOnceAsync(long leaseTime, long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_NULL_BOOLEAN,
                REMOVE_STALE_WAITERS +
                "if (redis.call('exists', KEYS[1]) == 0) " +
                    "and ((redis.call('exists', KEYS[2]) == 0) " +
                        "or (redis.call('lindex', KEYS[2], 0) == ARGV[2])) then " +
                    "redis.call('lpop', KEYS[2]);" +
                    "redis.call('zrem', KEYS[3], ARGV[2]);" +
                    "local others = redis.call('zrange', KEYS[3], 0, -1);" +
                    "for i = 1, #others, 1 do " +
                        "redis.call('zincrby', KEYS[3], -tonumber(ARGV[3]), others[i]);" +
                    "end;" +
                    "redis.call('hset', KEYS[1], ARGV[2], 1);" +
                    "redis.call('pexpire', KEYS[1], ARGV[1]);" +
                    "return nil;" +
                "end;" +
                "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1);" +
                    "redis.call('pexpire', KEYS[1], ARGV[1]);" +
                    "return nil;" +
                "end;" +
                "return 1;",
                List.of(getRawName(), threadsQueueName(), timeoutSetName()),
                leaseTime, getLockName(threadId), waitTime, now());
    }

    RFuture<Long> tryLockInnerAsync(long leaseTime, long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_LONG,
                REMOVE_STALE_WAITERS +
                "if (redis.call('exists', KEYS[1]) == 0) " +
                    "and ((redis.call('exists', KEYS[2]) == 0) " +
                        "or (redis.call('lindex', KEYS[2], 0) == ARGV[2])) then " +
                    "redis.call('lpop', KEYS[2]);" +
                    "redis.call('zrem', KEYS[3], ARGV[2]);" +
                    "local others = redis.call('zrange', KEYS[3], 0, -1);" +
                    "for i = 1, #others, 1 do " +
                        "redis.call('zincrby', KEYS[3], -tonumber(ARGV[3]), others[i]);" +
                    "end;" +
                    "redis.call('hset', KEYS[1], ARGV[2], 1);" +
                    "redis.call('pexpire', KEYS[1], ARGV[1]);" +
                    "return nil;" +
                "end;" +
                "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1);" +
                    "redis.call('pexpire', KEYS[1], ARGV[1]);" +
                    "return nil;" +
                "end;" +
                "local timeout = redis.call('zscore', KEYS[3], ARGV[2]);" +
                "if timeout ~= false then " +
                    "local ttl = redis.call('pttl', KEYS[1]);" +
                    "return math.max(0, ttl);" +
                "end;" +
                "local tail = redis.call('lindex', KEYS[2], -1);" +
                "local ttl;" +
                "if tail ~= false and tail ~= ARGV[2] " +
                    "and redis.call('zscore', KEYS[3], tail) ~= false then " +
                    "ttl = tonumber(redis.call('zscore', KEYS[3], tail)) - tonumber(ARGV[4]);" +
                "else " +
                    "ttl = redis.call('pttl', KEYS[1]);" +
                "end;" +
                "local timeout = ttl + tonumber(ARGV[3]) + tonumber(ARGV[4]);" +
                "if redis.call('zadd', KEYS[3], timeout, ARGV[2]) == 1 then " +
                    "redis.call('rpush', KEYS[2], ARGV[2]);" +
                "end;" +
                "return ttl;",
                List.of(getRawName(), threadsQueueName(), timeoutSetName()),
                leaseTime, getLockName(threadId), waitTime, now());
    }

    CompletableFuture<Void> acquireFailedAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_VOID,
                "local queue = redis.call('lrange', KEYS[1], 0, -1);" +
                "local i = 1;" +
                "while i <= #queue and queue[i] ~= ARGV[1] do " +
                    "i = i + 1;" +
                "end;" +
                "i = i + 1;" +
                "while i <= #queue do " +
                    "redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), queue[i]);" +
                    "i = i + 1;" +
                "end;" +
                "redis.call('zrem', KEYS[2], ARGV[1]);" +
                "redis.call('lrem', KEYS[1], 0, ARGV[1]);",
                List.of(threadsQueueName(), timeoutSetName()), getLockName(threadId), waitTime);
    }

    RFuture<Boolean> unlockInnerAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local val = redis.call('get', KEYS[5]); " +
                "if val ~= false then " +
                    "return tonumber(val);" +
                "end; " +
                REMOVE_STALE_WAITERS +
                "if (redis.call('exists', KEYS[1]) == 0) then " +
                    "local next = redis.call('lindex', KEYS[2], 0); " +
                    "if next ~= false then " +
                        "redis.call(ARGV[5], KEYS[4] .. ':' .. next, ARGV[1]); " +
                    "end; " +
                    "redis.call('set', KEYS[5], 1, 'px', ARGV[6]); " +
                    "return 1; " +
                "end;" +
                "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then " +
                    "return nil;" +
                "end; " +
                "local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); " +
                "if (counter > 0) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[2]); " +
                    "redis.call('set', KEYS[5], 0, 'px', ARGV[6]); " +
                    "return 0; " +
                "end; " +
                "redis.call('del', KEYS[1]); " +
                "redis.call('set', KEYS[5], 1, 'px', ARGV[6]); " +
                "local next = redis.call('lindex', KEYS[2], 0); " +
                "if next ~= false then " +
                    "redis.call(ARGV[5], KEYS[4] .. ':' .. next, ARGV[1]); " +
                "end; " +
                "return 1; ",
                List.of(getRawName(), threadsQueueName(), timeoutSetName(), channel(), latch()),
                UNLOCK_MESSAGE, lease, getLockName(threadId), now(), publishCommand(), timeout);
    }

    RFuture<Boolean> forceUnlockAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                REMOVE_STALE_WAITERS +
                "if (redis.call('del', KEYS[1]) == 1) then " +
                    "local next = redis.call('lindex', KEYS[2], 0); " +
                    "if next ~= false then " +
                        "redis.call('publish', KEYS[4] .. ':' .. next, ARGV[1]); " +
                    "end; " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName(), threadsQueueName(), timeoutSetName(), channel()),
                UNLOCK_MESSAGE, 0, 0, now());
    }
}
