class C {
  const string A = "local a = redis.call('get', KEYS[1])" + "\n" + "return a";
  static ReadOnlySpan<byte> B => "return redis.call('get', KEYS[1])"u8;
  string c() { return new StringBuilder().AppendLine("local c = redis.call('get', KEYS[1])").AppendLine("return c").ToString(); }
  string d = $"""
      local d = redis.call('get', KEYS[{1}])
      return d
      """;
  string e = $"return redis.call('{nameof(Get)}', KEYS[1])";
  string[] lines = { "local f = redis.call('get', KEYS[1])", "return f" };
  string F => string.Join("\n", lines);
  string g = string.Concat("local g = redis.call('get', KEYS[1]) ", "return g");
  string h = @"
local h = redis.call('get', KEYS[1])
return h".Trim();
  string i = "local i = redis.call('get', KEYS[1]) return i".Replace("i", "ii");
  static string J() { var s = new StringBuilder("local j = "); s.Append("redis.call('get', KEYS[1]) "); s.Append("return j"); return s.ToString(); }
  string k = File.ReadAllText("scripts/unlock.lua");
}
