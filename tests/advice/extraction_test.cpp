// What is found in sources of each style, to the byte, and what is made of sources that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "advice/script_extraction.h"
#include "tests/support/source_folder.h"

namespace lockstep::advice {
namespace {

std::string read_source(const std::string& name) {
  std::ifstream stream(source_folder() + "/tests/advice/sources/" + name, std::ios::binary);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

HostLanguage language_of(const std::string& name) {
  return name.ends_with(".java") ? HostLanguage::java : HostLanguage::javascript;
}

Extraction extract_named(std::string_view source, HostLanguage language) {
  Extraction extraction = extract_scripts(source, language);
  std::vector<ExtractedScript*> scripts;
  for (ExtractedScript& each : extraction.scripts) scripts.push_back(&each);
  number_names(scripts);
  return extraction;
}

/// The one script that a piece of source has.
std::string only_script(std::string_view source, HostLanguage language) {
  const Extraction extraction = extract_scripts(source, language);
  EXPECT_EQ(extraction.complaints.size(), 0U) << source;
  EXPECT_EQ(extraction.scripts.size(), 1U) << source;
  return extraction.scripts.empty() ? std::string() : extraction.scripts[0].body;
}

struct Expected {
  std::string file;
  std::string name;
  std::uint32_t line;
  std::string body;
};

std::vector<Expected> expected_scripts() {
  return {
      {"CountingLock.java", "EXTEND", 10,
       "if redis.call('hexists', KEYS[1], ARGV[2]) == 1 then redis.call('pexpire', KEYS[1], "
       "ARGV[1]); return 1 end; return 0;"},
      {"CountingLock.java", "tryAcquireAsync", 18,
       "if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == "
       "1)) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], "
       "ARGV[1]); return nil; end; return redis.call('pttl', KEYS[1]);"},
      {"CountingLock.java", "releaseAsync", 34,
       "if (redis.call('hexists', KEYS[1], ARGV[3]) == 0) then return nil;end; if "
       "(redis.call('hincrby', KEYS[1], ARGV[3], -1) > 0) then redis.call('pexpire', KEYS[1], "
       "ARGV[2]); return 0; else redis.call('del', KEYS[1]); redis.call('publish', KEYS[2], "
       "\"<<FREED>>\"); return 1; end; return nil;"},
      {"CountingLock.java", "lockAll", 44, "return redis.call('exists', KEYS[1])"},
      {"CountingLock.java", "start", 49,
       "local n = 0\nfor i = 1, #KEYS do\n\tn = n + redis.call('exists', KEYS[i])\nend\nreturn "
       "n\n"},
      {"TextBlocks.java", "RELEASE", 4,
       "-- Frees the lock.\nif redis.call(\"get\", KEYS[1]) == ARGV[1] then\n  return "
       "redis.call('del', KEYS[1])\nend\nreturn redis.error_reply('not \\ yours')"},
      {"TextBlocks.java", "joined", 14, "local held = redis.call('get', KEYS[1])\nreturn held"},
      {"redlock.ts", "ACQUIRE_SCRIPT", 4,
       "\n  -- It's taken where nobody has it: \"SET NX\" for many keys.\n  for i, key in "
       "ipairs(KEYS) "
       "do\n    if redis.call(\"exists\", key) == 1 then\n      return 0\n    end\n  end\n  for i, "
       "key in ipairs(KEYS) do\n    redis.call(\"set\", key, ARGV[1], \"PX\", ARGV[2])\n  end\n  "
       "return #KEYS\n"},
      {"redlock.ts", "releaseScript", 17,
       "\n  local count = 0\n  for i, key in ipairs(KEYS) do\n    if redis.call(\"get\", key) == "
       "ARGV[1] then\n      count = count + redis.call(\"del\", key)\n    end\n  end\n  return "
       "count\n"},
      {"redlock.ts", "extend", 32,
       "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call(\"pexpire\", KEYS[1], "
       "ARGV[2]) end return 0"},
      {"redlock.ts", "isHeld", 39,
       "local held = redis.call('get', KEYS[1])\nreturn held == ARGV[1] and 1 or 0"},
      {"redlock.ts", "drift", 46,
       "return redis.call('pexpire', KEYS[1], <<Math.round(lease * 0.01)>>)"},
      {"commands.js", "spin", 7, "return redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2])"},
      {"commands.js", "unlock", 13,
       "if redis.call('get', KEYS[1]) == ARGV[1] then\n    return redis.call('del', KEYS[1])\n  "
       "end"},
      {"commands.js", "renew", 19, "return redis.call('pexpire', KEYS[1], ARGV[1])"},
      {"commands.js", "count", 24, "return redis.call('eval', \"return '\\n'\", 0) -- KEYS[1]"},
      {"commands.js", "exports", 27, "return ARGV[1]"},
      {"commands.js", "exports-2", 27, "return ARGV[2]"},
      {"commands.js", "first", 30, "return KEYS[1] .. 'A\xF0\x9F\x94\x92'"},
  };
}

TEST(Extraction, FindsEveryScriptOfEachStyleToTheByte) {
  for (const std::string file :
       {"CountingLock.java", "TextBlocks.java", "redlock.ts", "commands.js"}) {
    const Extraction found = extract_named(read_source(file), language_of(file));
    EXPECT_EQ(found.complaints.size(), 0U) << file;
    std::vector<Expected> expected = expected_scripts();
    std::erase_if(expected, [&](const Expected& each) { return each.file != file; });
    ASSERT_EQ(found.scripts.size(), expected.size()) << file;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found.scripts[i].name, expected[i].name) << file;
      EXPECT_EQ(found.scripts[i].place.line, expected[i].line) << expected[i].name;
      EXPECT_EQ(found.scripts[i].body, expected[i].body) << expected[i].name;
    }
  }
}

TEST(Extraction, TellsOfPartsThatAreNoLiterals) {
  const Extraction found = extract_scripts(read_source("CountingLock.java"), HostLanguage::java);
  std::size_t holes = 0;
  for (const ExtractedScript& script : found.scripts) holes += script.holes.size();
  ASSERT_EQ(holes, 1U);
  EXPECT_EQ(found.scripts[2].holes[0].expression, "FREED");
  EXPECT_EQ(found.scripts[2].holes[0].place.line, 37U);
}

TEST(Extraction, UndoesEscapes) {
  const std::vector<std::pair<std::string, std::string>> java = {
      {R"("KEYS[1]\n\t\"\\\'\r")", "KEYS[1]\n\t\"\\'\r"},
      {R"("KEYS[1]\101\0\377\s|")", std::string("KEYS[1]A\0\xC3\xBF |", 13)},
      {R"("KEYS[1]\u0041\uuu00e4")", "KEYS[1]A\xC3\xA4"},
      {R"("KEYS[1]\ud83d\udd12\ud83d")", "KEYS[1]\xF0\x9F\x94\x92\xEF\xBF\xBD"},
  };
  for (const auto& [literal, text] : java) {
    EXPECT_EQ(only_script("String s = " + literal + ";", HostLanguage::java), text) << literal;
  }
  const std::vector<std::pair<std::string, std::string>> javascript = {
      {R"('KEYS[1]\n\v\'\"\`\q')", "KEYS[1]\n\v'\"`q"},
      {R"("KEYS[1]\x41\u{1F512}\u00e4")", "KEYS[1]A\xF0\x9F\x94\x92\xC3\xA4"},
      {"'KEYS[1]\\\ngoes on'", "KEYS[1]goes on"},
      {"`KEYS[1]\r\n\\`\\${}$`", "KEYS[1]\n`${}$"},
      {"`KEYS[1] ${`a${'b'}`} ${ {c: '}'}.c }`", "KEYS[1] ab << {c: '}'}.c >>"},
      {"('KEYS[1]' + (' a' + \" b\")) + ` c`", "KEYS[1] a b c"},
      {"['KEYS[1]', 'b' + 'c', ].join('')", "KEYS[1]bc"},
      {"PREFIX + 'KEYS[1]' + f('x', y) + 1", "<<PREFIX>>KEYS[1]<<f('x', y)>><<1>>"},
  };
  for (const auto& [literal, text] : javascript) {
    EXPECT_EQ(only_script("const s = " + literal + ";", HostLanguage::javascript), text) << literal;
  }
}

