-- As force_release, but a head without a deadline is an error.
-- KEYS[1] the lock, KEYS[2] its queue, KEYS[3] the waiters' deadlines, KEYS[4] the channels' prefix
-- ARGV[1] the message, ARGV[2] now, by the caller's wall clock
-- Returns 1 where there was something to free, else 0.
local now = tonumber(ARGV[2])
local head = redis.call('lindex', KEYS[2], 0)
while head do
  if tonumber(redis.call('zscore', KEYS[3], head)) > now then break end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
  head = redis.call('lindex', KEYS[2], 0)
end
if redis.call('del', KEYS[1]) == 0 then
  return 0
end
if head then
  redis.call('publish', KEYS[4] .. ':' .. head, ARGV[1])
end
return 1
