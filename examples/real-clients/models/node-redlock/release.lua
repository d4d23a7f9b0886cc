-- KEYS[1] the lock · ARGV[1] the token
-- Returns 1 where the lock was the caller's, else 0.
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])
