// Ours, in Redisson's style: what RSemaphore's scripts do. The number of permits stays for good.
package example.redisson;

public class Semaphore extends Base {

    RFuture<Boolean> tryAcquireAsync0(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local value = redis.call('get', KEYS[1]); " +
                "if (value ~= false and tonumber(value) >= tonumber(ARGV[1])) then " +
                    "local val = redis.call('decrby', KEYS[1], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName()), permits);
    }

    RFuture<Void> releaseAsync(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_VOID,
                "local value = redis.call('incrby', KEYS[1], ARGV[1]); " +
                "redis.call(ARGV[2], KEYS[2], value); ",
                List.of(getRawName(), channel()), permits, publishCommand());
    }

    RFuture<Integer> drainPermitsAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_LONG,
                "local value = redis.call('get', KEYS[1]); " +
                "if (value == false) then " +
                    "return 0; " +
                "end; " +
                "redis.call('set', KEYS[1], 0); " +
                "return value;",
                List.of(getRawName()));
    }

    RFuture<Boolean> trySetPermitsAsync(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local value = redis.call('get', KEYS[1]); " +
                "if (value == false) then " +
                    "redis.call('set', KEYS[1], ARGV[1]); " +
                    "redis.call(ARGV[2], KEYS[2], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName(), channel()), permits, publishCommand());
    }

    RFuture<Boolean> trySetPermitsAsync(int permits, Duration timeToLive) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "local value = redis.call('get', KEYS[1]); " +
                "if (value == false) then " +
                    "redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[3]); " +
                    "redis.call(ARGV[2], KEYS[2], ARGV[1]); " +
                    "return 1; " +
                "end; " +
                "return 0;",
                List.of(getRawName(), channel()), permits, publishCommand(), timeToLive.toMillis());
    }

    RFuture<Void> addPermitsAsync(int permits) {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_VOID,
                "local value = redis.call('get', KEYS[1]); " +
                "if (value == false) then " +
                    "value = 0; " +
                "end; " +
                "redis.call('set', KEYS[1], tonumber(value) + tonumber(ARGV[1])); " +
                "if tonumber(ARGV[1]) > 0 then " +
                    "redis.call('publish', KEYS[2], ARGV[1]); " +
                "end; ",
                List.of(getRawName(), channel()), permits);
    }

    RFuture<Boolean> deleteAsync() {
        return evalWriteAsync(getRawName(), LongCodec.INSTANCE, RedisCommands.EVAL_BOOLEAN,
                "return redis.call('del', KEYS[1], KEYS[2]);",
                List.of(getRawName(), channel()));
    }
}
