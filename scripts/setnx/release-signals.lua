-- Frees the lock where it still has the caller's token, and leaves a word for one waiter.
-- KEYS[1] the lock, KEYS[2] the list of words · ARGV[1] the token, ARGV[2] for how long a word stays in ms
-- Returns 1 where it did, else 0.
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1], KEYS[2])
redis.call('rpush', KEYS[2], 1)
redis.call('pexpire', KEYS[2], ARGV[2])
return 1
