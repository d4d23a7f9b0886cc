"""Docs: uses KEYS[1] as lock and redis.call('x')"""
import textwrap
class Lock:
    """A lock.

    KEYS[1] - lock name
    """
    lua_release = None
    # KEYS[1] - lock name
    LUA_RELEASE_SCRIPT = """
        local token = redis.call('get', KEYS[1])
        if not token or token ~= ARGV[1] then
            return 0
        end
        redis.call('del', KEYS[1])
        return 1
    """
    def register_scripts(self):
        cls = self.__class__
        client = self.redis
        if cls.lua_release is None:
            cls.lua_release = client.register_script(cls.LUA_RELEASE_SCRIPT)
        self.other = client.register_script(OTHER)
    def run(self, script):
        return self.redis.eval(script, 1, self.name)
    async def extend(self):
        return await self.redis.eval(
            "if redis.call('get', KEYS[1]) == ARGV[1] then "  # mine
            'return redis.call("pexpire", KEYS[1], ARGV[2]) '
            f"else return {FREED} end", 1, self.name)
UNLOCK = textwrap.dedent("""\
    if redis.call('get', KEYS[1]) == ARGV[1]
    then
      return redis.call('del', KEYS[1])
    end
""")
FREED = -1
RAW = (r"return string.find(KEYS[1], '\d+')"
       b" -- x")
LINES = "\n".join([
    "local a = redis.call('get', KEYS[1])",
    "return a",
])
PCT = "return redis.call('%s', KEYS[1])" % "get"
FMT = "return redis.call('{cmd}', KEYS[1]) -- {{}}".format(cmd="del")
IMPORTED = r.register_script(pkg.SCRIPT)
from_file = r.register_script(open("a.lua").read())
