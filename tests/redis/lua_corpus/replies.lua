-- Lua values as replies.
--%%
return {ok="a\r\nb"}
--%%
return "\x41\q\z"
--%%
local function f() return f() end
--%%
return {double=3.5}
--%%
return {map={a=1}}
--%%
return {set={a=true,b=false}}
--%%
return {big_number='12345'}
--%%
return {verbatim_string={format='txt',string='hello'}}
--%%
return {double=1/0}
--%%
return {double=0/0}
--%%
return {double=3}
--%%
return {double='x'}
--%%
return {map=1}
--%%
return {verbatim_string={format=1,string='hello'}, 5}
--%%
return {big_number="1\r\n2"}
--%%
return function() end
--%%
return 1,2,3
--%%
return "\
x"
--%%
return 9007199254740993
--%%
return 0x1p4
--%%
for i=1,2 do break; end
--%%
return 1;
--%%
return [[
x]]
--%%
return [[a [[b]]
--%%
local n = 0 for i = 1.5, 3 do n = n + i end return n
--%%
return {('x'):rep(3), ('a,b'):find(',', 1, true), ('%d'):format(3.7), ('abc'):byte(1, -1)}
--%%
local t = {['end'] = 1} return t['end']
--%%
return 'a' < 'b', 'Z' < 'a'
--%%
for i = '1', 2 do return i end
--%%
for i = 1, '2' do if i == 2 then return i end end
--%%
local s = 0 for i = 10, 1, -3 do s = s + i end return s
--%%
local t = {} t['x'] = nil return t.x == nil
