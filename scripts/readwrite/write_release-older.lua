-- As write_release, without a latch: sent again, it runs again. And a lock that is gone altogether
-- counts as released: the caller is told 1, though it may have lost the lock long ago.
-- KEYS[1] the lock, KEYS[2] its channel
-- ARGV[1] the message, ARGV[2] lease in ms for holds that stay, ARGV[3] owner as a writer
if redis.call('hget', KEYS[1], 'mode') == false then
  redis.call('publish', KEYS[2], ARGV[1])
  return 1
end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 0
end
redis.call('hdel', KEYS[1], ARGV[3])
if redis.call('hlen', KEYS[1]) == 1 then
  redis.call('del', KEYS[1])
  redis.call('publish', KEYS[2], ARGV[1])
else
  redis.call('hset', KEYS[1], 'mode', 'read')
end
return 1
