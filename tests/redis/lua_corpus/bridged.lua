-- What once differed from Redis here.
--%%
return "a" & "b"
--%%
return "\300"
--%%
local _ENV = 1 return _ENV
--%%
return _ENV
--%%
local goto = 5 return goto
--%%
return 5 | 2
--%%
return a & b
--%%
return tostring(5 % 0)
--%%
for i = 1, 2, 0 do break end
--%%
return redis.call('echo', -tonumber('0'))
--%%
return 0 * -1 .. ''
--%%
local x = 4/2 local y return 'a' .. y
--%%
goto = 1
--%%
local function f(...) return arg end return type(f(1))
--%%
#!lua flags="no-writes"
return 1
--%%
#!lua 'x
return 1
