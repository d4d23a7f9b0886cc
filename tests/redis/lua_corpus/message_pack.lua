-- cmsgpack, with maps of one member.
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(127))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(128))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(255))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(256))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(65535))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(65536))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(2^32-1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(2^32))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(2^53))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(2^63))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(2^64))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1e300))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-32))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-33))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-128))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-129))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-32768))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-32769))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-2^31))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-2^31-1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-2^63))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-2^70))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(0.5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(0.1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-1.5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1/3))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-1/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(0/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(nil))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(true))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(false))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(""))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack("abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(string.rep("x",31)))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(string.rep("x",32)))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(string.rep("x",255)))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(string.rep("x",256)))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({1}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({1,2,3}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({1,nil,3}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({a=1}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({[0]=1}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({[2]=1}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({[1.5]=2}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({{{}}}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({a={b={c=1}}}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({[true]=false}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(tostring))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(cjson.null))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1,2,3))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({1},"x",nil))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({[1]=1,[2]=2}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({nil,2}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(coroutine.create(tostring)))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack({tostring}))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1e10))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(-1e10))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(16777217))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(3.4028235e38))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(3.5e38))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(1e-46))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(cmsgpack.pack(5e-324))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return #cmsgpack.pack(string.rep("x", 65535)) .. hex(string.sub(cmsgpack.pack(string.rep("x", 65536)), 1, 6))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end local t = {} for i = 1, 16 do t[i] = i end return hex(cmsgpack.pack(t))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end local t = {} for i = 1, 70000 do t[i] = 1 end return hex(string.sub(cmsgpack.pack(t), 1, 6))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end local t = {} for i = 1, 20 do t = {t} end return hex(cmsgpack.pack(t))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end local t = {} t[1] = t return hex(cmsgpack.pack(t))
--%%
local t = {} for i = 1, 16 do t["k" .. i] = i end local s = cmsgpack.pack(t) return {#s, string.byte(s, 1, 3)}
--%%
return cmsgpack.pack()
--%%
return {cmsgpack._NAME, cmsgpack._VERSION, cmsgpack._COPYRIGHT, cmsgpack._DESCRIPTION}
--%%
cmsgpack.x = 1
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\127"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\224"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\255"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\192"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\193"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\194"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\195"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\202\063\192\000\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\203\063\248\000\000\000\000\000\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\204\200"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\205\001\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\206\255\255\255\255"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\207\255\255\255\255\255\255\255\255"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\208\128"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\209\128\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\210\128\000\000\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\211\128\000\000\000\000\000\000\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\163\097\098\099"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\163\097"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\217\002\097\098"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\218\000\001\097"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\219\000\000\000\001\097"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\147\001\002\003"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\147\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\220\000\001\005"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\221\000\000\000\001\005"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\129\161\097\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\129\161\097"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\222\000\001\001\002"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\223\000\000\000\001\001\002"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\001\002\003"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\196\001\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\199\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\212\001\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\204"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\205\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\202\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\144"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\128"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\130\001\002\001\003"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\129\192\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\129\203\127\248\000\000\000\000\000\000\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\146\192\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\221\255\255\255\255\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\129\195\001"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\001\193"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\217"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack("\145\145\145\145\145\000"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack(""))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one(""))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001\002\003"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001\002\003",1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001\002\003",2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001\002\003",3))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001",4))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001",-1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",2,1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",0))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",0,1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",-1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003",10))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002\003"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one())
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack())
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack({}))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack(1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001","x"))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_one("\001\193",1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack_limit("\001\002",1.9))
--%%
return #{cmsgpack.unpack(string.rep("\001", 7990))}
--%%
return cmsgpack.unpack(string.rep("\001", 9000))
--%%
return type(cmsgpack.unpack(string.rep("\145", 3000) .. "\001"))
--%%
return cmsgpack.unpack(string.rep("\145", 5000) .. "\001")
--%%
return cmsgpack.unpack(string.rep("\129\001", 5000) .. "\001")
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(cmsgpack.unpack(cmsgpack.pack({1, "x", {a = {true, 2.5}}}, nil, 7)))
