-- Gives back permits of a word.
-- KEYS[1] the permits that are out · ARGV[1] word, ARGV[2] and [3] its first and last; returns how many were still there.
local given = 0
for i = tonumber(ARGV[2]), tonumber(ARGV[3]) do
  given = given + redis.call('zrem', KEYS[1], ARGV[1] .. ':' .. i)
end
return given
