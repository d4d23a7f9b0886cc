redis.call('zadd', KEYS[2], 0, ARGV[1])
if redis.call('zrange', KEYS[2], -1, -1)[1] ~= ARGV[1] then return 0 end
redis.call('hset', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
return 1
