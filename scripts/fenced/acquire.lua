-- Takes the lock, or takes it once more where the owner has it already, and counts the token up.
-- KEYS[1] the lock, KEYS[2] its token counter · ARGV[1] lease in ms, ARGV[2] owner
-- Returns {-1, token} where the owner has it now, else {how long it stays another's in ms, -1}.
if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
  local token = redis.call('incr', KEYS[2])
  redis.call('hincrby', KEYS[1], ARGV[2], 1)
  redis.call('pexpire', KEYS[1], ARGV[1])
  return {-1, token}
end
return {redis.call('pttl', KEYS[1]), -1}
