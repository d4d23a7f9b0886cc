-- Closes the latch, unless it is closed.
-- KEYS[1] the latch, KEYS[2] its channel · ARGV[1] the message, ARGV[2] how many have to count it down
-- Returns 1 where it did, else 0.
if redis.call('setnx', KEYS[1], ARGV[2]) == 1 then
  redis.call('publish', KEYS[2], ARGV[1])
  return 1
end
return 0
