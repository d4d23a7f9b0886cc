const lines: string[] = ["local a = redis.call('get', KEYS[1])", "return a"];
export const A = lines.join("\n");
const b = `local b = redis.call('get', KEYS[1])
return b` as const;
const c = `return redis.call('get', KEYS[${1}])`;
const d = `return redis.call('get', '${prefix}' .. KEYS[1])`;
const e = ["local e = redis.call('get', KEYS[1])"].concat("return e").join("\n");
const f = "local f = redis.call('get', KEYS[1]) ".concat("return f");
const g = outdent`
    local g = redis.call('get', KEYS[1])
      return g
  `;
const h = fs.readFileSync(path.join(__dirname, "h.lua"), "utf8");
const parts: string[] = []; parts.push("local i = redis.call('get', KEYS[1])"); parts.push("return i"); const I = parts.join("\n");
const j = `return redis.call('get', KEYS[1])`.replace("get", "ttl");
const k = `
  ${head()}
  return redis.call('get', KEYS[1])`;
enum S { L = "return redis.call('get', KEYS[1])" }
const m = cond ? `return redis.call('get', KEYS[1])` : undefined;
client.eval(n, 1); client.eval(`return 1`); client.evalsha(sha, 1);
const o = { script: ({ a }) => `return redis.call('get', ${a})` };
