-- Coroutines.
--%%
return coroutine.create(function() end)
--%%
return coroutine.running() == nil
--%%
local co = coroutine.create(function() local x x.y = 1 end) return {coroutine.resume(co)}
--%%
local w = coroutine.wrap(function() local x x.y = 1 end) w()
--%%
local co = coroutine.wrap(function() redis.call('foo') end) co()
--%%
return {coroutine.resume(coroutine.create(function() redis.call('foo') end))}
--%%
return select(2, coroutine.resume(coroutine.create(function() redis.call('foo') end))).err
--%%
local co = coroutine.create(function(a) local b = coroutine.yield(a + 1) return b * 2 end) local _, x = coroutine.resume(co, 1) local _, y = coroutine.resume(co, 5) return {x, y, coroutine.status(co)}
--%%
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) return {co(), co(), co()}
--%%
local co = coroutine.create(function() end) coroutine.resume(co) return {coroutine.resume(co)}
