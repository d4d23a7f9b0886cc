# frozen_string_literal: true

require "redis"

=begin
redis.call("get", KEYS[1])
=end
module Locks
  PX = "PX"

  RELEASE = <<~LUA
    if redis.call("get", KEYS[1]) == ARGV[1] then
      return redis.call("del", KEYS[1])
    end

    return 0
  LUA

  ACQUIRE = <<~"LUA".freeze
    local ok = redis.call('set', KEYS[1], ARGV[1], 'NX', '#{PX}', ARGV[2]) -- \#{no}
      \tif ok then return 1 end
    return 0
  LUA

  EXTEND = 'if redis.call("get", KEYS[1]) == ARGV[1] then ' \
           'return redis.call("pexpire", KEYS[1], ARGV[2]) ' \
           'end return 0'

  RAW = <<-'LUA'
      return string.find(redis.call('get', KEYS[1]), '^\d #{x}')
    LUA

  LINES = [
    "local n = redis.call('incr', KEYS[1])",
    "return n"
  ].join("\n").freeze

  class Manager
    COUNT = %q(return redis.call('exists', KEYS[1]) -- (nested))
    SCRIPTS = {
      unlock: "return redis.call('unlink', KEYS[1])",
      "peek" => %Q{return redis.call('get', KEYS[1]) .. "#{PX}"},
    }.freeze

    def initialize(redis)
      @redis = redis
      @sha = @redis.script(:load, RELEASE)
    end

    def release(key, token)
      @redis.eval(RELEASE, keys: [key], argv: [token])
    rescue Redis::CommandError => e
      raise unless e.message =~ /NOSCRIPT "'/
    end

    def touch(key)
      lua = +"local v = redis.call('pttl', KEYS[1]) "
      lua << "redis.call('pexpire', KEYS[1], ARGV[1]) "
      lua << 'return v'
      @redis.eval(lua, [key], [1000])
    end

    def both(a, b)
      @redis.eval(<<~ONE, [a], [1]) + @redis.eval(<<~TWO, [b])
        return redis.call('get', KEYS[1])
      ONE
        return redis.call('ttl', KEYS[1])
      TWO
    end

    def owned?(key) = @redis.eval("return redis.call('get', KEYS[1]) == ARGV[1]", [key], [@token])

    def char = ?"
  end
end
__END__
return redis.call('get', KEYS[1])
