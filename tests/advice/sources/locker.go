package locker

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"
)

const quote = '`' // a rune

var (
	// ErrNotHeld says "redis.call" nowhere.
	luaRelease = redis.NewScript(`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`)
	luaPTTL    = redis.NewScript(`
-- keeps its tabs
	if redis.call("get", KEYS[1]) == ARGV[1] then
		return redis.call("pttl", KEYS[1])
	end
	return -3
`)
	luaBack = redis.NewScript("return '" + "`" + "' .. redis.call(\"get\", KEYS[1])\n")
)

const head, tail = "local v = redis.call('get', KEYS[1])\n", "return v\n"

const whole = head +
	"if not v then return -1 end\n" +
	tail

type Lock struct{ scripts map[string]string }

func New() *Lock {
	return &Lock{scripts: map[string]string{
		"obtain": `return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])`,
		"count":  "return redis.call('exists', KEYS[1])",
	}}
}

func (l *Lock) Refresh(ctx context.Context, ttl int) error {
	script := fmt.Sprintf(`return redis.call("pexpire", KEYS[1], %d) -- %s 100%%`, 500, "x")
	if _, err := l.client.Eval(ctx, script, []string{l.key}).Result(); err != nil {
		return fmt.Errorf("refresh: %w", err)
	}
	var sb strings.Builder
	sb.WriteString("local a = redis.call('get', KEYS[1]) ")
	sb.WriteString("return a")
	l.client.Eval(ctx, sb.String(), []string{l.key})
	lines := []string{
		"local n = redis.call('incr', KEYS[1])",
		"return n",
	}
	l.client.Eval(ctx, strings.Join(lines, "\n"), []string{l.key})
	return l.client.Eval(ctx, whole, []string{l.key}).Err()
}
