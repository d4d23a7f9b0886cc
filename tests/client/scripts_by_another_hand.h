// Server scripts of the plain, the fair and the RedLock that somebody else has written, with
// nothing in hand but the contracts of their keys and arguments: other names, other loops, other
// branches.
#pragma once

#include <string_view>

namespace lockstep::test::by_another_hand {

inline constexpr std::string_view plain_acquire = R"(
local key, lease, me = KEYS[1], tonumber(ARGV[1]), ARGV[2]
local mine = redis.call('HEXISTS', key, me) == 1
if not mine and redis.call('EXISTS', key) ~= 0 then
  return redis.call('PTTL', key)
end
redis.call('HINCRBY', key, me, 1)
redis.call('PEXPIRE', key, lease)
)";

inline constexpr std::string_view plain_release = R"(
local done = redis.call('GET', KEYS[3])
if done then return tonumber(done) end
local function finish(answer)
  redis.call('SET', KEYS[3], answer, 'PX', ARGV[5])
  return answer
end
local holds = tonumber(redis.call('HGET', KEYS[1], ARGV[3]) or 0)
if holds == 0 then return false end
holds = redis.call('HINCRBY', KEYS[1], ARGV[3], '-1')
if holds >= 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return finish(0)
else
  redis.call('DEL', KEYS[1])
  redis.call(ARGV[4], KEYS[2], ARGV[1])
  return finish(1)
end
)";

inline constexpr std::string_view redlock_extend = R"(
local key, token, lease = KEYS[1], ARGV[1], tonumber(ARGV[2])
if token ~= redis.call('GET', key) then return 0 end
if redis.call('PTTL', key) < lease then redis.call('PEXPIRE', key, lease) end
return 1
)";

inline constexpr std::string_view redlock_release = R"(
local found = redis.call('GET', KEYS[1])
local is_ours = found and found == ARGV[1]
return is_ours and redis.call('UNLINK', KEYS[1]) or 0
)";

inline constexpr std::string_view fair_acquire = R"(
local hash, list, set = unpack(KEYS)
local lease, me, patience, clock = ARGV[1], ARGV[2], ARGV[3] + 0, ARGV[4] + 0

local function front()
  return redis.call('LRANGE', list, 0, 0)[1]
end

while true do
  local first = front()
  if first == nil then break end
  local until_when = redis.call('ZSCORE', set, first)
  if until_when == false then break end
  if clock < tonumber(until_when) then break end
  redis.call('ZREM', set, first)
  redis.call('LPOP', list)
end

local is_free = redis.call('EXISTS', hash) == 0
if is_free then
  local first = front()
  if first == me or first == nil then
    redis.call('LPOP', list)
    redis.call('ZREM', set, me)
    local others = redis.call('ZRANGE', set, 0, -1)
    for i = 1, #others, 1 do
      redis.call('ZINCRBY', set, '-' .. ARGV[3], others[i])
    end
    redis.call('HSET', hash, me, '1')
    redis.call('PEXPIRE', hash, lease)
    return nil
  end
elseif redis.call('HEXISTS', hash, me) == 1 then
  redis.call('HINCRBY', hash, me, '1')
  redis.call('PEXPIRE', hash, lease)
  return nil
end

if redis.call('ZSCORE', set, me) ~= false then
  local left = redis.call('PTTL', hash)
  if left < 0 then left = 0 end
  return left
end

local left
local before = redis.call('LINDEX', list, '-1')
local theirs = false
if before ~= false then theirs = redis.call('ZSCORE', set, before) end
if theirs ~= false then
  left = theirs - clock
else
  left = redis.call('PTTL', hash)
end
if redis.call('ZADD', set, left + patience + clock, me) == 1 then
  redis.call('RPUSH', list, me)
end
return left
)";

inline constexpr std::string_view fair_acquire_failed = R"(
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
)";

inline constexpr std::string_view fair_release = R"(
local hash, list, set, prefix, latch = unpack(KEYS)
local message, lease, me, clock, publish, px = unpack(ARGV)

local done = redis.call('GET', latch)
if done ~= false then return tonumber(done) end

local first = redis.call('LINDEX', list, 0)
while first do
  local until_when = redis.call('ZSCORE', set, first)
  if not (until_when and tonumber(until_when) <= tonumber(clock)) then break end
  redis.call('ZREM', set, first)
  redis.call('LPOP', list)
  first = redis.call('LINDEX', list, 0)
end

local function freed()
  if first then redis.call(publish, prefix .. ':' .. first, message) end
  redis.call('SET', latch, 1, 'PX', px)
  return 1
end

if redis.call('EXISTS', hash) == 0 then return freed() end
if redis.call('HEXISTS', hash, me) == 0 then return nil end
if redis.call('HINCRBY', hash, me, -1) ~= 0 then
  redis.call('PEXPIRE', hash, lease)
  redis.call('SET', latch, 0, 'PX', px)
  return 0
end
redis.call('DEL', hash)
return freed()
)";

}  // namespace lockstep::test::by_another_hand
