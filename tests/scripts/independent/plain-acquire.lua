-- The contract of scripts/plain/acquire.lua, by somebody else: one pass over the hash, one answer.
local lock, lease, owner = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local fields = redis.call('HGETALL', lock)
local mine = 0
for i = 1, #fields, 2 do
  if fields[i] == owner then mine = tonumber(fields[i + 1]) end
end
local answer = false
if #fields > 0 and mine == 0 then
  answer = redis.call('PTTL', lock)
else
  redis.call('HSET', lock, owner, mine + 1)
  redis.call('PEXPIRE', lock, lease)
end
return answer
