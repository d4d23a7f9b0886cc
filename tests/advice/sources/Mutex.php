<?php

declare(strict_types=1);

namespace App\Lock;

use Redis;

final class Mutex
{
    private const OWNER = 'ARGV[1]';
    private const RELEASE = <<<'LUA'
        if redis.call("get", KEYS[1]) == ARGV[1] then
            return redis.call("del", KEYS[1]) -- it's $mine {$mine} \n
        end
        return 0
        LUA;
    public const EXTEND = 'if redis.call("get", KEYS[1]) == ' . self::OWNER . ' then '
        . 'return redis.call("pexpire", KEYS[1], ARGV[2]) '
        . 'end return 0';

    #[Pure]
    private static function acquireScript(): string
    {
        $px = 'PX';
        return <<<"LUA"
        local ok = redis.call('set', KEYS[1], ARGV[1], 'NX', '{$px}', ARGV[2])\t-- \$ok
        if ok then
          return 1
        end
        return 0
        LUA;
    }

    public function release(string $key): bool
    {
        return (bool) $this->redis->eval(self::RELEASE, [$key, $this->token], 1);
    }

    public function count(): int
    {
        // a "comment" with redis.call('get', KEYS[1])
        # and 'another
        $lines = [
            "local n = redis.call('hlen', KEYS[1])",
            'return n',
        ];
        return $this->redis->eval(implode("\n", $lines), ['k'], 1);
    }

    public function touch(array $keys): mixed
    {
        $lua = "for i, key in ipairs(KEYS) do\n";
        $lua .= "  redis.call('pexpire', key, ARGV[1])\n";
        $lua .= 'end' . PHP_EOL;
        $lua .= sprintf('return %d', 1);
        return $this->redis->eval($lua, $keys, count($keys));
    }

    public function peek(): mixed
    {
        return $this->client->eval(
            "return redis.call('get', KEYS[1]) .. \"\\x41\" -- \x41\u{1F512}\101",
            1,
            'k'
        );
    }

    public function call(): string
    {
        return $this->redis->rawCommand('EVAL', 'return redis.call("ttl", KEYS[1])', 1, 'k') . <<<HTML
            <p>It's {$this->name}</p>
            HTML;
    }
}
