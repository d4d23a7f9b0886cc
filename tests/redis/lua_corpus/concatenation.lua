-- What `..` makes of numbers.
--%%
return 0x7fffffffffffffff .. ''
--%%
return 0xffffffffffffffffff .. ''
--%%
return 1e400 .. ''
--%%
return tostring(tonumber('nan')) .. tostring(tonumber('inf')) .. tostring(tonumber('1e3'))
--%%
return tostring(tonumber('z', 36)) .. tostring(tonumber('8',8)) .. tostring(tonumber('')) .. tostring(tonumber({}))
--%%
return string.rep('ab', 2.9) .. string.rep('x', 2, ',') .. string.sub('hello', 2.5, 3.5) .. string.char(65.9)
--%%
return redis.call('echo', -0) .. redis.call('echo', 0.1) .. redis.call('echo', 0/0)
--%%
return 2^53 .. ''
--%%
return 10/2 .. '' .. 3.0 .. 7/2 .. 1e14
--%%
return 1e3 .. '|' .. 1e15 .. '|' .. 123456789012345 .. '|' .. 0.1
--%%
return -0 .. ''
--%%
return {2 - 0 .. '', 1 .. -0}
--%%
return (1/2) .. 'x' .. (10/2) .. tostring(10/2) .. 2^3
--%%
local function f() return 1, 2 end return 1/2 .. f() .. f()
--%%
local t = {x = 4/2 .. 'a', 3/1 .. 'b'} return {t.x, t[1]}
--%%
local a, b = 4/2 .. 'x', 'y' return {a, b}
--%%
if 4/2 .. '' == '2' then return 'yes' end return 'no'
--%%
local s = '' for i = 1, 3 do s = s .. i/1 .. ',' end return s
--%%
return redis.call('echo', 'a' .. 4/2)
--%%
return ({['k' .. 4/2] = 7})['k2']
--%%
return not (4/2 .. '' == '2') and 'a' or 'b' .. 6/2
--%%
return -4/2 .. '' .. -(4/2)
--%%
return 'a' .. (4/2 .. 'b') .. string.rep(4/2 .. '', 2) .. ({4/2 .. 'z'})[1]
--%%
local s = [[x]] .. 4/2 .. "y" .. 'z' return s
--%%
redis.call('set', 'k', 4/2 .. 'x') local v = redis.call('get', 'k') return v
--%%
return 2 * 3 .. ' ' .. 1e14 * 10 .. ' ' .. 1700000000000 * 1000
--%%
return tostring(1700000000 * 1000000) .. ' ' .. tostring(1700000000123 * 1000)
--%%
return {tonumber('5.0') .. '', tonumber('1e15') .. '', tonumber('0x1F') .. ''}
--%%
return {-7 % 3, 7 % -3, 5.5 % 2 .. ''}
--%%
return {'10' + 5, '3' * '4', 10 .. 20}
--%%
return '10' + 5 .. ''
