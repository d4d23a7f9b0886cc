-- As read_renew, but with one's own holds it renews those of all other readers, living or dead.
-- KEYS[1] the lock, KEYS[2] prefix of everybody's timeout keys · ARGV[1] lease in ms, ARGV[2] owner
if redis.call('hexists', KEYS[1], ARGV[2]) == 0 then
  return 0
end
redis.call('pexpire', KEYS[1], ARGV[1])
for _, owner in ipairs(redis.call('hkeys', KEYS[1])) do
  local count = tonumber(redis.call('hget', KEYS[1], owner))
  for n = 1, count or 0 do
    redis.call('pexpire', KEYS[2] .. ':' .. owner .. ':rwlock_timeout:' .. n, ARGV[1])
  end
end
return 1
