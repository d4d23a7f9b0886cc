-- Numbers from text and as text.
--%%
return tonumber('0x10') + tonumber('10',2) + tonumber('ff',16) + tonumber(' 12 ')
--%%
return tostring(tonumber('-ff', 16))
--%%
return tostring(tonumber(10, 16))
--%%
return {tostring(0/0), tostring(-(0/0)), tostring(1/0), tostring(-1/0)}
