package example.locks;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

public final class Locks {
    private static final String OWNER = "ARGV[1]";
    static final String RELEASE = """
        if redis.call("get", KEYS[1]) == %s then
            return redis.call('del', KEYS[1])\s
        end
        return 0""".formatted(OWNER);
    private static final RedisScript<Long> EXTEND =
            RedisScript.of("if redis.call('get', KEYS[1]) == " + OWNER + " then "
                    + "return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0", Long.class);
    private static final DefaultRedisScript<Boolean> ACQUIRE;

    static {
        ACQUIRE = new DefaultRedisScript<>();
        ACQUIRE.setScriptText("return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])");
        ACQUIRE.setResultType(Boolean.class);
    }

    enum Lua {
        COUNT("return redis.call('hlen', KEYS[1])"),
        TOUCH("""
            local left = redis.call('pttl', KEYS[1])
            return left
            """);

        private final String body;
        Lua(String body) { this.body = body; }
    }

    interface Names { String PEEK = "return redis.call('get', " + "KEYS[" + 1 + "])"; }

    String lines() {
        return String.join("\n", List.of("local n = redis.call('incr', KEYS[1])", "return n"));
    }

    String streamed() {
        return Stream.of("local m = redis.call('decr', KEYS[1])", "return m").collect(Collectors.joining("\n"));
    }

    String built(boolean reset) {
        StringBuilder script = new StringBuilder("local v = redis.call('get', KEYS[1]) ");
        script.append("if v == false then return 0 end ").append('\n');
        script.append("return v");
        return (String) jedis.eval(script.toString(), 1, "k");
    }

    String shown(int limit) {
        final String lua =
                "local n = redis.call('incr', KEYS[1]) " +
                "if n > tonumber(ARGV[1]) then return 0 end " +
                "return n";
        return jedis.evalsha(jedis.scriptLoad(lua), 1, "k") + "not Lua: " + limit;
    }
}
