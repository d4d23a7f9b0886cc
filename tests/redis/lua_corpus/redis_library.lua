-- The redis table, numbers, and the grammar of 5.1.
--%%
return redis.acl_check_cmd("set","k","v")
--%%
return redis.acl_check_cmd("foo")
--%%
return redis.acl_check_cmd("get")
--%%
return redis.acl_check_cmd()
--%%
return redis.acl_check_cmd({})
--%%
return redis.acl_check_cmd("config")
--%%
return redis.acl_check_cmd("config","get","x")
--%%
return redis.set_repl(redis.REPL_NONE)
--%%
redis.set_repl(redis.REPL_NONE) redis.call('set', 'k', 1) redis.set_repl(redis.REPL_ALL) return redis.call('get', 'k')
--%%
return redis.set_repl(9)
--%%
return redis.set_repl()
--%%
return redis.breakpoint()
--%%
return redis.debug("x")
--%%
return tostring(redis.replicate_commands())
--%%
return {redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}
--%%
redis.setresp(3) return true
--%%
redis.setresp(3) return false
--%%
redis.setresp(4)
--%%
redis.setresp()
--%%
redis.setresp("x")
--%%
redis.setresp("3") return 1
--%%
redis.setresp(3.5)
--%%
redis.setresp(3) return tostring(redis.call("get","nokey"))
--%%
redis.setresp(3) redis.setresp(2) return tostring(redis.call("get","nokey"))
--%%
return {double=1.5}
--%%
return {double=1/0}
--%%
return {double=0/0}
--%%
return {map={a=1}}
--%%
return {map={}}
--%%
return {set={a=true}}
--%%
return {big_number="123"}
--%%
return {verbatim_string={format="txt",string="x"}}
--%%
return {verbatim_string={format="txt"}}
--%%
return {double="x"}
--%%
return {map=1}
--%%
redis.log(redis.LOG_NOTICE, 'a', 5, 'b')
--%%
redis.log(9, 'x')
--%%
redis.log('x', 'y')
--%%
redis.log(1)
--%%
return redis.sha1hex('')
--%%
return redis.sha1hex(5)
--%%
return redis.sha1hex()
--%%
return redis.sha1hex(1, 2)
--%%
return redis.error_reply('My err')
--%%
return redis.status_reply(5)
--%%
return "5" + "6"
--%%
return -"0" .. ""
--%%
return "0" * "-1" .. ""
--%%
return "9223372036854775807" + "1" .. ""
--%%
return "inf" + 1 .. ""
--%%
return "0x10" + 1
--%%
return ("10" / "4") .. ""
--%%
return "2" ^ "3" .. ""
--%%
return 5 % "3"
--%%
return "7" % "0" .. ""
--%%
return "a" + 1
--%%
return 1 + {}
--%%
return 9007199254740993 .. ''
--%%
return 2^53 + 1 == 2^53
--%%
return tostring(1e14 + 1)
--%%
return tostring(99999999999999 + 1)
--%%
return 1e15 % 7
--%%
return 5.3 % 0.1 .. ''
--%%
return -5 % 3 .. '|' .. 5 % -3 .. '|' .. 5 % -math.huge .. '|' .. -5 % math.huge
--%%
return 2^63 % 10 .. ''
--%%
local t = {} t[1.0] = 'a' t[2^53] = 'b' return {t[1], t[2^53]}
--%%
for i = 1, 3 do if i == 2 then return i .. '' end end
--%%
local s = '' for i = 3, 1, -1 do s = s .. i end return s
--%%
local s = '' for i = 0, 1, 0.25 do s = s .. i .. ' ' end return s
--%%
local s = '' for i = '1', '3' do s = s .. i end return s
--%%
for i = 1, 0, 0 do return 'once' end return 'never'
--%%
for i = 'a', 2 do end
--%%
return select('#', 1, nil, 2) .. ''
--%%
return select(-1, 1, 2.5)
--%%
return select(2, 'a', 1.5) .. ''
--%%
return #'abc' .. '' .. -#'' .. -#'abc'
--%%
local t = setmetatable({1, 2}, {__len = function() return 9 end}) return #t
--%%
return ({string.find('hello', 'l')})[1] .. ''
--%%
return string.byte('A') .. '' .. string.len('abc')
--%%
return string.gsub('abc', '%w', {a = 1, b = 2.5})
--%%
return string.gsub('abc', '%w', function(c) return string.byte(c) end)
--%%
return string.match('hello', '()ll()') .. ''
--%%
return string.rep('ab', 3) .. string.rep('x', '2')
--%%
return math.floor(3.7) .. '' .. math.max(1, 2.5) .. math.abs(-0)
--%%
return tostring(math.huge) .. tostring(-math.huge) .. math.pi
--%%
return tostring(tonumber('5\0x'))
--%%
return tostring(tonumber('0x')) .. tostring(tonumber('1e')) .. tostring(tonumber('0x1p4')) .. tostring(tonumber(' 7 '))
--%%
local x = 'abc' return x .. nil
--%%
local t = {} return 'a' .. t.x
--%%
local t = {} return 'a' .. t[1]
--%%
local t = {} return 'a' .. t['k'] .. 'b'
--%%
local t = {} return t % 2
--%%
local x return x % 2
--%%
local x return 2 % x
--%%
return ('a'):foo()
--%%
break
--%%
local a <const> = 1
--%%
return 1;;
--%%
f(
--%%
x = = 1
--%%
local function f(a, ..., b) end
--%%
return function() return ... end
--%%
for i = 1 do end
--%%
for i in do end
--%%
if x then else elseif y then end
--%%
local t = {1, 2
--%%
return (1
--%%
a.b:c = 1
--%%
(f) = 1
--%%
f() = 1
--%%
x, y
--%%
local x = 1 x
--%%
return return
--%%
goto x
--%%
::x::
--%%
return 1 // 2
--%%
return a ~ b
--%%
return !a
--%%
return '\400'
--%%
return [==[ x
--%%
return "abc
--%%
return 1e
--%%
return 3..4
--%%
return 0xg
--%%
local function f() break end
--%%
while true do local function g() break end end
--%%
repeat local x = 1 until x == 1 return 'done'
--%%
local x = f
(g)
--%%
return #{1, 2, 3, nil} .. ''
--%%
return (function(...) return select('#', ...) end)(nil, nil)
--%%
local function f(...) return arg.n, arg[1] end return {f('a', nil, 'c')}
--%%
local function f(...) local x = ... return tostring(arg) end return f(1)
--%%
local function f(arg) return arg end return f(5)
--%%
return setmetatable({}, {__gc = function() end}) and 1
--%%
return tostring(cjson.null)
--%%
local goto = {goto = 1} return goto.goto
--%%
return _G._ENV
--%%
return loadstring('return 1 + 1')() .. ''
--%%
return loadstring('x = = 1')
--%%
return {loadstring('return', 'name')}
--%%
return tostring(0/0) .. tostring(-(0/0))
--%%
return math.fmod(5, 3) .. '' .. math.fmod(-5, 3)
--%%
return 7 / 2 .. '' .. 6 / 2
--%%
return 1e300 * 1e10 .. ''
--%%
return {1.9, -1.9, 2^31, 2^53, -2^63}
