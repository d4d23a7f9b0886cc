package g
import _ "embed"
//go:embed lua/release.lua
var release string
var a = "local a = redis.call('get', KEYS[1])\n" + `return a`
var lines = []string{"local b = redis.call('get', KEYS[1])", "return b"}
var b = strings.Join(lines, "\n")
func c() string { var buf bytes.Buffer; buf.WriteString("local c = redis.call('get', KEYS[1]) "); buf.WriteString("return c"); return buf.String() }
func d() string { s := "local d = redis.call('get', KEYS[1]) "; s += "return d"; return s }
func e() string { sb := &strings.Builder{}; fmt.Fprintf(sb, "local e = redis.call('%s', KEYS[1]) ", "get"); fmt.Fprint(sb, "return e"); return sb.String() }
var f = strings.ReplaceAll(`return redis.call("XX", KEYS[1])`, "XX", "get")
var g = strings.TrimSpace(`
return redis.call("get", KEYS[1])
`)
var h = `return redis.call("get", KEYS[` + strconv.Itoa(1) + `])`
type script struct { src string }
var i = script{src: `return redis.call("get", KEYS[1])`}
var j = [...]string{`return redis.call("get", KEYS[1])`, `return redis.call("ttl", KEYS[1])`}
const ( k1 = "local k = redis.call('get', KEYS[1]) "; k2 = k1 + "return k" )
