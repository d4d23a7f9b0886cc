-- Sets the lease of a reader's holds anew, and the lock's with it, whatever that was.
-- KEYS[1] the lock, KEYS[2] prefix of everybody's timeout keys · ARGV[1] lease in ms, ARGV[2] owner
-- Returns 1 where it did, 0 where the owner does not read.
local count = redis.call('hget', KEYS[1], ARGV[2])
if count == false then
  return 0
end
redis.call('pexpire', KEYS[1], ARGV[1])
for n = 1, tonumber(count) do
  redis.call('pexpire', KEYS[2] .. ':' .. ARGV[2] .. ':rwlock_timeout:' .. n, ARGV[1])
end
return 1
