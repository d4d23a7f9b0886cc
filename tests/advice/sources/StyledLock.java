package org.example;
public class StyledLock extends BaseLock {
    <T> RFuture<T> tryLockInnerAsync(long waitTime, long leaseTime, TimeUnit unit, long threadId, RedisStrictCommand<T> command) {
        return evalWriteSyncedNoRetryAsync(getRawName(), LongCodec.INSTANCE, command,
                "if ((redis.call('exists', KEYS[1]) == 0) " +
                            "or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then " +
                        "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                        "return nil; " +
                    "end; " +
                    "return redis.call('pttl', KEYS[1]);",
                Collections.singletonList(getRawName()), unit.toMillis(leaseTime), getLockName(threadId));
    }
    protected <T> RFuture<T> evalWriteSyncedAsync(String key, Codec codec, RedisCommand<T> evalCommandType, String script, List<Object> keys, Object... params) {
        return commandExecutor.syncedEval(timeout, key, codec, evalCommandType, script, keys, params);
    }
    protected RFuture<Boolean> passes(String key, Codec c, RedisCommand<T> t, String script) {
        return commandExecutor.evalWriteAsync(key, c, t, script, keys, params);
    }
    private static final RedisScript<Long> R = new DefaultRedisScript<>(UNLOCK, Long.class);
    private static final String UNLOCK = "if redis.call('get',KEYS[1]) == ARGV[1] then " + DEL_PART + " else return 0 end";
    private static final String DEL_PART = "return redis.call('del',KEYS[1])";
    static final String T2 = String.format("return redis.call('%s', KEYS[1], %d)", "pttl", 3);
    public boolean release() {
        StringBuilder sb = new StringBuilder();
        sb.append("local v = redis.call('get', KEYS[1]) ");
        sb.append("if v == ARGV[1] then ").append("return 1 end ");
        sb.append("return 0");
        return jedis.eval(sb.toString(), keys, args);
    }
    public Object missing() { return jedis.eval(Scripts.RELEASE, keys, args); }
    DefaultRedisScript<Long> x() { s.setScriptSource(new ResourceScriptSource(new ClassPathResource("lua/unlock.lua"))); s.setScriptText(Other.X); }
}
