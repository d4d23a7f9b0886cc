const UNLOCK_SCRIPT: &str = r#"if redis.call("get",KEYS[1]) == ARGV[1] then
  return redis.call("del",KEYS[1])
end"#;
impl<'a> LockManager<'a> {
    pub fn release(&self, c: char) -> Result<bool, Error> {
        let script = redis::Script::new(UNLOCK_SCRIPT);
        let s2 = Script::new("return redis.call('get', KEYS[1]) \
             or \'x\'");
        let s3 = concat!("local a = redis.call('get', KEYS[1])\n", "return a");
        let s4 = Script::new(include_str!("lock.lua"));
        let s5 = format!("return redis.call('{}', KEYS[1]) -- {{}}", "get");
        Ok(true)
    }
}
