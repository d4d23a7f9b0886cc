-- Frees the lock where it still has the caller's token.
-- KEYS[1] the lock · ARGV[1] the token
-- Returns 1 where it did, else 0.
if redis.call('get', KEYS[1]) == ARGV[1] then
  return redis.call('del', KEYS[1])
end
return 0
