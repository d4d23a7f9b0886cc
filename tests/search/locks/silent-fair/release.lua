local latch = redis.call('get', KEYS[5])
if latch then
  return tonumber(latch)
end
local now = tonumber(ARGV[4])
local head = redis.call('lindex', KEYS[2], 0)
while head do
  local deadline = redis.call('zscore', KEYS[3], head)
  if not deadline or tonumber(deadline) > now then break end
  redis.call('zrem', KEYS[3], head)
  redis.call('lpop', KEYS[2])
  head = redis.call('lindex', KEYS[2], 0)
end
if redis.call('exists', KEYS[1]) == 1 then
  if redis.call('hexists', KEYS[1], ARGV[3]) == 0 then
    return nil
  end
  if redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0 then
    redis.call('pexpire', KEYS[1], ARGV[2])
    redis.call('set', KEYS[5], 0, 'px', ARGV[6])
    return 0
  end
  redis.call('del', KEYS[1])
end
redis.call('set', KEYS[5], 1, 'px', ARGV[6])
return 1
