-- What is refused when a script is compiled, and what is not.
--%%
local x = 1 & 2
--%%
local x = 5 // 2
--%%
return 1 << 2
--%%
local x <const> = 1
--%%
::a:: return 1
--%%
goto continue
--%%
local x = ~1
--%%
foo bar
--%%
foo
--%%
return return
--%%
x = "abc
--%%
x = [[abc
--%%
local t = {1,2
--%%
if x then
--%%
for i=1 do end
--%%
function f( end
--%%
return 0x
--%%
return 3x
--%%
return tostring(1e15)..' '..1e14..' '..2^53..' '..100000000000000
--%%
return 0x.8
--%%
for i=1,2 do break local x=1 end
--%%
for i=1,2 do break; local y end
--%%
;
--%%
local x=1;; return x
--%%
if true then; end
--%%
# comment
return 1
--%%
 #!lua
return 1
--%%
local a <close> = nil
