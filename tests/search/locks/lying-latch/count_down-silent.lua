if redis.call('decr', KEYS[1]) <= 0 then
  redis.call('del', KEYS[1])
end
