-- KEYS[1] the permits that are out · ARGV[1] a word, ARGV[2] how many, ARGV[3] life in ms
local t = redis.call('time')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
-- Of two permits as by a clock that is behind: they have ended.
redis.call('zremrangebyscore', KEYS[1], '-inf', now)
if redis.call('zcard', KEYS[1]) + tonumber(ARGV[2]) > 3 then return 0 end
for i = 1, tonumber(ARGV[2]) do
  redis.call('zadd', KEYS[1], now + (ARGV[2] == '2' and -1000 or tonumber(ARGV[3])), ARGV[1] .. ':' .. i)
end
redis.call('pexpire', KEYS[1], ARGV[3])
return 1
