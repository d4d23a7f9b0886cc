-- Sets the lease anew, if the owner has the lock.
-- KEYS[1] the lock · ARGV[1] lease in ms, ARGV[2] owner
-- Returns 1 where it did, 0 where the owner has no hold.
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('pexpire', KEYS[1], ARGV[1])
  return 1
end
return 0
