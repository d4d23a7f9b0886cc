class KLock(private val redis: Redis) {
  companion object {
    private const val PX = "PX"
    private val ACQUIRE = """
        if redis.call('set', KEYS[1], ARGV[1], 'NX', '$PX', ARGV[2]) then
          return 1
        end
        return 0
    """.trimIndent()
    private val MARGIN = """
        |return redis.call('get', KEYS[1])
        |  -- ${'$'}x
    """.trimMargin()
  }
  suspend fun release(key: String): Boolean =
    redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then " +
        "return redis.call('del', KEYS[1]) else return 0 end", listOf(key))
  fun bad(name: String) = redis.eval("return redis.call('get', '$name' .. KEYS[1])", 1)
}
