A = <<~LUA.gsub("XX", "get")
  return redis.call('XX', KEYS[1])
LUA
B = %w[local b].join(" ")
C = ["local c = redis.call('get', KEYS[1])", "return c"] * "\n"
D = <<~LUA.lines.map(&:strip).join(" ")
  local d = redis.call('get', KEYS[1])
  return d
LUA
E = "local e = redis.call('get', KEYS[1]) " + "return e"
F = format("return redis.call('%s', KEYS[1])", "get")
G = "return redis.call('%s', KEYS[1])" % "get"
H = "return redis.call('%<cmd>s', KEYS[1])" % { cmd: "get" }
I = File.read(File.expand_path("i.lua", __dir__))
J = <<~LUA
  local t = "#{[1, 2].map { |x| "#{x}" }.join}"
  return redis.call('get', KEYS[1])
LUA
K = <<LUA
return redis.call('get', KEYS[1])
LUA
L = "return redis.call('get', KEYS[1])" if true
def m = "return redis.call(\"get\", KEYS[1]) -- #{Process.pid}"
N = (<<-A + <<-B)
  local n = redis.call('get', KEYS[1])
  A
  return n
  B
