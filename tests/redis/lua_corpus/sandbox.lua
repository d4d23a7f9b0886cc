-- The globals, KEYS and ARGV, and what guards them.
--%%
error(print)
--%%
KEYS[1].x = 1
--%%
redis.foo()
--%%
foo()
--%%
local t = setmetatable({}, {__index = function(t,k) return k end}) return t.foo
--%%
return tostring(setmetatable({},{__tostring=function() return 'hi' end}))
--%%
return setmetatable({1,2,3},{__index=function() return 5 end})
--%%
return collectgarbage('count') > 0
--%%
return collectgarbage('bad')
--%%
return {collectgarbage(), collectgarbage('step'), gcinfo() > 0}
--%%
return _VERSION
--%%
return rawset({}, 1, 2)
--%%
return rawlen
--%%
return getmetatable('x').__index == string
--%%
return {getmetatable(string), getmetatable(redis)}
--%%
return _G._G == _G
--%%
_G.x = 1
--%%
x = 1
--%%
KEYS = 1
--%%
KEYS.x = 1 return KEYS.x
--%%
local KEYS = 5 return KEYS
--%%
function foo() end
--%%
string.foo = function() end
--%%
local s = string s.x = 1
--%%
table.insert(redis, 1)
--%%
local a = setmetatable({}, {__concat=function(a,b) return 'C' end}) return a .. 'x' .. 1/2 .. a
--%%
local t = setmetatable({}, {__concat = function(a, b) return (type(a) == 'table' and 'T' or a) .. (type(b) == 'table' and 'T' or b) end}) return {t .. 'x' .. t, t .. t, 'a' .. 'b' .. t}
--%%
local a, KEYS = 1, {9} return KEYS[1]
--%%
return loadstring('x = 1')()
--%%
x.y = 1
--%%
redis.call = nil
--%%
redis['call'] = nil
--%%
local r = redis r.call = nil
--%%
function redis.foo() end
--%%
redis.call, x = 1, 2
--%%
local a a, redis.call = 1, 2
--%%
tonumber = 5
--%%
local x x, tonumber = 1, 2
--%%
for k, v in pairs(redis) do redis[k] = 1 end
--%%
rawset(redis, 'call', 1)
--%%
rawset(string, 'x', 1)
--%%
setmetatable(string, {})
--%%
setmetatable(_G, nil)
--%%
getmetatable('').__index.len = nil
--%%
return {rawget(redis, 'call') == redis.call, rawget(_G, 'redis') == redis}
--%%
return {type(_G), type(redis), type(KEYS), #KEYS, #ARGV}
--%%
ARGV[1] = 'x' ARGV[5] = 'y' return ARGV
--%%
table.insert(KEYS, 'x') return KEYS
--%%
return {unpack(KEYS)}
--%%
KEYS = nil
--%%
local t = KEYS t[1] = 5 return KEYS[1]
