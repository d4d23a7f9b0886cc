-- cjson, with objects of one member: the order of more is no promise of either.
--%%
return cjson.encode(1)
--%%
return cjson.encode(-1.5)
--%%
return cjson.encode(1e15)
--%%
return cjson.encode(123456789012345)
--%%
return cjson.encode(2^53)
--%%
return cjson.encode(1/3)
--%%
return cjson.encode(0)
--%%
return cjson.encode(-0)
--%%
return cjson.encode(1e-7)
--%%
return cjson.encode(1e300)
--%%
return cjson.encode("a")
--%%
return cjson.encode("")
--%%
return cjson.encode(nil)
--%%
return cjson.encode(true)
--%%
return cjson.encode(false)
--%%
return cjson.encode(cjson.null)
--%%
return cjson.encode({})
--%%
return cjson.encode({{}})
--%%
return cjson.encode({1,2,3})
--%%
return cjson.encode({1,nil,3})
--%%
return cjson.encode({1,nil,nil,nil,5})
--%%
return cjson.encode({[1]=1,[2]=2,[4]=4})
--%%
return cjson.encode({a=1})
--%%
return cjson.encode({a={b={c={1,{}}}}})
--%%
return cjson.encode({[1.5]=1})
--%%
return cjson.encode({[-1]=1})
--%%
return cjson.encode({[0]=1})
--%%
return cjson.encode({[1]="x",[20]="y"})
--%%
return cjson.encode({[1]=1,a=2,[3]=nil})
--%%
return cjson.encode({["1"]=1})
--%%
return cjson.encode({1,"2",true,cjson.null,{}})
--%%
return cjson.encode("\0\1\31 /\\\"\127\200\255")
--%%
return cjson.encode("\b\t\n\f\r")
--%%
return cjson.encode(1/0)
--%%
return cjson.encode(-1/0)
--%%
return cjson.encode(0/0)
--%%
return cjson.encode({[true]=1})
--%%
return cjson.encode({[{}]=1})
--%%
return cjson.encode(print)
--%%
return cjson.encode(tostring)
--%%
return cjson.encode(coroutine.create(tostring))
--%%
return cjson.encode(redis.call("get","s"))
--%%
return cjson.encode(redis.call("get","nokey"))
--%%
return cjson.encode(redis.call("set","a",1))
--%%
return cjson.encode(redis.pcall("hget","s","f").err)
--%%
return cjson.encode(KEYS)
--%%
return cjson.encode({KEYS,ARGV})
--%%
return cjson.encode(setmetatable({1},{__index=function() return 9 end}))
--%%
return cjson.encode({[1]=1,[2]=2,[3]=3,[11]=4})
--%%
return cjson.encode({[1]=1,[11]=4})
--%%
return cjson.encode({[1]=1,[12]=4,[2]=2})
--%%
return cjson.encode({[2^40]=1})
--%%
return cjson.encode({[11]=1})
--%%
return cjson.encode({[10]=1})
--%%
return cjson.encode({x="\226\130\172"})
--%%
return cjson.encode(100000)
--%%
return cjson.encode(1e14)
--%%
return cjson.encode(12345678901234567890)
--%%
return cjson.encode(0.1)
--%%
return cjson.encode(-1e-320)
--%%
return cjson.encode(4/2)
--%%
return cjson.encode(10/2)
--%%
return cjson.encode()
--%%
return cjson.encode(1,2)
--%%
return cjson.encode(nil,nil)
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('-1'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1.5e3'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"x"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('true'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('false'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('null'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1,2,[3,{"a":[]}]]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":1}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":{"b":null}}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode(' [ 1 , 2 ] '))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('\t\n\r[1]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1,2'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{a:1}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a" 1}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":1,}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1,]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[,1]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1 2]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1 2'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode(''))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('tru'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('nul'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('falsey'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[01]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('0x10'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('+1'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('-'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('--1'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('-0'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1e'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1e5x'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('.5'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('1.'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('inf'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('-inf'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('nan'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('Infinity'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[NaN]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"abc'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"a\nb"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\x"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\u00e9\\u20ac\\ud83d\\ude00"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\ud83d"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\ude00"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\u12"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\u12g4"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\ud83d\\u0041"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\b\\f\\n\\r\\t\\/\\\\\\""'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\\u0000x"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1e400,-1e400,1e-400]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('12345678901234567890'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('0.1'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('@'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('\0'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[\0]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('\0\0'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('a\0'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[1]]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode(']'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode(':'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode(','))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":1 "b":2}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":1,2}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{1:2}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a"}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[true false]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('["a" "b"]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"\200\255"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('{"a":1,"a":2}'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[[[[[]]]]]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('123abc'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('[tru]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('"a\0b"'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('\239\187\191[]'))
--%%
local show show = function(v) local t = type(v) if t ~= 'table' then return t .. ':' .. tostring(v) end local keys = {} for k in pairs(v) do keys[#keys + 1] = tostring(k) end table.sort(keys) local s = '{' for _, k in ipairs(keys) do s = s .. k .. '=' .. show(v[k] == nil and v[tonumber(k)] or v[k]) .. ',' end return s .. '}' end return show(cjson.decode('/* */1'))
--%%
local ok, e = pcall(function() return cjson.decode() end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.decode(1,2) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.decode({}) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.decode(5.5) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.decode(nil) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.decode(true) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.encode({1/0}) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_max_depth(0) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_max_depth("x") end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_max_depth(1,2) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_number_precision(15) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_number_precision(0) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_invalid_numbers("x") end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_invalid_numbers(5) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_sparse_array(1) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_sparse_array(true,-1) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().encode_keep_buffer({}) end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().decode_invalid_numbers("null") end) return {tostring(ok), tostring(e)}
--%%
local ok, e = pcall(function() return cjson.new().decode_max_depth(2.9) end) return {tostring(ok), tostring(e)}
--%%
local a, b, c = cjson.encode_sparse_array() return {tostring(a), b, c}
--%%
local x = cjson.new() x.encode_sparse_array(true) return {x.encode({[1]=1,[20]=2}), tostring(pcall(cjson.encode, {[1]=1,[20]=2}))}
--%%
local x = cjson.new() return {tostring(x.encode_max_depth(3)), x.encode({{{}}}), tostring(select(2, pcall(x.encode, {{{{}}}})))}
--%%
local x = cjson.new() x.decode_max_depth(3) return {type(x.decode("[[[]]]")), tostring(select(2, pcall(x.decode, "[[[[]]]]")))}
--%%
local x = cjson.new() x.encode_number_precision(3) return x.encode({1/3, 123456, 0.1})
--%%
local x = cjson.new() x.encode_invalid_numbers(true) return x.encode({1/0, -1/0, 0/0})
--%%
local x = cjson.new() x.encode_invalid_numbers("null") return {x.encode({1/0, -1/0, 0/0}), x.encode_invalid_numbers()}
--%%
local x = cjson.new() x.encode_invalid_numbers("on") return tostring(x.encode_invalid_numbers())
--%%
local x = cjson.new() x.decode_invalid_numbers(false) return {tostring(select(2, pcall(x.decode, "[nan]"))), tostring(select(2, pcall(x.decode, "[01]"))), tostring(select(2, pcall(x.decode, "0x1"))), tostring(select(2, pcall(x.decode, "-inf")))}
--%%
local x = cjson.new() return {tostring(x.encode_keep_buffer()), tostring(x.encode_keep_buffer(false)), tostring(x.encode_keep_buffer("on"))}
--%%
return {tostring(cjson.null), type(cjson.null), tostring(cjson.null == cjson.decode("null")), cjson._NAME, cjson._VERSION}
--%%
local t = cjson.decode(string.rep("[", 1000) .. string.rep("]", 1000)) return cjson.encode(t) == string.rep("[", 999) .. "{}" .. string.rep("]", 999)
--%%
return cjson.decode(string.rep("[", 1001) .. string.rep("]", 1001))
--%%
local t = {} for i = 1, 1000 do t = {t} end return cjson.encode(t)
--%%
local t = {} t[1] = t return cjson.encode(t)
--%%
local t = {} t.a = t return cjson.encode(t)
--%%
local x = cjson.new() x.encode_max_depth(100000) local t = {} for i = 1, 9000 do t = {t} end return x.encode(t)
--%%
local x = cjson.new() x.encode_max_depth(100000) local t = {} for i = 1, 9000 do t = {a = t} end return x.encode(t)
--%%
local x = cjson.new() x.decode_max_depth(100000) return x.decode(string.rep("[", 9000))
--%%
local x = cjson.new() x.decode_max_depth(100000) return x.decode(string.rep('{"a":', 9000))
--%%
cjson.x = 1
--%%
cjson.encode = nil
--%%
return cjson.nothing
--%%
local c = cjson return c.encode({1})
--%%
return {cjson.null, 1}
--%%
return cjson.null
--%%
local t = cjson.decode("[1,null,3]") return {#t, tostring(t[2]), t[3]}
--%%
local t = cjson.decode('{"a":[1,2,{"b":3.5}]}') return {t.a[1], tostring(t.a[3].b), #t.a}
--%%
return cjson.encode(cjson.decode("[1,2.5,\"x\",true,null,{\"k\":[]}]"))
--%%
return redis.call("set", "k", cjson.encode({n = 10/2}))
--%%
local r = {} for i = 1, 3 do r[i] = {id = i} end return cjson.encode(r)
--%%
return #cjson.encode(string.rep("x", 100000))
