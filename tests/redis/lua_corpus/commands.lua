-- redis.call, redis.pcall and the rest of the redis table.
--%%
return redis.error_reply("x y\r\n")
--%%
return redis.error_reply("-")
--%%
return redis.error_reply("")
--%%
return redis.status_reply("a b")
--%%
return {xpcall(function() redis.call('foo') end, function(e) return type(e)..(e.err or '') end)}
--%%
return redis.pcall('foo')
--%%
return redis.pcall()
--%%
redis.call()
--%%
redis.call({})
--%%
redis.call('set','x')
--%%
return redis.pcall('eval','return 1',0)
--%%
return {redis.call('set','s','x'), redis.call('get','nosuch'), redis.call('get','s')}
--%%
error(redis.error_reply('My err'))
--%%
redis.setresp(3) return {true,false}
--%%
redis.setresp(3) return false
--%%
redis.setresp(3) return redis.call('get','nosuch') == nil
--%%
redis.setresp(3) return redis.call('set','s','x')
--%%
redis.call('set', 'k', 3.0, 'ex', 1/0)
--%%
return redis.call('echo', 9007199254740993)
--%%
return redis.call('echo', nil)
--%%
return redis.call('echo', true)
--%%
return redis.pcall('hset','x')
--%%
redis.call('set','s','x') redis.call('hset','s','f',1)
