-- As release-unlatched, but a lock that is gone altogether counts as released: waiters are woken and
-- the caller is told 1, though it may have lost the lock long ago.
-- KEYS[1] the lock, KEYS[2] its channel
-- ARGV[1] the message, ARGV[2] lease in ms for holds that stay, ARGV[3] owner
if redis.call('exists', KEYS[1]) == 0 then
  redis.call('publish', KEYS[2], ARGV[1])
  return 1
end
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
