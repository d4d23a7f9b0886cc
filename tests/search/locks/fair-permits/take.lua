-- KEYS[1] the permits that are out, KEYS[2] the queue · ARGV[1] a word, ARGV[2] how many
-- Returns 1 where they are the word's now; else the word is in the queue.
local first = redis.call('lindex', KEYS[2], 0)
local is_its_turn = not first or first == ARGV[1]
if is_its_turn and redis.call('zcard', KEYS[1]) + tonumber(ARGV[2]) <= 3 then
  if first then redis.call('lpop', KEYS[2]) end
  for i = 1, tonumber(ARGV[2]) do
    redis.call('zadd', KEYS[1], 0, ARGV[1] .. ':' .. i)
  end
  return 1
end
if not redis.call('lpos', KEYS[2], ARGV[1]) then redis.call('rpush', KEYS[2], ARGV[1]) end
return 0
