-- Takes the lock, or takes it once more where the owner has it already.
-- KEYS[1] the lock · ARGV[1] lease in ms, ARGV[2] owner
-- Returns nil where the owner has it now, else how long it stays another's, in ms (-1: for ever).
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return nil
end
return redis.call('pttl', KEYS[1])
