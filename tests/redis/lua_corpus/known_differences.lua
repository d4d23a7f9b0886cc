-- Where our replies are known to differ from Redis's; `--!` is ours. docs/fidelity.md says why.
--%%
--! (error) ERR Error compiling script (new function): user_script:1: unexpected symbol near '&'
return "a" & "b"
--%%
--! (error) ERR Error compiling script (new function): user_script:1: escape sequence too large near '"\300"'
return "\300"
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
--! (error) ERR Error compiling script (new function): user_script:1: this version of Lockstep does not offer '_ENV' to scripts
local _ENV = 1 return _ENV
--%%
--! (error) ERR Error compiling script (new function): user_script:1: this version of Lockstep does not offer '_ENV' to scripts
return _ENV
--%%
--! (error) ERR Error compiling script (new function): user_script:1: 'goto' can't be used as a name here
local goto = 5 return goto
--%%
--! (error) ERR Error compiling script (new function): user_script:1: unexpected symbol near '|'
return 5 | 2
--%%
--! (error) ERR Error compiling script (new function): user_script:1: unexpected symbol near '&'
return a & b
--%%
--! (error) ERR user_script:1: attempt to call field 'dump' (a nil value) script: 2f9cc4eafdab7d4f0a20d5fdda197fac2721d1d6, on @user_script:1.
return loadstring(string.dump(function() return 5 end))()
--%%
--! (error) ERR user_script:1: attempt to perform 'n%0' script: b1b2e62fb134a5dacddb52f528618b7a7e4e2481, on @user_script:1.
return tostring(5 % 0)
--%%
--! (error) ERR user_script:1: 'for' step is zero script: 3d61cd982ee851270b0bb61ffd3d2fe1b716a317, on @user_script:1.
for i = 1, 2, 0 do break end
--%%
--! "0"
return redis.call('echo', -tonumber('0'))
--%%
--! (nil)
return next({}, 'x')
--%%
--! "0"
return 0 * -1 .. ''
--%%
--! (error) ERR Unexpected flag in script shebang: "no-writes"
#!lua flags="no-writes"
return 1
--%%
--! (error) ERR Unknown lua shebang option: 'x
#!lua 'x
return 1
--%%
--! (error) ERR user_script:1: attempt to concatenate a nil value script: 807f341c69d7651026a70aeb315ae7073faf29cf, on @user_script:1.
local x = 4/2 local y return 'a' .. y
--%%
--! (error) ERR Error compiling script (new function): user_script:1: 'goto' can't be used as a name here
goto = 1
--%%
--! (error) ERR user_script:1: Script attempted to access nonexistent global variable 'arg' script: fc6656051edaa5931e36b064ff4250d5e73ba2e9, on @user_script:1.
local function f(...) return arg end return type(f(1))
