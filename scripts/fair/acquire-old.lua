-- As acquire-negative-ttl, and a head or a tail without a deadline is an error.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the waiters' deadlines
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] wait in ms, ARGV[4] now, by the caller's wall clock
local wait = tonumber(ARGV[3])
local now = tonumber(ARGV[4])
local head = redis.call('lindex', KEYS[2], 0)
while head do
  if tonumber(redis.call('zscore', KEYS[3], head)) > now then break end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
  head = redis.call('lindex', KEYS[2], 0)
end
if redis.call('exists', KEYS[1]) == 0 and (not head or head == ARGV[2]) then
  redis.call('lpop', KEYS[2])
  redis.call('zrem', KEYS[3], ARGV[2])
  for _, waiter in ipairs(redis.call('zrange', KEYS[3], 0, -1)) do
    redis.call('zincrby', KEYS[3], -wait, waiter)
  end
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
local own = redis.call('zscore', KEYS[3], ARGV[2])
if own then
  return tonumber(own) - wait - now
end
local tail = redis.call('lindex', KEYS[2], -1)
local ttl
if tail and tail ~= ARGV[2] then
  ttl = tonumber(redis.call('zscore', KEYS[3], tail)) - now
else
  ttl = redis.call('pttl', KEYS[1])
end
redis.call('zadd', KEYS[3], ttl + wait + now, ARGV[2])
redis.call('rpush', KEYS[2], ARGV[2])
return ttl
