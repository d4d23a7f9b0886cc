-- Where our replies are known to differ from Redis's; `--!` is ours. docs/fidelity.md says why.
--%%
--! "err=ERR Unknown Redis command called from script;ignore_error_stats_update=true;"
local e = redis.pcall('foo') local s='' for k,v in pairs(e) do s=s..k..'='..tostring(v)..';' end return s
--%%
--! "err=ERR Wrong number of args calling Redis command from script;ignore_error_stats_update=true;"
local e = redis.pcall('get') local s='' for k,v in pairs(e) do s=s..k..'='..tostring(v)..';' end return s
--%%
--! "err=WRONGTYPE Operation against a key holding the wrong kind of value;ignore_error_stats_update=true;"
local e = redis.pcall('hset','s','f',1) local s='' for k,v in pairs(e) do s=s..k..'='..tostring(v)..';' end return s
--%%
--! (error) ERR user_script:1: attempt to call field 'dump' (a nil value) script: 2f9cc4eafdab7d4f0a20d5fdda197fac2721d1d6, on @user_script:1.
return loadstring(string.dump(function() return 5 end))()
--%%
--! (nil)
return next({}, 'x')
--%%
--! (error) ERR user_script:1: attempt to concatenate a nil value script: f8f87e355745107f7e3e6b991d0b9e57224dbf10, on @user_script:1.
return 'a'
  .. nil
