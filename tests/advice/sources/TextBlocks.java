package example.locks;

class TextBlocks {
    static final String RELEASE = """
            -- Frees the lock.
            if redis.call("get", KEYS[1]) == ARGV[1] then
              return redis.call('del', KEYS[1])   
            end
            return redis.error_reply('not \\ yours')\
            """;

    String joined() {
        return String.join("\n",
                "local held = redis.call('get', KEYS[1])",
                "return held");
    }
}
