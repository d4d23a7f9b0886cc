-- What redis.call gives after redis.setresp(3).
--%% before each
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
--%%
redis.setresp(3)
return {
  show(redis.pcall('hgetall', 'h')),
  show(redis.pcall('hgetall', 'no')),
  show(redis.pcall('smembers', 'c')),
  show(redis.pcall('smembers', 'no')),
  show(redis.pcall('sunion', 'c', 'no')),
  show(redis.pcall('sinter', 'c', 'c')),
  show(redis.pcall('sdiff', 'c', 'no')),
  show(redis.pcall('zscore', 'z', 'b')),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('zscore', 'z', 'no')),
  show(redis.pcall('zmscore', 'z', 'a', 'no', 'b')),
  show(redis.pcall('zadd', 'z', 'incr', '1', 'a')),
  show(redis.pcall('zincrby', 'z', '0.5', 'a')),
  show(redis.pcall('zrange', 'z', 0, -1, 'withscores')),
  show(redis.pcall('zrangebyscore', 'z', '-inf', 'inf', 'withscores')),
  show(redis.pcall('zpopmin', 'z')),
  show(redis.pcall('zpopmin', 'z', 2)),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('zpopmax', 'no')),
  show(redis.pcall('zmpop', 1, 'z', 'min')),
  show(redis.pcall('zmpop', 1, 'no', 'min')),
  show(redis.pcall('hrandfield', 'h', 2, 'withvalues')),
  show(redis.pcall('hmget', 'h', 'f', 'no')),
  show(redis.pcall('hget', 'h', 'no')),
  show(redis.pcall('get', 'no')),
  show(redis.pcall('mget', 's', 'no', 's')),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('lpop', 'no')),
  show(redis.pcall('lpop', 'l', 2)),
  show(redis.pcall('lmpop', 1, 'no', 'left')),
  show(redis.pcall('lpos', 'l', 'no')),
  show(redis.pcall('zrank', 'z', 'no')),
  show(redis.pcall('spop', 'c', 2)),
  show(redis.pcall('spop', 'no', 2)),
  show(redis.pcall('srandmember', 'no')),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('smismember', 'c', 'x', 'no')),
  show(redis.pcall('sismember', 'c', 'x')),
  show(redis.pcall('set', 's', 'y', 'xx', 'get')),
  show(redis.pcall('set', 's', 'y', 'nx')),
  show(redis.pcall('incrbyfloat', 'n', '1.5')),
  show(redis.pcall('hincrbyfloat', 'h', 'n', '1.5')),
  show(redis.pcall('config', 'get', 'maxmemory')),
  show(redis.pcall('object', 'encoding', 's')),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('object', 'encoding', 'no')),
  show(redis.pcall('type', 's')),
  show(redis.pcall('ping')),
  show(redis.pcall('lcs', 's', 's', 'idx')),
  show(redis.pcall('xx')),
  show(redis.pcall('zadd', 'z', 'nx', 'incr', '1', 'a')),
  show(redis.pcall('hscan', 'h', 0)),
  show(redis.pcall('exists', 's')),
}
--%%
redis.setresp(3)
return {
  show(redis.pcall('scan', 0, 'match', 's')),
  show(redis.pcall('lrange', 'l', 0, -1)),
  show(redis.pcall('pubsub', 'numsub', 'x')),
  show(redis.pcall('hello', 2)),
  show(redis.pcall('zscan', 'z', 0)),
  show(redis.pcall('blpop', 'no', 1)),
  show(redis.pcall('bzpopmin', 'z', 1)),
  show(redis.pcall('role')),
}
--%%
redis.setresp(3) local m = redis.call('hgetall', 'h') redis.setresp(2) return show(m) .. show(redis.call('hgetall', 'h')) .. show(redis.call('zscore', 'z', 'a'))
--%%
redis.setresp(3) local ok = pcall(redis.call, 'hgetall', 's') return {show(ok), show(redis.call('hgetall', 'h'))}
--%%
redis.setresp(3) redis.call('set', 'k', redis.call('zscore', 'z', 'b').double) return redis.call('get', 'k')
--%%
redis.setresp(3) return redis.call('hgetall', 'no')
--%%
redis.setresp(3) return redis.call('smembers', 'no')
--%%
redis.setresp(3) return redis.call('zscore', 'z', 'b')
--%%
redis.setresp(3) return redis.call('zscore', 'z', 'no')
--%%
redis.setresp(3) return redis.call('zrange', 'z', 0, -1, 'withscores')
--%%
redis.setresp(3) return redis.call('hmget', 'h', 'f', 'no', 'g')
--%%
redis.setresp(3) return #redis.call('hmget', 'h', 'f', 'g', 'no')
--%%
redis.setresp(3) return redis.call('config', 'get', 'maxmemory')
--%%
return {show(redis.call('hgetall', 'no')), show(redis.call('zscore', 'z', 'a')), show(redis.call('get', 'no'))}
--%%
redis.setresp(3) return select('#', redis.call('get', 'no'))
--%%
redis.setresp(3) return {show({redis.call('smembers', 'c'), redis.call('get', 'no'), redis.call('ping')})}
--%%
redis.setresp(3) return cjson.encode(redis.call('zscore', 'z', 'b'))
