-- Takes the lock as acquire does, but never waits: where that fails, nothing is left behind.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the waiters' deadlines
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] now, by the caller's wall clock, ARGV[4] wait in ms
-- Returns nil where the owner has it now, else 1.
local now = tonumber(ARGV[3])
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
    redis.call('zincrby', KEYS[3], -tonumber(ARGV[4]), waiter)
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
return 1
