local latch = redis.call('get', KEYS[5])
if latch ~= false then
  return tonumber(latch)
end
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call(ARGV[3], KEYS[2], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return nil
end
local count = redis.call('hincrby', KEYS[1], ARGV[2], -1)
if count == 0 then
  redis.call('hdel', KEYS[1], ARGV[2])
end
redis.call('del', KEYS[3] .. ':' .. (count + 1))
local longest_ms = 0
local holds = redis.call('hgetall', KEYS[1])
for i = 1, #holds, 2 do
  local prefix = KEYS[4] .. ':' .. holds[i] .. ':rwlock_timeout:'
  for n = 1, tonumber(holds[i + 1]) or 0 do
    longest_ms = math.max(longest_ms, redis.call('pttl', prefix .. n))
  end
end
if longest_ms > 0 then
  redis.call('pexpire', KEYS[1], longest_ms)
end
if longest_ms > 0 or mode == 'write' then
  redis.call('set', KEYS[5], 0, 'px', ARGV[4])
  return 0
end
redis.call('del', KEYS[1])
redis.call('set', KEYS[5], 1, 'px', ARGV[4])
return 1
