LINES = ["local a = redis.call('get', KEYS[1])", "return a"]
A = "\n".join(LINES)
B = ("local b = redis.call('get', KEYS[1])"
     "\nreturn b")
C = "local c = redis.call('get', KEYS[1]) " \
    "return c"
D = """return redis.call('get', KEYS[1]) -- {x} {{""".replace("{x}", "y")
E = "return redis.call('%(cmd)s', KEYS[1])" % {"cmd": "get"}
F = "return redis.call('{}', KEYS[{n}])".format("get", n=1)
G = Template("return redis.call('$cmd', KEYS[1])").substitute(cmd="get")
H = (Path(__file__).parent / "h.lua").read_text()
I = f"return redis.call('get', KEYS[{1}]) -- {A!r:>10} {{}}"
J = rb"return redis.call('get', KEYS[1])"
K = '''return redis.call("get", KEYS[1]) -- '' \''' '''
class L:
    src = "return redis.call('get', KEYS[1])"
    def run(self): return self.r.eval(self.src, 1)
    def m(self): return "local m = redis.call('get', KEYS[1]) " + ("return m" if self.x else "return 1")
N = []; N.append("local n = redis.call('get', KEYS[1])"); N.append("return n"); N2 = "\n".join(N)
O: str = textwrap.dedent('''
    local o = redis.call('get', KEYS[1])
    return o
''').lstrip()
def p(): 
    """Doc: redis.call('get', KEYS[1])"""
    return "return redis.call('get', KEYS[1])"
