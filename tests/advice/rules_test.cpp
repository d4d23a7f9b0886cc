// Each rule on scripts and client models that break it, and on their right twins.
#include "advice/rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "advice/lock_advice.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "tests/advice/temporary_file.h"
#include "tests/redis/comparison/script_runner.h"
#include "tests/support/source_folder.h"

namespace lockstep::advice {
namespace {

struct Case {
  std::string source;
  std::vector<std::string> findings;  ///< "line:column rule", in order
};

std::vector<std::string> findings_of(const std::string& source) {
  const TemporaryFile file(source);
  std::vector<std::string> shown;
  for (const LintFinding& each : advise_on_file(file.path(), {})) {
    EXPECT_EQ(each.path, file.path().string());
    EXPECT_FALSE(each.what.empty());
    EXPECT_FALSE(each.reason.empty());
    shown.push_back(std::to_string(each.place.line) + ":" + std::to_string(each.place.column) +
                    " " + std::string(text_of(each.rule).name));
  }
  return shown;
}

void expect(const std::vector<Case>& cases) {
  for (const Case& each : cases) EXPECT_EQ(findings_of(each.source), each.findings) << each.source;
}

TEST(Rules, KeyNotInKeys) {
  expect({
      {"return redis.call('exists', 'orders')", {"1:29 key-not-in-keys"}},
      {"local key = 'lock:' .. ARGV[1]\nreturn redis.call('get', key)", {"2:26 key-not-in-keys"}},
      {"return redis.call('hget', ARGV[1], 'a')", {"1:27 key-not-in-keys"}},
      {"local other = redis.call('get', KEYS[1])\nreturn redis.call('get', other)",
       {"2:26 key-not-in-keys"}},
      {"for _, key in ipairs(redis.call('keys', '*')) do redis.call('get', key) end",
       {"1:68 key-not-in-keys"}},
      {"return redis.pcall('rename', KEYS[1], 'b')", {"1:39 key-not-in-keys"}},
      {"local call = redis.call\nreturn call('ttl', 'a')", {"2:20 key-not-in-keys"}},
      {"return redis.call('get', KEYS[1])", {}},
      {"return redis.call('get', KEYS[1] .. ':' .. ARGV[1])", {}},
      {"for _, key in ipairs(KEYS) do redis.call('get', key) end", {}},
      {"for i = 1, #KEYS do redis.call('get', KEYS[i]) end", {}},
      {"local function look(key) return redis.call('get', key) end\nreturn look(KEYS[2])", {}},
      {"return redis.call('publish', 'channel', ARGV[1])", {}},
      {"return redis.call('mget', unpack(KEYS))", {}},
  });
}

TEST(Rules, ValueInKeys) {
  expect({
      {"if redis.call('get', KEYS[1]) == KEYS[2] then return redis.call('del', KEYS[1]) end",
       {"1:31 value-in-keys"}},
      {"return redis.call('set', KEYS[1], KEYS[2], 'NX', 'PX', ARGV[1])", {"1:8 value-in-keys"}},
      {"local owner = KEYS[2]\nreturn redis.call('hexists', KEYS[1], owner)",
       {"2:8 value-in-keys"}},
      {"return redis.call('pexpire', KEYS[1], KEYS[2])", {"1:8 value-in-keys"}},
      {"local held = redis.call('get', ARGV[1])\nif KEYS[1] ~= held then return 0 end\nreturn 1",
       {"1:32 key-not-in-keys", "2:12 value-in-keys"}},
      // Channels, parts of keys, what a command that is not known takes, a list of keys.
      {"return redis.call('publish', KEYS[1], KEYS[2])", {}},
      {"return redis.call('hget', KEYS[1] .. ':' .. KEYS[2], 'a')", {}},
      {"return redis.call(ARGV[1], KEYS[2], KEYS[1])", {}},
      {"redis.call('sadd', KEYS[2], KEYS[1])\nreturn redis.call('exists', KEYS[1])", {}},
      {"for i = 2, #KEYS do redis.call('pexpire', KEYS[i], 5) end\n"
       "return redis.call('sismember', KEYS[1], KEYS[2])",
       {}},
      {"if KEYS[2] == ARGV[1] then return redis.call('exists', KEYS[1]) end", {}},
  });
}

TEST(Rules, NumbersAreNoLocks) {
  expect({
      // Counters, permits, the largest token: these stay, and anybody may remove them.
      {"local n = redis.call('get', KEYS[1]) or 0\nreturn redis.call('set', KEYS[1], n + 1)", {}},
      {"if tonumber(redis.call('get', KEYS[1]) or 0) > tonumber(ARGV[1]) then return 0 end\n"
       "return redis.call('set', KEYS[1], ARGV[1])",
       {}},
      {"if redis.call('incr', KEYS[1]) > 5 then redis.call('del', KEYS[1]) end", {}},
      {"return redis.call('hincrby', KEYS[1], 'taken', 1)", {}},
      {"if redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1])\n"
       "redis.call('publish', KEYS[2], ARGV[1]) end",
       {}},
      // What looks like them, and is a lock.
      {"if redis.call('exists', KEYS[1]) == 0 then redis.call('set', KEYS[1], ARGV[1]) end\n"
       "redis.call('publish', 'news', ARGV[1])",
       {"1:44 no-lease"}},
      {"redis.call('hincrby', KEYS[1], 'holds', 1)\nredis.call('hset', KEYS[1], ARGV[1], 1)",
       {"1:1 no-lease"}},
      {"local left = tonumber(ARGV[1]) - 1\nif redis.call('get', KEYS[1]) == 'x' then "
       "redis.call('del', KEYS[1]) end\nreturn left",
       {"2:43 delete-without-owner"}},
      {"if tonumber(redis.call('get', KEYS[1])) < tonumber(ARGV[1]) then\n"
       "redis.call('set', KEYS[1], ARGV[2]) end",
       {"2:1 no-lease"}},
  });
}

TEST(Rules, NoLease) {
  expect({
      {"return redis.call('set', KEYS[1], ARGV[1])", {"1:8 no-lease"}},
      {"redis.call('set', KEYS[1], ARGV[1], 'nx')", {"1:1 no-lease"}},
      {"if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then\n  return 1\nend\nreturn 0",
       {"1:4 no-lease"}},
      {"redis.call('hset', KEYS[1], ARGV[1], 1)\nif ARGV[2] then\n"
       "  redis.call('pexpire', KEYS[1], ARGV[2])\nend",
       {"1:1 no-lease"}},
      {"redis.call('pexpire', KEYS[1], ARGV[1])\nredis.call('hincrby', KEYS[1], ARGV[2], 1)",
       {"2:1 no-lease"}},
      {"redis.call('set', KEYS[1], ARGV[1], 'PX', 10)\nredis.call('persist', KEYS[1])",
       {"2:1 no-lease"}},
      {"redis.call('hset', KEYS[1], 'a', 1)\nif ARGV[1] == '' then error('no') end\n"
       "redis.call('expire', KEYS[1], 5)",
       {"1:1 no-lease"}},
      {"if redis.call('setnx', KEYS[1], ARGV[1]) == 1 then\n"
       "  redis.call('pexpire', KEYS[1], ARGV[2])\n  return 1\nend\nreturn 0",
       {}},
      {"return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", {}},
      {"return redis.call('set', KEYS[1], ARGV[1], unpack(ARGV))", {}},
      {"return redis.call('psetex', KEYS[1], ARGV[2], ARGV[1])", {}},
      {"if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then\n"
       "  return redis.call('hincrby', KEYS[1], ARGV[1], 1)\nend",
       {}},
      {"redis.call('hset', KEYS[1], 'a', 1)\nredis.call('del', KEYS[1])",
       {"2:1 delete-without-owner"}},
      {"return redis.call('incr', KEYS[1])", {}},
      {"return redis.call('rpush', KEYS[1], ARGV[1])", {}},
      {"for i = 1, #KEYS do redis.call('set', KEYS[i], ARGV[1]) end\n"
       "for i, key in ipairs(KEYS) do redis.call('pexpire', KEYS[i], 5) end",
       {}},
      // Less than a lease is also -1, which stands for no TTL; more is one.
      {"redis.call('hset', KEYS[1], 'a', 1)\n"
       "if redis.call('pttl', KEYS[1]) < tonumber(ARGV[1]) then\n"
       "  redis.call('pexpire', KEYS[1], ARGV[1])\nend",
       {}},
      {"redis.call('hset', KEYS[1], 'a', 1)\n"
       "if tonumber(ARGV[1]) >= redis.call('pttl', KEYS[1]) then\n"
       "  redis.call('pexpire', KEYS[1], ARGV[1])\nend",
       {}},
      {"redis.call('hset', KEYS[1], 'a', 1)\n"
       "if redis.call('pttl', KEYS[1]) == -1 then redis.call('pexpire', KEYS[1], ARGV[1]) end",
       {}},
      {"redis.call('hset', KEYS[1], 'a', 1)\n"
       "if redis.call('ttl', KEYS[1]) < 0 then redis.call('expire', KEYS[1], ARGV[1]) end",
       {}},
      {"redis.call('hset', KEYS[1], 'a', 1)\n"
       "if redis.call('pttl', KEYS[1]) > tonumber(ARGV[1]) then\n"
       "  redis.call('pexpire', KEYS[1], ARGV[1])\nend",
       {"1:1 no-lease"}},
  });
}

TEST(Rules, DeleteWithoutOwner) {
  expect({
      {"return redis.call('del', KEYS[1])", {"1:8 delete-without-owner"}},
      {"if redis.call('exists', KEYS[1]) == 1 then return redis.call('unlink', KEYS[1]) end",
       {"1:51 delete-without-owner"}},
      {"if redis.call('get', KEYS[2]) == ARGV[1] then return redis.call('del', KEYS[1]) end",
       {"1:54 delete-without-owner"}},
      {"if redis.call('get', KEYS[1]) ~= ARGV[1] then return redis.call('del', KEYS[1]) end",
       {"1:54 delete-without-owner"}},
      {"if redis.call('hincrby', KEYS[1], ARGV[1], -1) < 1 then redis.call('del', KEYS[1]) end",
       {"1:4 no-lease", "1:57 delete-without-owner"}},
      {"if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then redis.call('pexpire', KEYS[1], 5)\n"
       "else redis.call('del', KEYS[1]) end",
       {"2:6 delete-without-owner"}},
      {"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end", {}},
      {"local value = redis.call('get', KEYS[1])\nif not value or value ~= ARGV[1] then return 0 "
       "end\nreturn redis.call('del', KEYS[1])",
       {}},
      {"local mine = ARGV[1] == redis.call('get', KEYS[1])\nreturn mine and redis.call('del', "
       "KEYS[1]) or 0",
       {}},
      {"if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end\n"
       "redis.call('del', KEYS[1])",
       {}},
      {"if redis.call('hget', KEYS[1], ARGV[1]) then redis.call('del', KEYS[1]) end", {}},
      {"if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then redis.call('del', KEYS[1])\n"
       "else redis.call('pexpire', KEYS[1], 5) end",
       {}},
      {"local function mine(key) return redis.call('get', key) == ARGV[1] end\n"
       "if mine(KEYS[1]) then redis.call('del', KEYS[1]) end",
       {}},
      {"local owner = cjson.decode(redis.call('get', KEYS[1])).owner\n"
       "if owner == ARGV[1] then redis.call('del', KEYS[1]) end",
       {}},
      {"redis.call('lpop', KEYS[1])\nif redis.call('llen', KEYS[1]) == 9 then redis.call('del', "
       "KEYS[1]) end",
       {}},
  });
}

TEST(Rules, FixedOwner) {
  expect({
      {"return redis.call('set', KEYS[1], 'locked', 'NX', 'PX', ARGV[1])", {"1:8 fixed-owner"}},
      {"return redis.call('set', KEYS[1], 1, 'PX', ARGV[1])", {}},
      {"return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])", {}},
  });
}

TEST(Rules, NotLua51) {
  expect({
      {"return 7 // 2", {"1:10 not-lua-5.1"}},
      {"return 7 & 2 | ~1 ~ 3",
       {"1:10 not-lua-5.1", "1:14 not-lua-5.1", "1:16 not-lua-5.1", "1:19 not-lua-5.1"}},
      {"return 1 << 2 >> 1", {"1:10 not-lua-5.1", "1:15 not-lua-5.1"}},
      {"goto done\n::done::\nreturn 1", {"1:1 not-lua-5.1", "2:1 not-lua-5.1"}},
      {"local a <const> = 1\nreturn a", {"1:9 not-lua-5.1"}},
      {"return 7 / 2, 7 % 2, 2 ^ 3, bit.band(1, 3), '//'", {}},
  });
}

TEST(Rules, Globals) {
  expect({
      {"count = 1\nreturn count", {"1:1 global-assignment"}},
      {"function f() end\nreturn f()", {"1:10 global-assignment"}},
      {"print(1)\nreturn nothing", {"1:1 unknown-global", "2:8 unknown-global"}},
      {"local count = 1\ncount = 2\nlocal function f() return count end\nreturn f()", {}},
      {"return cjson.encode({redis.sha1hex(''), tostring(_VERSION), math.floor(1)})", {}},
  });
}

TEST(Rules, GlobalsAreThoseOfTheSandbox) {
  redis::test::ScriptRunner runner;
  const redis::Reply listed = runner.run(
      "local names = {} for name in pairs(_G) do names[#names + 1] = name end return names", {"k"});
  std::vector<std::string> names = {"KEYS", "ARGV", "_G"};
  for (const redis::Reply& each : listed.elements) names.push_back(each.text);
  EXPECT_GT(names.size(), 20U);
  for (const std::string& name : names) {
    if (name.find("__") == 0) continue;  // the engine's own
    EXPECT_EQ(findings_of("return type(" + name + ")"), std::vector<std::string>()) << name;
  }
  for (const std::string name :
       {"print", "dofile", "loadfile", "require", "io", "debug", "package"}) {
    EXPECT_EQ(findings_of("return type(" + name + ")"),
              std::vector<std::string>{"1:13 unknown-global"})
        << name;
    EXPECT_NE(runner.describe_run("return type(" + name + ")").find("nonexistent global"),
              std::string::npos)
        << name;
  }
}

TEST(Rules, RefusedCommand) {
  expect({
      {"return redis.call('subscribe', 'a')", {"1:8 refused-command"}},
      {"return redis.call('gett', KEYS[1])", {"1:8 refused-command"}},
      {"return redis.call('get', KEYS[1], KEYS[1])", {"1:8 refused-command"}},
      {"return redis.call('get', unpack(KEYS))", {}},
      {"return redis.call(ARGV[1], KEYS[1])", {}},
      {"return redis.call('XADD', KEYS[1], '*', 'a', 1)", {}},
  });
}

TEST(Rules, NotDeterministic) {
  expect({
      {"return redis.call('time')", {"1:8 not-deterministic"}},
      {"return redis.call('SPOP', KEYS[1])", {"1:8 not-deterministic"}},
      {"return redis.call('randomkey')", {"1:8 not-deterministic"}},
      {"return math.random(5)", {"1:8 not-deterministic"}},
      {"return os.time()", {"1:8 not-deterministic"}},
      {"return redis.call('smembers', KEYS[1])", {}},
  });
}

TEST(Rules, OrderOfPairs) {
  expect({
      {"local t = {a = 1}\nfor k, v in pairs(t) do redis.call('hset', KEYS[1], k, v) end\n"
       "redis.call('pexpire', KEYS[1], 5)",
       {"2:1 order-of-pairs"}},
      {"for k, v in next, cjson.decode(ARGV[1]) do redis.call('rpush', KEYS[1], v) end",
       {"1:1 order-of-pairs"}},
      {"for i, key in pairs(KEYS) do redis.call('pexpire', key, 5) end", {}},
      {"local all = redis.call('hkeys', KEYS[1])\n"
       "for i, key in pairs(all) do redis.call('rpush', KEYS[2], key) end",
       {}},
      {"local n = 0\nfor k in pairs({a = 1}) do n = n + 1 end\nreturn redis.call('rpush', KEYS[1], "
       "n)",
       {}},
  });
}

/// A client model around the body of `unlock`.
std::string client_model(const std::string& body) {
  return "local model = {}\nfunction model.unlock(lock)\n" + body + "\nend\nreturn model\n";
}

TEST(Rules, ReadThenWrite) {
  expect({
      {client_model("if client.command(1, 'GET', lock.name) == lock.token then\n"
                    "client.command(1, 'DEL', lock.name)\nend"),
       {"4:1 read-then-write"}},
      {client_model("local left = client.command(1, 'PTTL', lock.name)\n"
                    "client.command(1, 'SET', lock.name, lock.token, 'PX', left)"),
       {"4:1 read-then-write"}},
      {client_model(
           "local found, other = client.pipeline(1, {'HGET', lock.name, lock.token}, {'HSET', "
           "lock.name, lock.token, 2})\nclient.command(1, 'PEXPIRE', lock.name, 5)"),
       {"3:22 write-then-expire", "3:22 read-then-write"}},
      {client_model("if client.command(1, 'EXISTS', lock.name) == 0 then\n"
                    "client.command(1, 'SET', lock.name, lock.token, 'NX', 'PX', 5)\nend"),
       {}},
      {client_model(
           "client.command(1, 'GET', lock.name)\nclient.eval(1, 'release', {lock.name}, {})"),
       {}},
      {client_model("client.command(1, 'GET', lock.name)\n"
                    "client.command(1, 'SET', 'other:' .. lock.name, lock.token, 'PX', 5)"),
       {}},
  });
}

TEST(Rules, WriteThenExpire) {
  expect({
      {client_model("if client.command(1, 'SETNX', lock.name, lock.token) == 1 then\n"
                    "client.command(1, 'PEXPIRE', lock.name, 5)\nend"),
       {"3:4 write-then-expire"}},
      {client_model("client.command(1, 'SETNX', lock.name, lock.token)"), {"3:1 no-lease"}},
      {client_model("client.command(1, 'SET', lock.name, lock.token, 'NX', 'PX', 5)\n"
                    "client.command(1, 'PEXPIRE', lock.name, 6)"),
       {}},
  });
}

TEST(Rules, DeleteOfAClientModel) {
  expect({
      {client_model("client.command(1, 'DEL', lock.name)"), {"3:1 delete-without-owner"}},
      {"local model = {}\nfunction model.force_unlock(lock)\nclient.command(1, 'DEL', "
       "lock.name)\nend\n"
       "return model",
       {}},
  });
}

TEST(Rules, SlotsOfAHalf) {
  expect({
      {client_model("client.eval(1, 'release', {lock.name, 'queue:' .. lock.name}, {})"),
       {"3:1 different-slots"}},
      {client_model("client.eval(1, 'release', {lock.name, 'queue:{' .. lock.name .. '}'}, {})"),
       {}},
      {client_model("client.eval(1, 'release', {lock.name, 'queue:' .. client.token()}, {})"), {}},
  });
}

TEST(Rules, SayWhereTheHarmIsShown) {
  const std::filesystem::path root(source_folder());
  std::ifstream stream(root / "docs/lint.md");
  const std::string document{std::istreambuf_iterator<char>(stream), {}};
  std::size_t number = 0;
  for (const RuleText& rule : all_rules()) {
    EXPECT_EQ(static_cast<std::size_t>(rule.rule), number++) << rule.name;
    const std::string place(rule.shown_in.substr(0, rule.shown_in.find('#')));
    EXPECT_TRUE(std::filesystem::exists(root / place)) << rule.shown_in;
    EXPECT_NE(document.find("| `" + std::string(rule.name) + "` |"), std::string::npos)
        << rule.name;
    if (place.ends_with(".md")) {
      EXPECT_NE(document.find("## " + std::string(rule.name) + "\n"), std::string::npos)
          << rule.name;
    }
  }
}

TEST(Rules, SyntaxErrorsHaveALine) {
  struct Wrong {
    std::string source;
    std::uint32_t line;
    std::string what;
  };
  const std::vector<Wrong> cases = {
      {"local a = 1\nreturn (", 2, "unexpected symbol near '<eof>'"},
      {"if x then\n\nreturn 1", 3, "'end' expected (to close 'if' at line 1) near '<eof>'"},
      {"return 'a\n'", 1, "unfinished string near ''a'"},
      {"local model = {}\nfunction model.lock() client.sleep(1 end\nreturn model", 2,
       "')' expected near 'end'"},
  };
  for (const Wrong& each : cases) {
    const TemporaryFile file(each.source);
    try {
      EXPECT_TRUE(advise_on_file(file.path(), {}).empty());
      ADD_FAILURE() << each.source;
    } catch (const scenario::InputError& error) {
      EXPECT_EQ(error.place().file, file.path().string());
      EXPECT_EQ(error.place().line, each.line) << error.what();
      EXPECT_EQ(error.message(), each.what);
    }
  }
}

}  // namespace
}  // namespace lockstep::advice
