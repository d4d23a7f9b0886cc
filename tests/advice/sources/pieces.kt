object F {
  val A = "local a = redis.call('get', KEYS[1])\n" +
          "return a"
  val B = """
      local b = redis.call('get', KEYS[1])
      return b
  """.trimIndent().replace("\n", " ")
  val C = StringBuilder().append("local c = redis.call('get', KEYS[1]) ").append("return c").toString()
  val D = "return redis.call('%s', KEYS[1])".format("get")
  val E = String.format("return redis.call('%s', KEYS[1])", "get")
  fun f(n: Int) = "return redis.call('get', KEYS[$n])"
  val G = """return redis.call('get', KEYS[1]) -- ${"x"} ${1 + 1}"""
  val H = arrayOf("local h = redis.call('get', KEYS[1])", "return h").joinToString(separator = " ")
  val I get() = "return redis.call('get', KEYS[1])"
  val LINES = listOf("local j = redis.call('get', KEYS[1])", "return j")
  val J = LINES.joinToString("\n")
  val K = javaClass.getResource("/k.lua").readText()
  val L = """
      |local l = redis.call('get', KEYS[1])
      |return l
  """.trimMargin("|")
  val M = $$"""return redis.call('get', KEYS[1]) -- $x $${N}"""
  const val N = "n"
}
