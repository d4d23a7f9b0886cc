-- Sets the lease anew where the lock still has the caller's token.
-- KEYS[1] the lock · ARGV[1] the token, ARGV[2] lease in ms
-- Returns 1 where it did, else 0.
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0
