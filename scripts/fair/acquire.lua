-- Takes the lock where it is free and nobody is ahead, or once more where the owner has it; else joins
-- the queue. A waiter's deadline is that of who is ahead of it, plus its wait; with each that leaves
-- the queue, the deadlines behind it come nearer by that one's wait. A head that has not come by its
-- deadline is taken out first, by whoever runs a script; one without a deadline stays.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the waiters' deadlines
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] wait in ms, ARGV[4] now, by the caller's wall clock
-- Returns nil where the owner has it now, else for how many ms there is no use in coming back.
local wait = tonumber(ARGV[3])
local now = tonumber(ARGV[4])
local head = redis.call('lindex', KEYS[2], 0)
while head do
  local deadline = redis.call('zscore', KEYS[3], head)
  if not deadline or tonumber(deadline) > now then break end
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
if redis.call('zscore', KEYS[3], ARGV[2]) then
  return math.max(0, redis.call('pttl', KEYS[1]))
end
local tail = redis.call('lindex', KEYS[2], -1)
local ahead = tail and redis.call('zscore', KEYS[3], tail)
local ttl = ahead and tonumber(ahead) - now or redis.call('pttl', KEYS[1])
redis.call('zadd', KEYS[3], ttl + wait + now, ARGV[2])
redis.call('rpush', KEYS[2], ARGV[2])
return ttl
