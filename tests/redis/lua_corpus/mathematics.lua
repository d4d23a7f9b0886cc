-- The math and bit libraries.
--%%
return math.mod(5,3) + math.log10(100) + math.pow(2,3)
--%%
return tostring(math.fmod(7,0))
--%%
return math.max()
--%%
return {math.frexp(8), math.ldexp(1,3), math.modf(3.7)}
--%%
return tostring(math.floor(2^60))
--%%
return bit.band(1.9,3) .. bit.tohex(255) .. bit.tohex(255,-4) .. bit.bswap(1) .. bit.bnot(0)
--%%
return bit.band()
--%%
return bit.lshift(1,31) .. ' ' .. bit.rshift(-1,1) .. ' ' .. bit.arshift(-8,1) .. ' ' .. bit.rol(1,33) .. ' ' .. bit.ror(1,1)
--%%
return bit.tobit('x')
--%%
return math.floor('x')
--%%
return math.floor()
--%%
return math.huge .. ''
--%%
return math.floor(3.7) .. '' .. math.sqrt(16) .. '' .. math.max(1, 2.0) .. '' .. math.abs(-3.0)
--%%
return {math.pow(2, 0.5) > 1.4, math.log(8, 2) > 2, math.atan2(1, 1) > 0.7, math.fmod(7, 3), math.fmod(-7, 3)}
--%%
math.randomseed(5) return {tostring(math.random()), math.random(10), math.random(5, 6)}
--%%
math.randomseed(-1) return {tostring(math.random()), math.random(1.7, 2.2), math.random(3, 3)}
--%%
return math.random(0)
--%%
return math.random(1,2,3)
--%%
return math.random(2, 1)
