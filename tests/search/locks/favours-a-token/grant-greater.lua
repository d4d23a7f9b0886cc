local before = redis.call('get', KEYS[2])
if before and ARGV[1] < before then return 0 end
redis.call('set', KEYS[2], ARGV[1])
redis.call('hset', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
