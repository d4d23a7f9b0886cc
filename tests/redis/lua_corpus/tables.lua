-- The table library and ways through tables.
--%%
local t={} for i=1,9000 do t[i]=i end local ok=0 for n=7980,8100 do if pcall(unpack,t,1,n) then ok=n end end return ok
--%%
local t={} for i=1,9000 do t[i]=i end local ok=0 for n=7900,8100 do if pcall(function() return redis.call('echo',unpack(t,1,n)) end) then ok=n end end return ok
--%%
local t={} for i=1,9000 do t[i]=i end local ok=0 for n=7900,8100 do if pcall(function() return select('#',unpack(t,1,n)) end) then ok=n end end return ok
--%%
table.sort({3,2,1}, function(a,b) error('in sort') end)
--%%
local e = redis.error_reply('x') local s='' for k,v in pairs(e) do s=s..k..'='..tostring(v)..';' end return s
--%%
return table.concat({1,2.5,1e15,'x'}, ',')
--%%
return table.concat({1,{},3})
--%%
return table.concat({1,nil,3}, ',', 1, 3)
--%%
local t={1,2,3} table.insert(t, 10, 5) return {#t, t[10]}
--%%
local t={1,2,3} table.insert(t)
--%%
local t={1,2,3} table.insert(t,1,2,3)
--%%
local t={1,2,3} return {table.remove(t, 7)}
--%%
local t={1,2,3} return {table.remove(t), #t}
--%%
return table.remove({})
--%%
return table.maxn({1,2,[10]=1,[1.5]=3})
--%%
return table.getn({1,2})
--%%
table.setn({},1)
--%%
return table.foreach({1,2,a=3}, function(k,v) if v==2 then return k end end)
--%%
return table.foreachi({5,6}, function(k,v) if v==6 then return k end end)
--%%
return ipairs()
--%%
return unpack()
--%%
return {unpack({1,2,nil,4}, 1, 4)}
--%%
return select(0)
--%%
return {select(-1, 1, 2)}
--%%
local x return #x
--%%
return select(2, pcall(string.rep))
--%%
return select(2, pcall(function() local x x.y = 1 end))
--%%
return next({})
--%%
#!lua
return 1
--%%
#!lua flags=no-writes
return 1
--%%
#!lua flags=no-writes,allow-oom,allow-stale,no-cluster,allow-cross-slot-keys
return 1
--%%
#!lua flags=
return 1
--%%
#!lua flags=xx
return 1
--%%
#!js
return 1
--%%
#!lua name=x
return 1
--%%
#!lua
--%%
#!lua  flags=no-writes,,
error('x')
--%%
#!
return 1
--%%
return #(4/2 .. 'abc')
--%%
local t = {} for i, v in ipairs({1, 2, nil, 4}) do t[#t+1] = v end return t
--%%
local n = 0 for k in pairs({1, 2, a = 3}) do n = n + 1 end return n
--%%
local t = {5, 6, 7} for k, v in pairs(t) do t[k] = nil end return next(t) == nil
--%%
return {select('#', nil, nil), select(2, 'a', 'b', 'c')}
--%%
return {pcall(unpack, {1, 2, 3})}
--%%
return table.concat({1, 2, 3}, ', ', 2, 3)
--%%
local t = {3, 1, 2} table.sort(t) return t
--%%
local t = {'b', 'a', 'c'} table.sort(t, function(a, b) return a > b end) return t
--%%
local t = {3, 1, 'x'} table.sort(t)
--%%
local t = {1,2,3,4,5,6,7,8} table.sort(t, function(a, b) return true end) return t
--%%
local t = {1, 2, 3} table.insert(t, 2, 9) table.remove(t, 1) return t
--%%
local t = {} t[1] = 1 t[2] = 2 t[4] = 4 return #t >= 2
--%%
return #{1, 2, 3, nil}
--%%
return #'abc'
--%%
local function f(...) return select('#', ...), ... end return {f(1, nil, 3)}
--%%
local function f(...) local t = {...} return #t end return f(1, 2)
