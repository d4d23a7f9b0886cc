-- Lengthens the lease on this node where the lock still has the caller's token. It never shortens
-- it (GT): an extension that fails on other nodes must not take away what the owner relies on.
-- KEYS[1] the lock · ARGV[1] the token, ARGV[2] lease in ms
-- Returns 1 where the lock is the caller's, else 0.
if redis.call('get', KEYS[1]) == ARGV[1] then
  redis.call('pexpire', KEYS[1], ARGV[2], 'gt')
  return 1
end
return 0
