"""Locks for asyncio, in the style of a small library. redis.call('x') here is no script."""
from __future__ import annotations

import logging
from dataclasses import dataclass
from textwrap import dedent
from typing import ClassVar, Final

KEY_PREFIX = "lock:"
PX: Final[str] = "PX"
_CHECK = "if redis.call('get', KEYS[1]) == ARGV[1] then"

RELEASE_LUA: Final = (
    _CHECK + "\n"
    "    return redis.call('del', KEYS[1])\n"
    "end\n"
    "return 0\n"
)

EXTEND_LUA = f"""\
{_CHECK}
    return redis.call('pexpire', KEYS[1], ARGV[2])
end
return 0 -- {{}}
"""

ACQUIRE_LUA = '''
-- it's "free" where nobody has it \\ escaped \x41\u00e4
local ok = redis.call("SET", KEYS[1], ARGV[1], "NX", "%s", ARGV[2])
if ok then return 1 end
return 0
''' % PX

COUNT_LUA = "\n".join((
    "local n = 0",
    "for _, key in ipairs(KEYS) do",
    "  n = n + redis.call('exists', key)",
    "end",
    "return n",
))


class Scripts:
    TOUCH = dedent(
        """
        local left = redis.call('pttl', KEYS[1])

        if left > 0 then
          redis.call('pexpire', KEYS[1], ARGV[1])
        end
        return left
        """
    ).strip()
    PEEK: ClassVar[str] = r"""return string.match(redis.call('get', KEYS[1]), '^\w+\.(%d+)$')"""


@dataclass
class Lock:
    name: str
    _release_script: object = None

    def __post_init__(self):
        self._release_script = self.client.register_script(RELEASE_LUA)
        self._touch = self.client.register_script(Scripts.TOUCH)

    async def owned(self) -> bool:
        script = "local owner = redis.call('get', KEYS[1]) "
        script += "if owner == false then return 0 end "
        script += 'return owner == ARGV[1] and 1 or 0'
        return bool(await self.client.eval(script, 1, self.name, self.token))

    async def clear(self, pattern: str = "lock:*"):
        lua = """
            local found = redis.call('keys', ARGV[1])
            for i = 1, #found, 5000 do redis.call('del', unpack(found, i, math.min(i + 4999, #found))) end
            return #found"""
        logging.debug("redis.call %s KEYS[1]", lua)
        return await self.client.eval(lua, 0, pattern)

    def fenced(self):
        return self.client.eval(
            "local token = redis.call('incr', KEYS[2]) "  # the counter
            # and then the lock
            "redis.call('hset', KEYS[1], ARGV[1], token) "
            "redis.call('pexpire', KEYS[1], ARGV[2]) "
            "return token",
            2, self.name, self.name + ":token", self.token, 1000)
