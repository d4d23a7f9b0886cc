-- Takes the lock for reading, or once more: beside other readers, or under a write lock of one's own.
-- Each hold of a reader has a key of its own that shows how long its lease lasts.
-- KEYS[1] the lock, KEYS[2] prefix of the owner's timeout keys
-- ARGV[1] lease in ms, ARGV[2] owner, ARGV[3] owner as a writer
-- Returns nil where the owner may read now, else how long the lock stays a writer's, in ms.
local mode = redis.call('hget', KEYS[1], 'mode')
if mode == false then
  redis.call('hset', KEYS[1], 'mode', 'read', ARGV[2], 1)
  redis.call('set', KEYS[2] .. ':1', 1, 'px', ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if mode == 'read' or redis.call('hexists', KEYS[1], ARGV[3]) == 1 then
  local count = redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('set', KEYS[2] .. ':' .. count, 1, 'px', ARGV[1])
  local left_ms = redis.call('pttl', KEYS[1])
  redis.call('pexpire', KEYS[1], math.max(left_ms, tonumber(ARGV[1])))
  return nil
end
return redis.call('pttl', KEYS[1])
