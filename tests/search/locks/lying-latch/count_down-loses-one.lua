if redis.call('get', KEYS[1]) ~= '1' then
  redis.call('decr', KEYS[1])
end
