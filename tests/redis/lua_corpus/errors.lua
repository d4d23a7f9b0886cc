-- Errors: raised, caught, and as they leave a script.
--%%
error("a\nb\n")
--%%
return {err="a\r\nb\n"}
--%%
return {err=""}
--%%
assert(false)
--%%
assert(false,"hello")
--%%
assert(nil,{})
--%%
local function f() return f() + 1 end return f()
--%%
error({err=1})
--%%
error({err="a",x=1})
--%%
error(nil)
--%%
error(5)
--%%
error(true)
--%%
error('x', 2)
--%%
local function f() error('x', 2) end f()
--%%
local ok, e = pcall(error, {err='XX y'}) return e
--%%
local ok, e = pcall(error, {err='XX y', z=1}) return {tostring(ok), e}
--%%
return {pcall(error)}
--%%
return {1,{2,{err='x'}},{ok='OK'}}
--%%
return tonumber()
--%%
return tonumber('1',99)
--%%
return tostring()
--%%
return (5):x()
--%%
local t = {} t.x.y = 1
--%%
local s = 'a' return s.x.y
--%%
return 'a' + 1
--%%
local x = {} return x + 1
--%%
local x return -x
--%%
local x return x .. 'a'
--%%
return {} < {}
--%%
return 1 < 'a'
--%%
return nil > 1
--%%
local a local function f() return a.b end f()
--%%
local a = {} a.b.c()
--%%
local a = {} a.b()
--%%
local a = {} a:b()
--%%
local t = {} t[nil] = 1
--%%
local t = {} t[0/0] = 1
--%%
for i = 'a', 2 do end
--%%
('abc')()
--%%
return ("x"):bad()
--%%
return pcall(error, 'x', 0)
--%%
return {xpcall(function() local x x.y = 1 end, function(e) return e end)}
--%%
error({err='x', source='me', line=9})
--%%
return rawequal(1)
--%%
return type()
--%%
return nil .. 'x'
--%%
local x = 1/2 return 'a' .. nil
--%%
local f = function(x) return 'v' .. x/1 end return f(4) .. f{4} == nil
--%%
return {xpcall(function() error({err = 'A b'}) end, function(e) return e.err end)}
--%%
return {pcall(function() error('x') end)}
--%%
return {pcall(function() error('x', 0) end)}
--%%
return {pcall(function() error() end)}
--%%
return tostring(pcall(error))
--%%
for i = 1, 'x' do end
--%%
for i = 1, 2, {} do end
