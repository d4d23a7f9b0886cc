-- Counts one down; the last one opens the latch and wakes all waiters. An open latch stays open.
-- KEYS[1] the latch, KEYS[2] its channel · ARGV[1] the message
local count = redis.call('decr', KEYS[1])
if count <= 0 then
  redis.call('del', KEYS[1])
end
if count == 0 then
  redis.call('publish', KEYS[2], ARGV[1])
end
