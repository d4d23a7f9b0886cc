-- Gives back one hold; with the last one the lock is free and the queue's head is woken, as it is
-- where there is no lock any more.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the waiters' deadlines, KEYS[4] the channels' prefix
-- ARGV[1] the message, ARGV[2] lease in ms for holds that stay, ARGV[3] owner,
-- ARGV[4] now, by the caller's wall clock
-- Returns 1 where the lock is free now, 0 where a hold stays, nil where it is another's.
local now = tonumber(ARGV[4])
local head = redis.call('lindex', KEYS[2], 0)
while head do
  local deadline = redis.call('zscore', KEYS[3], head)
  if not deadline or tonumber(deadline) > now then break end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
  head = redis.call('lindex', KEYS[2], 0)
end
if redis.call('exists', KEYS[1]) == 1 then
  if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
    return nil
  end
  if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
    redis.call('pexpire', KEYS[1], ARGV[2])
    return 0
  end
  redis.call('del', KEYS[1])
end
if head then
  redis.call('publish', KEYS[4] .. ':' .. head, ARGV[1])
end
return 1
