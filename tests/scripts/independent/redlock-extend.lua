-- The contract of scripts/redlock/extend.lua, by somebody else.
local key, token, lease = KEYS[1], ARGV[1], tonumber(ARGV[2])
if token ~= redis.call('GET', key) then return 0 end
if redis.call('PTTL', key) < lease then redis.call('PEXPIRE', key, lease) end
return 1
