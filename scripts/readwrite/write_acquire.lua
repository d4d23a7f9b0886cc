-- Takes the lock for writing, or once more where the owner writes already. A reader never becomes a
-- writer, not even the only one.
-- KEYS[1] the lock · ARGV[1] lease in ms, ARGV[2] owner as a writer
-- Returns nil where the owner may write now, else how long the lock stays another's, in ms.
if redis.call('hget', KEYS[1], 'mode') == false then
  redis.call('hset', KEYS[1], 'mode', 'write', ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], redis.call('pttl', KEYS[1]) + tonumber(ARGV[1]))
  return nil
end
return redis.call('pttl', KEYS[1])
