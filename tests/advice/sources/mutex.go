package locks
var deleteScript = redis.NewScript(1, `
	local val = redis.call("GET", KEYS[1])
	return val
`, "e950836ed1e694540c503ef9972b8de518044d3b")
const (
	luaRefresh = `if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) else return 0 end`
	head = "local a = redis.call('get', KEYS[1]) "
)
func (m *Mutex) release(ctx context.Context, pool redis.Pool, value string) (bool, error) {
	status, err := conn.Eval(deleteScript, m.name, value)
	x := rdb.Eval(ctx, "return redis.call('del', KEYS[1])", []string{m.name})
	y := rdb.Eval(ctx, head + "return a", []string{m.name})
	z := rdb.Eval(ctx, fmt.Sprintf("return redis.call('%s', KEYS[1])", m.cmd), []string{m.name})
	w := rdb.Eval(ctx, strings.Join([]string{"local b = KEYS[1]", "return b"}, "\n"), nil)
	v := rdb.Eval(ctx, other.Script, nil)
}
