// Ours, in Redisson's style: what RLock's scripts do, old releases and new.
package example.redisson;

public class Reentrant extends Base {

    <T> RFuture<T> tryLockInnerAsync(long leaseTime, long threadId, RedisStrictCommand<T> command) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, command,
                "if ((redis.call('exists', KEYS[1]) == 0) " +
                        "or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "return redis.call('pttl', KEYS[1]);",
                List.of(getRawName()), leaseTime, getLockName(threadId));
    }

    <T> RFuture<T> tryLockOnceAsync(long leaseTime, long threadId, RedisStrictCommand<T> command) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, command,
                "if (redis.call('exists', KEYS[1]) == 0) then " +
                    "redis.call('hset', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "return redis.call('pttl', KEYS[1]);",
                List.of(getRawName()), leaseTime, getLockName(threadId));
    }

    RFuture<Boolean> unlockInnerAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then " +
                    "return nil;" +
                "end; " +
                "local holds = redis.call('hincrby', KEYS[1], ARGV[3], -1); " +
                "if (holds > 0) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[2]); " +
                    "return 0; " +
                "else " +
                    "redis.call('del', KEYS[1]); " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return nil;",
                List.of(getRawName(), channel()), UNLOCK_MESSAGE, lease, getLockName(threadId));
    }

    RFuture<Boolean> unlockLatchedAsync(long threadId, String requestId, int timeout) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local latch = redis.call('get', KEYS[3]); " +
                "if latch ~= false then " +
                    "return tonumber(latch);" +
                "end; " +
                "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then " +
                    "return nil;" +
                "end; " +
                "local holds = redis.call('hincrby', KEYS[1], ARGV[3], -1); " +
                "if (holds > 0) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[2]); " +
                    "redis.call('set', KEYS[3], 0, 'px', ARGV[5]); " +
                    "return 0; " +
                "else " +
                    "redis.call('del', KEYS[1]); " +
                    "redis.call(ARGV[4], KEYS[2], ARGV[1]); " +
                    "redis.call('set', KEYS[3], 1, 'px', ARGV[5]); " +
                    "return 1; " +
                "end; ",
                List.of(getRawName(), channel(), latch(requestId)), UNLOCK_MESSAGE, lease,
                getLockName(threadId), publishCommand(), timeout);
    }

    CompletionStage<Boolean> renewExpirationAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName()), lease, getLockName(threadId));
    }

    CompletionStage<List<Object>> renewTogetherAsync(List<String> names, List<Object> args) {
        return evalWriteAsync(names.get(0), LongCodec.INSTANCE, RedisCommands.EVAL_LIST,
                "local result = {} " +
                "for i = 1, #KEYS, 1 do " +
                    "if (redis.call('hexists', KEYS[i], ARGV[i + 1]) == 1) then " +
                        "redis.call('pexpire', KEYS[i], ARGV[1]); " +
                        "table.insert(result, 1); " +
                    "else " +
                        "table.insert(result, 0); " +
                    "end; " +
                "end; " +
                "return result;",
                names, args.toArray());
    }

    RFuture<Boolean> forceUnlockAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if (redis.call('del', KEYS[1]) == 1) then " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                    "return 1; " +
                "else " +
                    "return 0; " +
                "end",
                List.of(getRawName(), channel()), UNLOCK_MESSAGE);
    }
}
