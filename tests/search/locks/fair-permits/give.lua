-- KEYS[1] the permits that are out · ARGV[1] the word, ARGV[2] how many; returns how many were its
local given = 0
for i = 1, tonumber(ARGV[2]) do
  given = given + redis.call('zrem', KEYS[1], ARGV[1] .. ':' .. i)
end
return given
