-- KEYS[1] the lock; ARGV[2] the new lease, ms
return redis.call('pexpire', KEYS[1], ARGV[2])
