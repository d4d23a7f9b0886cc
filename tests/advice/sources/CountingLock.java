// Ours, in the style of a library whose scripts are concatenated literals.
package example.locks;

import java.util.Collections;
import java.util.List;

public class CountingLock extends BaseLock {

    private static final String EXTEND =
            "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then " +
            "redis.call('pexpire', KEYS[1], ARGV[1]); return 1 end; return 0;";

    private final char quote = '"'; // a character, and "no string" in a comment

    <T> Future<T> tryAcquireAsync(long waitTime, long leaseTime, Command<T> command) {
        log.debug("asks for {}", getName());
        return execute(getName(), command,
                "if ((redis.call('exists', KEYS[1]) == 0) " + // free
                            "or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then " +
                        "redis.call('hincrby', KEYS[1], ARGV[2], 1); " +
                        /* the lease */ "redis.call('pexpire', KEYS[1], ARGV[1]); " +
                        "return nil; " +
                    "end; " +
                    "return redis.call('pttl', KEYS[1]);",
                Collections.singletonList(getName()), leaseTime, ownerOf(Thread.currentThread()));
    }

    @Override
    protected Future<Boolean> releaseAsync(String owner) throws LockException, IllegalStateException {
        if (owner == null) {
            throw new IllegalArgumentException("owner \"none\"");
        }
        return execute(getName(), Commands.BOOLEAN,
                "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil;end; "
              + "if (redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0) then "
              + "redis.call('pexpire', KEYS[1], ARGV[2]); return 0; "
              + "else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], \"" + FREED + "\"); "
              + "return 1; end; return nil;",
                List.of(getName(), channel()), FREED, lease, owner);
    }

    Future<Long> lockAll(Codec codec) {
        Runnable first = () -> {
            run("return redis.call('exists', KEYS[1])");
        };
        return new Task<Long>() {
            @Override
            public Future<Long> start() {
                return run(codec, ("local n = 0\n" + "for i = 1, #KEYS do\n"
                        + "\tn = n + redis.call('exists', KEYS[i])\n" + "end\n") + "return n\n");
            }
        }.start();
    }
}
