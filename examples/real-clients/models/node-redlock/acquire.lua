-- KEYS[1] the lock · ARGV[1] the token, ARGV[2] lease in ms
-- Returns 1 where the lock is the caller's now, else 0, also where it has been before.
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
return 1
