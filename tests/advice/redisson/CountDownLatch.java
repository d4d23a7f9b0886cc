// Ours, in Redisson's style: what RCountDownLatch's scripts do. The count stays until it is zero.
package example.redisson;

public class CountDownLatch extends Base {

    RFuture<Void> countDownAsync() {
        return evalWriteNoRetryAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local count = redis.call('decr', KEYS[1]); " +
                "if count < 1 then " +
                    "redis.call('del', KEYS[1]); " +
                "end; " +
                "if count == 0 then " +
                    "redis.call(ARGV[2], KEYS[2], ARGV[1]); " +
                "end; ",
                List.of(getRawName(), channel()), ZERO_COUNT_MESSAGE, publishCommand());
    }

    RFuture<Boolean> trySetCountAsync(long count) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if redis.call('exists', KEYS[1]) == 1 then "
                    + "return 0; "
                + "end; "
                + "redis.call('set', KEYS[1], ARGV[2]); "
                + "redis.call(ARGV[3], KEYS[2], ARGV[1]); "
                + "return 1; ",
                List.of(getRawName(), channel()), NEW_COUNT_MESSAGE, count, publishCommand());
    }

    RFuture<Boolean> trySetCountOnceAsync(long count) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "if redis.call('setnx', KEYS[1], ARGV[2]) == 1 then "
                    + "redis.call('publish', KEYS[2], ARGV[1]); "
                    + "return 1; "
                + "end; "
                + "return 0;",
                List.of(getRawName(), channel()), NEW_COUNT_MESSAGE, count);
    }

    RFuture<Boolean> deleteAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local count = redis.call('del', KEYS[1]); "
                + "if count > 0 then "
                    + "redis.call(ARGV[2], KEYS[2], ARGV[1]); "
                + "end; "
                + "return count; ",
                List.of(getRawName(), channel()), NEW_COUNT_MESSAGE, publishCommand());
    }
}
