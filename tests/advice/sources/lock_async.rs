//! A lock, in the style of a crate. "redis.call('x')" here is no script.
use once_cell::sync::Lazy;
use redis::{aio::ConnectionManager, Script};

const OWNER: &str = "ARGV[1]";
const RELEASE: &str = r##"
if redis.call("get", KEYS[1]) == ARGV[1] then -- "#quoted"#
    return redis.call("del", KEYS[1])
end
return 0
"##;

static EXTEND: Lazy<Script> = Lazy::new(|| {
    Script::new(
        "if redis.call('get', KEYS[1]) == ARGV[1] then \
            return redis.call('pexpire', KEYS[1], ARGV[2]) \
         end \
         return 0",
    )
});

lazy_static! {
    static ref COUNT: Script = Script::new("return redis.call('hlen', KEYS[1])\n-- \u{48}\x49");
}

/* /* nested "comment */ redis.call('x') */
pub struct Lock<'a> {
    name: &'a str,
}

impl<'a, T: Clone> Locker<T> for Lock<'a> {
    const TOUCH: &'static str = concat!(
        "local v = redis.call('pttl', KEYS[1])\n",
        "return v", // twice
    );

    async fn release<'b>(&self, con: &'b mut ConnectionManager, quote: char) -> redis::RedisResult<bool> {
        let quote = if quote == '"' { '\'' } else { '\u{41}' };
        let script = Script::new(RELEASE);
        script.key(self.name).arg("x").invoke_async(con).await
    }

    fn acquire(&self) -> String {
        let px = "PX";
        format!(
            r#"local t = {{}} if redis.call("set", KEYS[1], {OWNER}, "NX", "{px}", {}) then return 1 end return t[1]"#,
            "ARGV[2]"
        )
    }

    fn lines(&self) -> String {
        ["local n = redis.call('incr', KEYS[1])", "return n"].join("\n")
    }

    fn pushed(&self) -> String {
        let mut lua = String::from("local a = redis.call('get', KEYS[1]) ");
        lua.push_str("return a");
        lua
    }

    fn command(&self) {
        redis::cmd("EVAL").arg("return redis.call('ttl', KEYS[1])").arg(1).arg(self.name);
    }
}
