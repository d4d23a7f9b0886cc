package example.locks

import org.springframework.data.redis.core.script.DefaultRedisScript
import org.springframework.data.redis.core.script.RedisScript

private const val OWNER = "ARGV[1]"
const val TTL = "ARGV[2]"

/* nested /* comments */ "redis.call('no')" */
object LuaScripts {
    const val UNLOCK: String = "if redis.call('get', KEYS[1]) == $OWNER then " +
        "return redis.call('del', KEYS[1]) " +
        "else return 0 end"

    val LOCK = """
        |local ok = redis.call('set', KEYS[1], ${OWNER}, 'NX', 'PX', $TTL)
        |if ok then
        |    return 1 -- "taken"
        |end
        |return 0
        """.trimMargin()

    @JvmStatic
    val RENEW: String by lazy {
        """
            if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then
                return redis.call('pexpire', KEYS[1], ARGV[1])
            end
            return 0
        """.trimIndent()
    }
}

class Locker(private val template: Template) {
    private val unlockScript: RedisScript<Long> = DefaultRedisScript(LuaScripts.UNLOCK, Long::class.java)
    private val countScript = RedisScript.of<Long>("return redis.call('hlen', KEYS[1])", Long::class.java)
    private val peek = DefaultRedisScript<String>().apply {
        setScriptText("""return redis.call('get', KEYS[1]) .. '${'$'}' """)
        resultType = String::class.java
    }

    fun tryLock(key: String, owner: String) = template.execute(RedisScript.of(LuaScripts.LOCK), listOf(key), owner)

    fun joined() = listOf(
        "local n = redis.call('scard', KEYS[1])",
        "return n",
    ).joinToString("\n")

    fun built(): String = buildString {
        append("local v = redis.call('get', KEYS[1]) ")
        append("return v")
    }

    companion object {
        val CHAR = '"'
        val EMPTY = """"""
        val QUOTED = """return redis.call("get", KEYS[1]) .. "x""""
    }
}
