-- Takes a waiter that gives up out of the queue; the deadlines behind it come nearer by its wait.
-- KEYS[1] the queue, KEYS[2] the waiters' deadlines · ARGV[1] owner, ARGV[2] wait in ms
local is_behind = false
for _, waiter in ipairs(redis.call('lrange', KEYS[1], 0, -1)) do
  if is_behind then
    redis.call('zincrby', KEYS[2], -tonumber(ARGV[2]), waiter)
  end
  is_behind = is_behind or waiter == ARGV[1]
end
redis.call('zrem', KEYS[2], ARGV[1])
redis.call('lrem', KEYS[1], 0, ARGV[1])
