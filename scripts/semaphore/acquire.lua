-- Takes permits, all that are asked for or none.
-- KEYS[1] the semaphore · ARGV[1] how many
-- Returns 1 where they were there, else 0.
local permits = redis.call('get', KEYS[1])
if permits ~= false and tonumber(permits) >= tonumber(ARGV[1]) then
  redis.call('decrby', KEYS[1], ARGV[1])
  return 1
end
return 0
