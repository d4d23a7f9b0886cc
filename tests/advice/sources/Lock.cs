namespace Locks
{
  public class RedLock : IRedLock
  {
    private static readonly string UnlockScript = @"if redis.call('get', KEYS[1]) == ""a"" then
        return redis.call('del', KEYS[1])
    end";
    static readonly LuaScript Extend = LuaScript.Prepare("return redis.call('pexpire', @key, @ttl)");
    const string Raw = """
        if redis.call('get', KEYS[1]) then
          return 1
        end
        """;
    string Get => $"return redis.call('get', KEYS[1]) -- {Name} {{x}}";
    private static readonly string FromRes = EmbeddedResourceLoader.GetEmbeddedResource("Locks.Lua.Extend.lua");
    public async Task<bool> Release(IDatabase db) {
      var r = await db.ScriptEvaluateAsync(UnlockScript, new RedisKey[] { "x" });
      await db.ScriptEvaluateAsync(FromRes, keys);
      return (bool)await db.ScriptEvaluateAsync("return 1", null);
    }
  }
}
