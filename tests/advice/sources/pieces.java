class A {
  static final String[] LINES = { "local n = redis.call('incr', KEYS[1])", "return n" };
  static final String JOINED = String.join("\n", LINES);
  static final List<String> L2 = List.of("local n2 = redis.call('incr', KEYS[1])", "return n2");
  String a() { return L2.stream().collect(Collectors.joining("\n")); }
  String b() { return new StringBuilder().append("local b = redis.call('get', KEYS[1]) ").append("return b").toString(); }
  String c() { return "local c = redis.call('get', KEYS[1])" + System.lineSeparator() + "return c"; }
  String d() { return """
      local d = redis.call('get', KEYS[1]) -- \"""
        return d\
      """.replace("d", "dd"); }
  String e() { StringBuilder s = new StringBuilder(); for (int i = 0; i < 2; i++) { s.append("redis.call('del', KEYS[1]) "); } return s.toString(); }
  String f() { return Joiner.on("\n").join("local f = redis.call('get', KEYS[1])", "return f"); }
  String g = "local g = redis.call('get', KEYS[1]) " + (flag ? "return g" : "return 1");
  RScript.Mode m; Object h() { return script.eval(RScript.Mode.READ_WRITE, "return redis.call('get', KEYS[1])", RScript.ReturnType.VALUE); }
  String i() { return MessageFormat.format("return redis.call(''get'', KEYS[{0}])", 1); }
  static String load(String s) { return s; } String j = load("x.lua");
}
