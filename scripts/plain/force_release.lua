-- Frees the lock, whoever has it.
-- KEYS[1] the lock, KEYS[2] its channel · ARGV[1] the message
-- Returns 1 where there was something to free, else 0.
if redis.call('del', KEYS[1]) == 1 then
  redis.call('publish', KEYS[2], ARGV[1])
  return 1
end
return 0
