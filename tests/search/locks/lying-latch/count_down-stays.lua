local count = redis.call('decr', KEYS[1])
if count <= 0 then
  redis.call('set', KEYS[1], 0)
end
if count == 0 then
  redis.call('publish', KEYS[2], ARGV[1])
end
