-- Patterns: find, match, gmatch, gsub.
--%%
return string.gsub('hello world', 'o', '%x')
--%%
return string.gsub('abc', '%w*', 'x')
--%%
return {string.gsub('abc', '%w*', 'x')}
--%%
return {string.gsub('hello world', '(o)', '<%1%0>')}
--%%
return {string.gsub('hello', '', '-')}
--%%
return {string.gsub('hello', 'x*', '-')}
--%%
return {string.gsub('hello', 'x*', '-', 2)}
--%%
return {string.gsub('hello', '^x*', '-')}
--%%
return {string.gsub('abc def', '(%w*) ?(%w*)', '%2 %1')}
--%%
return {string.gsub('abc', '%w-', '%0')}
--%%
return {string.gsub('abc', '%w', '%1%1')}
--%%
return {string.gsub('abc', '%w', '%2')}
--%%
return {string.gsub('abc', '%w?', '%2')}
--%%
return {string.gsub('abc', '%w?', {a='1', b=2, c=false})}
--%%
return {string.gsub('abc', '%w?', function(x) if x == 'b' then return 'B' end end)}
--%%
return {string.gsub('abc', '%w?', function(x) return {} end)}
--%%
return {string.gsub('abc', '()%w?', '%1')}
--%%
return {string.gsub('abc', 'b', nil)}
--%%
return {string.gsub('abc', 'b', '%')}
--%%
return {string.gsub('a.b-c', '[.-]', '%%')}
--%%
return {string.gsub('$name is $x', '%$(%w+)', {name='Lua'})}
--%%
local t = {} for w in string.gmatch('one two  three', '%a*') do t[#t+1] = w end return t
--%%
local t = {} for w in string.gmatch('one two', '%a+') do t[#t+1] = w end return t
--%%
local t = {} for k, v in string.gmatch('a=1, b=2', '(%w+)=(%w*)') do t[#t+1] = k .. v end return t
--%%
local t = {} for k in string.gmatch('^a^b', '^%w?') do t[#t+1] = k end return t
--%%
local t = {} for k in string.gmatch('abc', '()') do t[#t+1] = k end return t
--%%
local t = {} for k in string.gmatch('abc', '()%w?') do t[#t+1] = k end return t
--%%
local t = {} for k in string.gfind('abc', '%w') do t[#t+1] = k end return t
--%%
return {string.find('abc', 'b', -1), string.find('abc', '')}
--%%
return {string.match('key:123', '(%a+):(%d+)')}
