// Ours, in Redisson's style: what RSpinLock's scripts do. Nobody is told of a release.
package example.redisson;

public class Spin extends Base {

    <T> RFuture<T> tryLockInnerAsync(long leaseTime, long threadId, RedisStrictCommand<T> command) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, command,
                "if (redis.call('exists', KEYS[1]) == 0) then " +
                    "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
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
                "if (redis.call('hexists', KEYS[1], ARGV[2]) == 0) then " +
                    "return nil;" +
                "end; " +
                "local holds = redis.call('hincrby', KEYS[1], ARGV[2], -1); " +
                "if (holds > 0) then " +
                    "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                    "return 0; " +
                "else " +
                    "redis.call('del', KEYS[1]); " +
                    "return 1; " +
                "end; " +
                "return nil;",
                List.of(getRawName()), lease, getLockName(threadId));
    }

    RFuture<Boolean> forceUnlockAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if (redis.call('del', KEYS[1]) == 1) then return 1 else return 0 end",
                List.of(getRawName()));
    }
}
