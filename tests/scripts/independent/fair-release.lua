-- The contract of scripts/fair/release.lua, by somebody else: one table of what is to be answered.
local lock, queue, deadlines, channel, latch = unpack(KEYS)
local message, lease, owner, now, publish, latch_ms = unpack(ARGV)

local before = redis.call('GET', latch)
if before == '0' or before == '1' then return ({['0'] = 0, ['1'] = 1})[before] end

local head = false
for _, waiter in ipairs(redis.call('LRANGE', queue, 0, -1)) do
  local score = redis.call('ZSCORE', deadlines, waiter)
  if not score or tonumber(score) > tonumber(now) then
    head = waiter
    break
  end
  redis.call('ZREM', deadlines, waiter)
  redis.call('LPOP', queue)
end

local is_held = redis.call('HLEN', lock) > 0
local count = tonumber(redis.call('HGET', lock, owner) or '0')
local outcome = 1
if is_held and count == 0 then return false end
if is_held and count > 1 then
  redis.call('HSET', lock, owner, count - 1)
  redis.call('PEXPIRE', lock, lease)
  outcome = 0
else
  if is_held then redis.call('UNLINK', lock) end
  if head then redis.call(publish, string.format('%s:%s', channel, head), message) end
end
redis.call('SET', latch, outcome, 'PX', latch_ms)
return outcome
