#!/usr/bin/env node
'use strict';
// Ours, in the style of clients that define commands.
const Redis = require('ioredis');
const redis = new Redis({
  scripts: {
    spin: { numberOfKeys: 1, lua: "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])" },
  },
});

redis.defineCommand('unlock', {
  numberOfKeys: 1,
  lua: dedent`if redis.call('get', KEYS[1]) == ARGV[1] then
    return redis.call('del', KEYS[1])
  end`,
});

exports.renew = function (key) {
  return redis.eval('return redis.call(\'pexpire\', KEYS[1], ARGV[1])', 1, key);
};

module.exports = {
  async count(key) {
    const text = String.raw`return redis.call('eval', "return '\n'", 0) -- ${'KEYS[1]'}`;
    return redis.eval(text, 0);
  },
  other: cond ? "return ARGV[1]" : 'return ARGV[2]',
};

function first(key) { return redis.eval("return \u004bEYS[1] .. '\x41\u{1F512}'", 1, key); }
