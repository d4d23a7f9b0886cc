-- Sets the leases of several locks anew, each if its owner has it.
-- KEYS[1 … n] the locks · ARGV[1] lease in ms, ARGV[2 … n + 1] their owners
-- Returns a list of 1 and 0, as renew does for each.
local renewed = {}
for i = 1, #KEYS do
  if redis.call('hexists', KEYS[i], ARGV[i + 1]) == 1 then
    redis.call('pexpire', KEYS[i], ARGV[1])
    renewed[i] = 1
  else
    renewed[i] = 0
  end
end
return renewed
