-- Makes the semaphore, unless there is one.
-- KEYS[1] the semaphore, KEYS[2] its channel · ARGV[1] how many permits it begins with
-- Returns 1 where it did, else 0.
if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then
  redis.call('publish', KEYS[2], ARGV[1])
  return 1
end
return 0
