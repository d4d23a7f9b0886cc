-- The contract of scripts/redlock/release.lua, by somebody else.
local found = redis.call('GET', KEYS[1])
if found ~= ARGV[1] then return 0 end
redis.call('UNLINK', KEYS[1])
return 1
