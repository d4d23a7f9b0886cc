<?php
class D {
  const LINES = ["local n = redis.call('incr', KEYS[1])", 'return n'];
  function a() { return implode(PHP_EOL, self::LINES); }
  function b() { return join("\n", ["local b = redis.call('get', KEYS[1])", 'return b']); }
  function c() { $s = []; $s[] = "local c = redis.call('get', KEYS[1])"; $s[] = "return c"; return implode("\n", $s); }
  function d() { return str_replace('XX', 'get', "return redis.call('XX', KEYS[1])"); }
  function e() { return <<<LUA
    return redis.call('get', '{$this->prefix}' .. KEYS[1])
    LUA; }
  function f() { return file_get_contents(__DIR__ . '/lock.lua'); }
  function g() { return trim("
    return redis.call('get', KEYS[1])
  "); }
  function h() { return 'return redis.call(\'get\', KEYS[1]) -- \n ' . "\$x"; }
  function i() { return sprintf(<<<'LUA'
    return redis.call('%s', KEYS[1])
    LUA, 'get'); }
  function j() { $lua = <<<LUA
return redis.call('ttl', KEYS[1])
LUA;
  return $lua; }
}
