-- struct.pack, unpack and size.
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('b', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('b', -1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('B', 255))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('B', 256))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('B', -1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('h', -2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('H', 65535))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>H', 258))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('<H', 258))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('l', -5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('L', 2^53))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('L', 2^63))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('L', 2^64))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('l', -2^63))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('T', 7))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>i', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('I', 2^32))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i1', 5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i3', -2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>i3', 66051))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i8', 2^52))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>I16', 258))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i16', -1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('I32', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('I33', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i0', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('f', 1.5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>f', 0.1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('d', 0.1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('>d', -2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('x'))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('xx'))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('s', "abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('s', ""))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('s', 5.5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('s', 10/2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('c', "abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('c2', "abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('c0', "abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('c4', "abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('bc0', 3,"abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('Bc0', 3,"abc"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!4bi', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!bi', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!8bd', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!3b', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!0b', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!2bi', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('b i', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('<i>i<i', 1,1,1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('q', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('z', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('=i', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', "7"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', "x"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i'))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', nil))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', 1.9))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', -1.9))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i', 1/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('L', 0/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('l', 1e300))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i99999999999', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('c99', "a"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!8bhild', 1,2,3,4,5))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('!4 b!2 i', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('bbb', 1,2))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('i5', 2^39))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('%', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('5', 1))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('s', nil))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('d', "1.5"))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('f', 1e300))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('f', 1/0))
--%%
local hex = function(s) return (string.gsub(s, '.', function(c) return string.format('%02x', string.byte(c)) end)) end return hex(struct.pack('hhh', 1,2,3,4))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b', '\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('B', '\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('h', '\255\254'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('>h', '\255\254'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('H', '\1\2'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('>H', '\1\2'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('i', '\1\2\3\4'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('I', '\255\255\255\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('l', '\255\255\255\255\255\255\255\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('L', '\255\255\255\255\255\255\255\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('i3', '\255\255\255'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('I3', '\1\2\3'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('i16', '\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('f', '\0\0\192\63'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('d', '\0\0\0\0\0\0\248\63'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('>d', '\63\248\0\0\0\0\0\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('s', 'abc\0d'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('s', 'abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('ss', 'a\0b\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('c', 'abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('c3', 'abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('c4', 'abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('c0', 'abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('Bc0', '\3abcd'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('Bc0', '\9abcd'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('sc0', '2\0abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('sc0', 'x\0abc'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('bx', '\1\2'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('x', 'a'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('!4bi', '\1\0\0\0\2\0\0\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('!bi', '\1\0\0\0\2\0\0\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('bb', '\1'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('', 'x'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('q', 'x'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b b', '\1\2'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('>hb<h', '\0\1\2\3\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('i0', ''))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('T', '\1\0\0\0\0\0\0\0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('I33', 'x'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('i9', '\1\2\3\4\5\6\7\8\9'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b','\1\2\3',2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b','\1',2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b','\1',0))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b','\1',-1))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b','\1','x'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('bb','\1\2\3',2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack())
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack(1,2))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('b',5))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('s','ab\0',3))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.unpack('s','ab\0',4))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('b'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('bhild'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('!8bhild'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('c5x'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('s'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('c0'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('i33'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('<i>i'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('q'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size(''))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size())
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('!4bi !8 d'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('%'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('T'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('5'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('i!'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.size('f'))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.pack())
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.pack({}))
--%%
local show show = function(v) if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = k end table.sort(keys, function(a, b) return tostring(a) < tostring(b) end) local s = '{' for _, k in ipairs(keys) do s = s .. tostring(k) .. '=' .. show(v[k]) .. ',' end return s .. '}' end local all = function(...) local s = select('#', ...) .. '|' for i = 1, select('#', ...) do s = s .. show((select(i, ...))) .. '|' end return s end return all(struct.pack('!16b',1))
--%%
struct.x = 1
--%%
return struct.foo
--%%
return struct.pack('>I2c0', 3, 'abc') == '\0\3abc'
--%%
local n, v, p = struct.unpack('>HB', struct.pack('>HB', 500, 7)) return {n, v, p}
--%%
return struct.pack('>I8', 1700000000000)
--%%
return struct.unpack('s', string.rep('x', 70000) .. '\0') == string.rep('x', 70000)
--%%
return #struct.pack(string.rep('d', 100), unpack((function() local t = {} for i = 1, 100 do t[i] = i end return t end)()))
