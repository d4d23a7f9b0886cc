const A: &str = indoc! {r#"
    local a = redis.call('get', KEYS[1])
      return a
"#};
const B: &str = indoc!("
    local b = redis.call('get', KEYS[1])
    return b
");
const C: &str = "local c = redis.call('get', KEYS[1])\n\
                 return c";
const D: &str = "\
local d = redis.call('get', KEYS[1])
return d";
fn e() -> String { let mut s = String::new(); s += "local e = redis.call('get', KEYS[1]) "; s += "return e"; s }
fn f() -> String { vec!["local f = redis.call('get', KEYS[1])", "return f"].join("\n") }
fn g() -> String { ["local g = redis.call('get', KEYS[1]) ", "return g"].concat() }
fn h() -> String { "local h = redis.call('get', KEYS[1]) ".to_string() + "return h" }
fn i(n: u32) -> String { format!("local i = redis.call('get', KEYS[{n}]) return i", n = 1) }
static J: &[u8] = b"return redis.call('get', KEYS[1])";
fn k() -> String { let mut s = String::new(); write!(s, "local k = redis.call('get', KEYS[1]) ").unwrap(); write!(&mut s, "return k").unwrap(); s }
fn l(verb: &str) { run(Script::new(&format!("local l = redis.call('{}', KEYS[1]) return l", verb))); }
fn m() { eval(&concat!("local m = redis.call('get', KEYS[1]) ", "return m")); }
