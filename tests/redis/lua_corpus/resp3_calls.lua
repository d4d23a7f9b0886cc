-- What redis.call gives after redis.setresp(3).
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hgetall', 'h'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hgetall', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('smembers', 'c'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('smembers', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('sunion', 'c', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('sinter', 'c', 'c'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('sdiff', 'c', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zscore', 'z', 'b'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zscore', 'z', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zmscore', 'z', 'a', 'no', 'b'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zadd', 'z', 'incr', '1', 'a'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zincrby', 'z', '0.5', 'a'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zrange', 'z', 0, -1, 'withscores'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zrangebyscore', 'z', '-inf', 'inf', 'withscores'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zpopmin', 'z'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zpopmin', 'z', 2))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zpopmax', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zmpop', 1, 'z', 'min'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zmpop', 1, 'no', 'min'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hrandfield', 'h', 2, 'withvalues'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hmget', 'h', 'f', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hget', 'h', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('get', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('mget', 's', 'no', 's'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lpop', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lpop', 'l', 2))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lmpop', 1, 'no', 'left'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lpos', 'l', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zrank', 'z', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('spop', 'c', 2))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('spop', 'no', 2))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('srandmember', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('smismember', 'c', 'x', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('sismember', 'c', 'x'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('set', 's', 'y', 'xx', 'get'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('set', 's', 'y', 'nx'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('incrbyfloat', 'n', '1.5'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hincrbyfloat', 'h', 'n', '1.5'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('config', 'get', 'maxmemory'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('object', 'encoding', 's'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('object', 'encoding', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('type', 's'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('ping'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lcs', 's', 's', 'idx'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('xx'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zadd', 'z', 'nx', 'incr', '1', 'a'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hscan', 'h', 0))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('exists', 's'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('scan', 0, 'match', 's'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('lrange', 'l', 0, -1))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('pubsub', 'numsub', 'x'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('hello', 2))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('zscan', 'z', 0))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('blpop', 'no', 1))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('bzpopmin', 'z', 1))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3)
return show(redis.pcall('role'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) local m = redis.call('hgetall', 'h') redis.setresp(2) return show(m) .. show(redis.call('hgetall', 'h')) .. show(redis.call('zscore', 'z', 'a'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) local ok = pcall(redis.call, 'hgetall', 's') return {show(ok), show(redis.call('hgetall', 'h'))}
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) redis.call('set', 'k', redis.call('zscore', 'z', 'b').double) return redis.call('get', 'k')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('hgetall', 'no')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('smembers', 'no')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('zscore', 'z', 'b')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('zscore', 'z', 'no')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('zrange', 'z', 0, -1, 'withscores')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('hmget', 'h', 'f', 'no', 'g')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return #redis.call('hmget', 'h', 'f', 'g', 'no')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return redis.call('config', 'get', 'maxmemory')
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
return {show(redis.call('hgetall', 'no')), show(redis.call('zscore', 'z', 'a')), show(redis.call('get', 'no'))}
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return select('#', redis.call('get', 'no'))
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return {show({redis.call('smembers', 'c'), redis.call('get', 'no'), redis.call('ping')})}
--%%
local function show(value)
  if type(value) ~= 'table' then return type(value) .. ' ' .. tostring(value) end
  local shown = {}
  for key, inner in pairs(value) do shown[#shown + 1] = show(key) .. ' = ' .. show(inner) end
  table.sort(shown)
  return '{' .. table.concat(shown, ', ') .. '}'
end
redis.call('hset', 'h', 'f', 'v', 'g', '')
redis.call('sadd', 'c', 'x', 'y')
redis.call('zadd', 'z', 1, 'a', 2.5, 'b')
redis.call('rpush', 'l', 'p', 'q')
redis.setresp(3) return cjson.encode(redis.call('zscore', 'z', 'b'))
