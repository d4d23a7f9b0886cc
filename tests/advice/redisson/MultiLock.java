// Ours, in Redisson's style: RMultiLock has no scripts but those of its locks; these are for
// several keys of one node.
package example.redisson;

public class MultiLock extends Base {

    RFuture<Boolean> tryLockAllAsync(List<Object> names, long leaseTime, long threadId) {
        return evalWriteAsync(names.get(0), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "for i, name in ipairs(KEYS) do " +
                    "if redis.call('exists', name) == 1 " +
                            "and redis.call('hexists', name, ARGV[2]) == 0 then " +
                        "return 0; " +
                    "end; " +
                "end; " +
                "for i, name in ipairs(KEYS) do " +
                    "redis.call('hincrby', name, ARGV[2], 1); " +
                    "redis.call('pexpire', name, ARGV[1]); " +
                "end; " +
                "return 1;",
                names, leaseTime, getLockName(threadId));
    }

    RFuture<Long> unlockAllAsync(List<Object> names, long threadId) {
        return evalWriteAsync(names.get(0), LongCodec.INSTANCE, RedisCommands.EVAL_LONG,
                "local released = 0; " +
                "for i = 1, #KEYS do " +
                    "if redis.call('hexists', KEYS[i], ARGV[1]) == 1 then " +
                        "if redis.call('hincrby', KEYS[i], ARGV[1], -1) == 0 then " +
                            "redis.call('del', KEYS[i]); " +
                            "redis.call('publish', ARGV[2] .. KEYS[i], 0); " +
                        "end; " +
                        "released = released + 1; " +
                    "end; " +
                "end; " +
                "return released;",
                names, getLockName(threadId), PREFIX);
    }

    RFuture<Long> extendAllAsync(List<Object> names, long leaseTime) {
        return evalWriteAsync(names.get(0), LongCodec.INSTANCE, RedisCommands.EVAL_LONG,
                "local extended = 0; " +
                "for _, name in ipairs(KEYS) do " +
                    "extended = extended + redis.call('pexpire', name, ARGV[1]); " +
                "end; " +
                "return extended;",
                names, leaseTime);
    }
}
