using System;
using StackExchange.Redis;

namespace Locks;

#region "scripts"
public static class Scripts
{
    private const string Owner = "ARGV[1]";
    public const string Release =
        "if redis.call('get', KEYS[1]) == " + Owner + " then\n" +
        "  return redis.call('del', KEYS[1])\n" +
        "end\n" +
        "return 0";

    public static readonly string Extend = $@"
        if redis.call(""get"", KEYS[1]) == {Owner} then
            return redis.call(""pexpire"", KEYS[1], ARGV[2]) -- C:\dir {{braces}}
        end
        return 0";

    public static string Raw => $$"""
        local t = {'a', "b"}
        if redis.call("get", KEYS[1]) == {{Owner}} then
          return t[1]
        end
        """;

    public static readonly LuaScript Prepared = LuaScript.Prepare(@"
        local v = redis.call('get', @key)
        if v == @owner then return redis.call('del', @key) end
        return 0");

    internal static string Quoted = """"return redis.call("get", KEYS[1]) .. '"""' """";
    internal static readonly string Lines = string.Join(Environment.NewLine, new[] { "local n = redis.call('incr', KEYS[1])", "return n" });
    internal static readonly string Lines2 = string.Join("\n", "local m = redis.call('decr', KEYS[1])", "return m");
}
#endregion

public sealed class RedisLock(IDatabase db) : IAsyncDisposable
{
    private const char Quote = '"';
    private static readonly byte[] Hash = Convert.FromHexString("00");

    public async ValueTask<bool> ReleaseAsync(string key, string owner)
    {
        var result = await db.ScriptEvaluateAsync(Scripts.Release, new RedisKey[] { key }, new RedisValue[] { owner });
        return (long)result == 1;
    }

    public Task<RedisResult> CountAsync(RedisKey key) =>
        db.ScriptEvaluateAsync("""return redis.call("hlen", KEYS[1])""", [key]);

    public Task<RedisResult> Peek(RedisKey key)
    {
        var sb = new StringBuilder();
        sb.AppendLine("local v = redis.call('get', KEYS[1])");
        sb.Append("return v");
        return db.ScriptEvaluateAsync(sb.ToString(), new[] { key });
    }

    public string Formatted => string.Format("return redis.call('{0}', KEYS[1]) -- {{{1}}}", "ttl", "x");
}
