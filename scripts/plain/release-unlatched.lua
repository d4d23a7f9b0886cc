-- Gives back one hold; with the last one the lock is free and one waiter of each client is woken.
-- KEYS[1] the lock, KEYS[2] its channel
-- ARGV[1] the message, ARGV[2] lease in ms for holds that stay, ARGV[3] owner
-- Returns 1 where the lock is free now, 0 where a hold stays, nil where the owner has none.
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil
end
local count = redis.call('hincrby', KEYS[1], ARGV[3], -1)
if count > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 0
end
redis.call('del', KEYS[1])
redis.call('publish', KEYS[2], ARGV[1])
return 1
