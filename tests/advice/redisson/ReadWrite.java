// Ours, in Redisson's style: what RReadWriteLock's scripts do. Each hold of a reader has a key with
// a lease of its own beside the hash.
package example.redisson;

public class ReadWrite extends Base {

    <T> RFuture<T> tryReadLockInnerAsync(long leaseTime, long threadId, RedisStrictCommand<T> command) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, command,
                "local mode = redis.call('hget', KEYS[1], 'mode'); " +
                "if (mode == false) then " +
                    "redis.call('hset', KEYS[1], 'mode', 'read'); " +
                    "redis.call('hset', KEYS[1], ARGV[2], 1); " +
                    "redis.call('set', KEYS[2] .. ':1', 1); " +
                    "redis.call('pexpire', KEYS[2] .. ':1', ARGV[1]); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "if (mode == 'read') or (mode == 'write' and redis.call('hexists', KEYS[1], ARGV[3]) == 1) then " +
                    "local hold = redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                    "local key = KEYS[2] .. ':' .. hold;" +
                    "redis.call('set', key, 1); " +
                    "redis.call('pexpire', key, ARGV[1]); " +
                    "local left = redis.call('pttl', KEYS[1]); " +
                    "redis.call('pexpire', KEYS[1], math.max(left, ARGV[1])); " +
                    "return nil; " +
                "end;" +
                "return redis.call('pttl', KEYS[1]);",
                List.of(getRawName(), timeoutPrefix(threadId)), leaseTime, getLockName(threadId), writeName());
    }

    RFuture<Boolean> unlockReadInnerAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local mode = redis.call('hget', KEYS[1], 'mode'); " +
                "if (mode == false) then " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "local mine = redis.call('hexists', KEYS[1], ARGV[2]); " +
                "if (mine == 0) then " +
                    "return nil;" +
                "end; " +
                "local counter = redis.call('hincrby', KEYS[1], ARGV[2], -1); " +
                "if (counter == 0) then " +
                    "redis.call('hdel', KEYS[1], ARGV[2]); " +
                "end;" +
                "redis.call('del', KEYS[3] .. ':' .. (counter+1)); " +
                "if (redis.call('hlen', KEYS[1]) > 1) then " +
                    "local longest = -3; " +
                    "local keys = redis.call('hkeys', KEYS[1]); " +
                    "for n, key in ipairs(keys) do " +
                        "counter = tonumber(redis.call('hget', KEYS[1], key)); " +
                        "if type(counter) == 'number' then " +
                            "for i=counter, 1, -1 do " +
                                "local left = redis.call('pttl', KEYS[4] .. ':' .. key .. ':hold:' .. i); " +
                                "longest = math.max(left, longest);" +
                            "end; " +
                        "end; " +
                    "end; " +
                    "if longest > 0 then " +
                        "redis.call('pexpire', KEYS[1], longest); " +
                        "return 0; " +
                    "end;" +
                    "if mode == 'write' then " +
                        "return 0;" +
                    "end; " +
                "end; " +
                "redis.call('del', KEYS[1]); " +
                "redis.call('publish', KEYS[2], ARGV[1]); " +
                "return 1; ",
                List.of(getRawName(), channel(), timeoutPrefix(threadId), keyPrefix()),
                UNLOCK_MESSAGE, getLockName(threadId));
    }

    CompletionStage<Boolean> renewReadExpirationAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local counter = redis.call('hget', KEYS[1], ARGV[2]); " +
                "if (counter ~= false) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "if (redis.call('hlen', KEYS[1]) > 1) then " +
                        "local keys = redis.call('hkeys', KEYS[1]); " +
                        "for n, key in ipairs(keys) do " +
                            "counter = tonumber(redis.call('hget', KEYS[1], key)); " +
                            "if type(counter) == 'number' then " +
                                "for i=counter, 1, -1 do " +
                                    "redis.call('pexpire', KEYS[2] .. ':' .. key .. ':hold:' .. i, ARGV[1]); " +
                                "end; " +
                            "end; " +
                        "end; " +
                    "end; " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName(), keyPrefix()), lease, getLockName(threadId));
    }

    <T> RFuture<T> tryWriteLockInnerAsync(long leaseTime, long threadId, RedisStrictCommand<T> command) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, command,
                "local mode = redis.call('hget', KEYS[1], 'mode'); " +
                "if (mode == false) then " +
                    "redis.call('hset', KEYS[1], 'mode', 'write'); " +
                    "redis.call('hset', KEYS[1], ARGV[2], 1); " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return nil; " +
                "end; " +
                "if (mode == 'write') then " +
                    "if (redis.call('hexists', KEYS[1], ARGV[2]) == 1) then " +
                        "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                        "local left = redis.call('pttl', KEYS[1]); " +
                        "redis.call('pexpire', KEYS[1], left + ARGV[1]); " +
                        "return nil; " +
                    "end; " +
                "end;" +
                "return redis.call('pttl', KEYS[1]);",
                List.of(getRawName()), leaseTime, writeName(threadId));
    }

    RFuture<Boolean> unlockWriteInnerAsync(long threadId) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local mode = redis.call('hget', KEYS[1], 'mode'); " +
                "if (mode == false) then " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                    "return nil; " +
                "end;" +
                "if (mode == 'write') then " +
                    "local mine = redis.call('hexists', KEYS[1], ARGV[3]); " +
                    "if (mine == 0) then " +
                        "return nil;" +
                    "else " +
                        "local counter = redis.call('hincrby', KEYS[1], ARGV[3], -1); " +
                        "if (counter > 0) then " +
                            "redis.call('pexpire', KEYS[1], ARGV[2]); " +
                            "return 0; " +
                        "else " +
                            "redis.call('hdel', KEYS[1], ARGV[3]); " +
                            "if (redis.call('hlen', KEYS[1]) == 1) then " +
                                "redis.call('del', KEYS[1]); " +
                                "redis.call('publish', KEYS[2], ARGV[1]); " +
                            "else " +
                                "redis.call('hset', KEYS[1], 'mode', 'read'); " +
                            "end; " +
                            "return 1; " +
                        "end; " +
                    "end; " +
                "end; " +
                "return nil;",
                List.of(getRawName(), channel()), UNLOCK_MESSAGE, lease, writeName(threadId));
    }

    RFuture<Boolean> forceUnlockReadAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if (redis.call('hget', KEYS[1], 'mode') == 'read') then " +
                    "redis.call('del', KEYS[1]); " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return 0; ",
                List.of(getRawName(), channel()), UNLOCK_MESSAGE);
    }
}
