-- The contract of scripts/fair/acquire_failed.lua, by somebody else.
local waiting = redis.call('LRANGE', KEYS[1], 0, -1)
local mine = #waiting
for i = 1, #waiting do
  if waiting[i] == ARGV[1] then mine = i break end
end
for i = mine + 1, #waiting do
  redis.call('ZINCRBY', KEYS[2], 0 - ARGV[2], waiting[i])
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('LREM', KEYS[1], 0, ARGV[1])
