-- The rest of the string library.
--%%
return string.len(10/2)
--%%
return string.bad('x')
--%%
return {pcall(string.rep)}
