-- The rest of the string library.
--%%
return string.len(10/2)
--%%
return string.bad('x')
--%%
return {pcall(string.rep)}
--%%
return string.rep('x', -1e300)
--%%
return string.rep('x', 0/0)
--%%
return string.rep('', 1e300)
--%%
return string.rep('x', 2^32 + 3)
--%%
return string.rep('x', 1e300)
