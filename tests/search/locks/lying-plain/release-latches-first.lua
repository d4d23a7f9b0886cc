-- As plain's release.lua, but the latch is written before anybody looks whether the owner has the lock.
local latch = redis.call('get', KEYS[3])
if latch ~= false then
  return tonumber(latch)
end
redis.call('set', KEYS[3], 0, 'px', ARGV[5])
if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
  return nil
end
local count = redis.call('hincrby', KEYS[1], ARGV[3], -1)
if count > 0 then
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 0
end
redis.call('del', KEYS[1])
redis.call(ARGV[4], KEYS[2], ARGV[1])
redis.call('set', KEYS[3], 1, 'px', ARGV[5])
return 1
