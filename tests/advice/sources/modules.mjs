// A lock for node, in the style of a library of ES modules.
import { createHash } from 'node:crypto';
import fs from 'node:fs';

const RELEASED = 1, NOT_OURS = 0;
const KEY = 'KEYS[1]';
export const scripts = Object.freeze({
  acquire: /* lua */ `
    if redis.call('exists', ${KEY}) == 0 then
      redis.call('hset', ${KEY}, ARGV[2], 1)
      redis.call('pexpire', ${KEY}, ARGV[1])
      return nil
    end
    return redis.call('pttl', ${KEY})
  `,
  release: [
    'if redis.call("hexists", KEYS[1], ARGV[1]) == 0 then',
    '  return ' + NOT_OURS,
    'end',
    `redis.call("del", KEYS[1])`,
    `return ${RELEASED}`,
  ].join('\n'),
  'extend-lease': 'return redis.call("pexpire", KEYS[1], ' + "ARGV[1])",
});

export class Semaphore {
  static #ACQUIRE = String.raw`
local pattern = '^\d+$'
local value = redis.call('get', KEYS[1])
if value and tonumber(value) > 0 then return redis.call('decr', KEYS[1]) end
return -1`.trim();
  static RELEASE = "\
local value = redis.call('incr', KEYS[1])\n\
redis.call('publish', KEYS[2], value)\n\
return value";

  constructor(redis) {
    this.redis = redis;
    redis.defineCommand('semAcquire', { numberOfKeys: 1, lua: Semaphore.#ACQUIRE });
    redis.defineCommand('semPeek', { numberOfKeys: 1, lua: `return redis.call('get', KEYS[1]) or '\u{1F512}'` });
    redis.defineCommand("semReset", { lua: fs.readFileSync(new URL('./reset.lua', import.meta.url), 'utf8'), numberOfKeys: 1 });
  }

  release() {
    const re = /`'"\/[`'"/]/g;
    return this.redis.eval(Semaphore.RELEASE, 2, 'a', 'b').then((x) => x / 2 / 3);
  }

  async drain(key, { force = false } = {}) {
    const lua = force
      ? `redis.call('set', KEYS[1], 0) return 0`
      : `local n = redis.call('get', KEYS[1]) redis.call('set', KEYS[1], 0) return n`;
    return this.redis.eval(lua, 1, key);
  }

  load = async () => await this.redis.script('LOAD', `return redis.call('ttl', KEYS[1])`);
}
let big = "";
big += "local t = redis.call('time') ";
big += "return t[1]";
export const BIG = big;
