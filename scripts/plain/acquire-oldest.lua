-- As acquire, in two steps: a free lock is taken with one hold, the owner's own with one more.
-- KEYS[1] the lock · ARGV[1] lease in ms, ARGV[2] owner
-- Returns nil where the owner has it now, else how long it stays another's, in ms (-1: for ever).
if redis.call('exists', KEYS[1]) == 0 then
  redis.call('hset', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
return redis.call('pttl', KEYS[1])
