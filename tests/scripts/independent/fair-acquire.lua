-- The contract of scripts/fair/acquire.lua, by somebody else.
local lock, queue, deadlines = unpack(KEYS)
local lease, owner = ARGV[1], ARGV[2]
local wait, now = tonumber(ARGV[3]), tonumber(ARGV[4])

local function deadline_of(waiter)
  local score = redis.call('ZSCORE', deadlines, waiter)
  return score and tonumber(score) or nil
end

local line
repeat
  line = redis.call('LRANGE', queue, 0, -1)
  local deadline = #line > 0 and deadline_of(line[1])
  local is_dead = deadline and deadline <= now
  if is_dead then
    redis.call('LPOP', queue)
    redis.call('ZREM', deadlines, line[1])
  end
until not is_dead

local function hold(count)
  redis.call('HSET', lock, owner, count)
  redis.call('PEXPIRE', lock, lease)
end

local count = redis.call('HGET', lock, owner)
if count then
  hold(count + 1)
  return nil
end

local left = redis.call('PTTL', lock)
if left == -2 and (#line == 0 or line[1] == owner) then
  if #line > 0 then redis.call('LTRIM', queue, 1, -1) end
  redis.call('ZREM', deadlines, owner)
  local others = redis.call('ZRANGE', deadlines, 0, -1, 'WITHSCORES')
  for i = 1, #others, 2 do
    redis.call('ZADD', deadlines, others[i + 1] - wait, others[i])
  end
  hold(1)
  return nil
end

if deadline_of(owner) then
  return left > 0 and left or 0
end
local ahead = #line > 0 and deadline_of(line[#line])
if ahead then left = ahead - now end
redis.call('RPUSH', queue, owner)
redis.call('ZADD', deadlines, now + left + wait, owner)
return left
