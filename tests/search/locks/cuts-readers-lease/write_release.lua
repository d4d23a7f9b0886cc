-- Gives back one hold of the writer. With the last one the lock is free and all waiters are woken, or
-- the holds that the same thread has as a reader stay, and other readers may join.
-- Writes what it did to a latch, so that the same request, sent again, does nothing but say it again.
-- KEYS[1] the lock, KEYS[2] its channel, KEYS[3] the request's latch
-- ARGV[1] the message, ARGV[2] lease in ms for holds that stay, ARGV[3] owner as a writer,
-- ARGV[4] the publishing command, ARGV[5] how long the latch stays, in ms
-- The holds that stay get the writer's lease, whatever they asked for.
-- Returns 1 where the owner writes no more, 0 where a hold stays, nil where the owner has none.
local latch = redis.call('get', KEYS[3])
if latch ~= false then
  return tonumber(latch)
end
if redis.call('hget', KEYS[1], 'mode') == false then
  redis.call(ARGV[4], KEYS[2], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil
end
if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  redis.call('set', KEYS[3], 0, 'px', ARGV[5])
  return 0
end
redis.call('hdel', KEYS[1], ARGV[3])
if redis.call('hlen', KEYS[1]) == 1 then
  redis.call('del', KEYS[1])
  redis.call(ARGV[4], KEYS[2], ARGV[1])
else
  redis.call('hset', KEYS[1], 'mode', 'read')
  redis.call('pexpire', KEYS[1], ARGV[2])
end
redis.call('set', KEYS[3], 1, 'px', ARGV[5])
return 1
