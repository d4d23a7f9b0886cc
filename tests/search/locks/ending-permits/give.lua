-- Gives back what the word stands for.
-- KEYS[1] the permits that are out · ARGV[1] word, ARGV[2] how many; returns how many were still there.
local given = 0
for i = 1, tonumber(ARGV[2]) do
  given = given + redis.call('zrem', KEYS[1], ARGV[1] .. ':' .. i)
end
return given
