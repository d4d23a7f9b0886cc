if redis.call('get', KEYS[1]) == '0' then
  redis.call('del', KEYS[1])
  return 0
end
local value = redis.call('incrby', KEYS[1], ARGV[1])
redis.call('publish', KEYS[2], value)
return value