TEST(Extraction, KeepsToLiterals) {
  const std::vector<std::pair<std::string, HostLanguage>> nothing = {
      {"// \"redis.call('get', KEYS[1])\"\n", HostLanguage::java},
      {"/* 'redis.call()' */", HostLanguage::javascript},
      {"const r = /'redis.call(/.test(x) ? 1 : 2;", HostLanguage::javascript},
      {"String s = \"nothing of the kind\";", HostLanguage::java},
      {"redis.call(KEYS[1])", HostLanguage::javascript},
  };
  for (const auto& [source, language] : nothing) {
    const Extraction found = extract_scripts(source, language);
    EXPECT_TRUE(found.scripts.empty()) << source;
    EXPECT_TRUE(found.complaints.empty()) << source;
  }
}

TEST(Extraction, ComplainsOfWhatDoesNotEndAndReadsOn) {
  struct Case {
    std::string source;
    HostLanguage language;
    std::string what;
  };
  const std::vector<Case> cases = {
      {"String s = \"redis.call(;\nString t = \"KEYS[1]\";", HostLanguage::java,
       "this string does not end on its line"},
      {"String t = \"KEYS[1]\";\nString s = \"\"\"\n KEYS[2]", HostLanguage::java,
       "this text block does not end"},
      {"f('KEYS[1]'); g(`KEYS[2]", HostLanguage::javascript, "this template does not end"},
      {"f('KEYS[1]'); /* g('KEYS[2]');", HostLanguage::javascript, "this comment does not end"},
  };
  for (const Case& each : cases) {
    const Extraction found = extract_scripts(each.source, each.language);
    ASSERT_EQ(found.complaints.size(), 1U) << each.source;
    EXPECT_EQ(found.complaints[0].what, each.what);
    ASSERT_EQ(found.scripts.size(), 1U) << each.source;
    EXPECT_EQ(found.scripts[0].body, "KEYS[1]");
  }
}

TEST(Extraction, NamesByWhatIsAround) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"f('KEYS[1]')", "script"},
      {"function take() { if (x) { return f('KEYS[1]'); } }", "take"},
      {"const take = async (a, b) => { for (;;) f('KEYS[1]'); }", "take"},
      {"const take = x => { f('KEYS[1]'); }", "take"},
      {"const take = function (a) { f('KEYS[1]'); }", "take"},
      {"class A { async take(a: Map<string, number>): Promise<void> { f('KEYS[1]'); } }", "take"},
      {"const all = { take: { lua: 'KEYS[1]' } }", "take"},
      {"const all = { 'give back': 'KEYS[1]' }", "give-back"},
      {"exports.take = 'KEYS[1]'", "take"},
      {"const take: string = ('KEYS[1]')", "take"},
      {"function f() { try { g('KEYS[1]') } catch (e) { h() } }", "f"},
  };
  for (const auto& [source, name] : cases) {
    const Extraction found = extract_scripts(source, HostLanguage::javascript);
    ASSERT_EQ(found.scripts.size(), 1U) << source;
    EXPECT_EQ(found.scripts[0].name, name) << source;
  }
}

}  // namespace
}  // namespace lockstep::advice
