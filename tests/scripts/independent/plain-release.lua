-- The contract of scripts/plain/release.lua, by somebody else: it counts in Lua and writes the outcome.
local lock, channel, latch = unpack(KEYS)
local message, lease, owner, publish, latch_ms = unpack(ARGV)
local before = redis.call('GET', latch)
if before then return before + 0 end

local left = tonumber(redis.call('HGET', lock, owner) or 0) - 1
if left < 0 then return end

local outcome
if left == 0 then
  redis.call('UNLINK', lock)
  redis.call(publish, channel, message)
  outcome = 1
else
  redis.call('HSET', lock, owner, left)
  redis.call('PEXPIRE', lock, lease)
  outcome = 0
end
redis.call('PSETEX', latch, latch_ms, outcome)
return outcome
