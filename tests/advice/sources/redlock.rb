module Locks
  module Scripts
    UNLOCK_SCRIPT = <<-eos
      if redis.call("get",KEYS[1]) == ARGV[1] then
        return redis.call("del",KEYS[1])
      end
    eos
    SQ = <<~LUA.strip
      if redis.call("get",KEYS[1]) then
        return "#{NAME}"
      end
    LUA
    NAME = 'n'
    Q = %q{return redis.call('get', KEYS[1]) -- {a}}
  end
  class Client
    def unlock(key)
      @redis.eval(Scripts::UNLOCK_SCRIPT, [key])
      r.call('EVAL', Q, 1, key)
      x = redis.eval "return redis.call('del', KEYS[1])", [key]
      @sha = redis.script(:load, <<~A)
        return redis.call('pttl', KEYS[1])
      A
      y = "local a = KEYS[1] " \
          "return a"
      redis.eval(OTHER, [key])
    end
  end
end
