-- As renew, but without a look at who has the lock.
-- KEYS[1] the lock · ARGV[1] lease in ms, ARGV[2] owner
return redis.call('pexpire', KEYS[1], ARGV[1])
