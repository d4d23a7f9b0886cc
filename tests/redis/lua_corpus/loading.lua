-- load and loadstring.
--%%
return load
--%%
return {loadstring('x y')}
--%%
return {loadstring('x y','=name')}
--%%
return loadstring('return 1')()
--%%
return load('return 1')
--%%
return load(function() return nil end)
--%%
return {loadstring('return ...', 'n')(5), loadstring('local a <const> = 1')}
--%%
local f, e = loadstring('x =', '=chunk') return e
--%%
local f, e = loadstring('x = = 1', '@file') return e
--%%
local f, e = loadstring('x y\nz') return e
--%%
local i = 0 local f = load(function() i = i + 1 return ({'return ', '4', '2'})[i] end) return f()
