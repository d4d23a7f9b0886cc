-- Takes the lock where nobody has it.
-- KEYS[1] the lock · ARGV[1] the token, ARGV[2] lease in ms
-- Returns 1 where the caller has it now, else 0.
if redis.call('set', KEYS[1], ARGV[1], 'nx', 'px', ARGV[2]) then
  return 1
end
return 0
