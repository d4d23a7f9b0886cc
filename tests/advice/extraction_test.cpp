// What is found in sources of each style, to the byte, and what is made of sources that are wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advice/script_extraction.h"
#include "tests/support/sanitized.h"
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
       "if redis.call('get', KEYS[1]) == ARGV[1] then\n  return redis.call('del', KEYS[1])\nend"},
      {"commands.js", "renew", 19, "return redis.call('pexpire', KEYS[1], ARGV[1])"},
      {"commands.js", "count", 24, "return redis.call('eval', \"return '\\n'\", 0) -- KEYS[1]"},
      {"commands.js", "exports", 27, "return ARGV[1]"},
      {"commands.js", "exports", 27, "return ARGV[2]"},
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
      EXPECT_EQ(found.scripts[i].short_name, expected[i].name) << file;
      EXPECT_EQ(found.scripts[i].place.line, expected[i].line) << expected[i].name;
      EXPECT_EQ(found.scripts[i].body, expected[i].body) << expected[i].name;
    }
  }
}

/// What is found in a file, as text.
std::string rendered(const Extraction& found) {
  std::string text;
  for (const ExtractedScript& each : found.scripts) {
    text += "== " + std::to_string(each.place.line) + " " + each.name + "\n" + each.body + "\n";
    if (!each.fault.empty()) text += "== fault: " + each.fault + "\n";
  }
  for (const UnresolvedScript& each : found.unresolved) {
    text += "== " + std::to_string(each.place.line) + " unresolved: " + each.what +
            (each.is_given ? " (given)" : "") + "\n";
  }
  return text;
}

/// Sources as libraries have them, with what is found in each in sources/found. Those of
/// expected_scripts() and tests/advice/redisson are libraries too.
constexpr std::string_view library_sources[] = {
    "StyledLock.java", "Locks.java", "Lock.kt",         "Locker.kt", "modules.mjs",  "lock.py",
    "asyncio_lock.py", "mutex.go",   "locker.go",       "Lock.cs",   "RedisLock.cs", "Lock.php",
    "Mutex.php",       "redlock.rb", "lock_manager.rb", "lock.rs",   "lock_async.rs"};

/// Each way to write a string that a language has.
constexpr std::string_view string_sources[] = {"pieces.java", "pieces.kt", "pieces.ts",
                                               "pieces.py",   "pieces.go", "pieces.cs",
                                               "pieces.php",  "pieces.rb", "pieces.rs"};

void expect_found_to_the_byte(const std::string& file) {
  const Extraction found = extract_scripts(read_source(file), *language_of_file(file));
  EXPECT_EQ(found.complaints.size(), 0U) << file;
  EXPECT_FALSE(found.scripts.empty()) << file;
  EXPECT_EQ(rendered(found), read_source("found/" + file + ".txt")) << file;
}

TEST(Extraction, FindsEveryScriptOfEachLanguage) {
  for (const std::string_view file : library_sources) expect_found_to_the_byte(std::string(file));
  for (const std::string_view file : string_sources) expect_found_to_the_byte(std::string(file));
}

TEST(Extraction, IsTriedOnTwentyLibrariesInNineLanguages) {
  std::set<std::string> files(std::begin(library_sources), std::end(library_sources));
  for (const Expected& each : expected_scripts()) files.insert(each.file);
  std::map<HostLanguage, std::size_t> count;
  for (const std::string& file : files) ++count[*language_of_file(file)];
  EXPECT_GE(files.size(), 20U);
  EXPECT_EQ(count.size(), 9U);
  for (const auto& [language, number] : count) EXPECT_GE(number, 2U) << static_cast<int>(language);
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string result;
  while (result.size() < bytes) result += text;
  return result;
}

/// Whoever reads these again and again, or goes deeper with each, does not end.
TEST(Extraction, ReadsLongAndDeepTexts) {
  constexpr std::size_t bytes = support::is_sanitized ? 1'000 : 20'000;
  const std::string script = "\"redis.call(1)\"";
  const std::vector<std::string> texts = {
      repeated("\"", bytes),
      repeated("'", bytes),
      repeated("`${", bytes),
      repeated("\"${", bytes),
      repeated("#{\"", bytes),
      repeated("({[", bytes),
      repeated("f(", bytes) + script + repeated(")", bytes),
      repeated("<<<A\n", bytes),
      repeated("x = <<~A\n", bytes),
      repeated("/*", bytes),
      repeated("r#\"a ", bytes),
      "x = " + repeated(script + " + ", bytes),
      "x = a" + repeated(".b", bytes) + "(" + script + ")",
      "x = " + script + repeated(".replace(\"a\", \"aa\")", bytes),
      "x = " + script + repeated(".append(\"y\")", bytes),
      "x = " + script + "\n" + repeated("x = x + x\n", bytes),
      "x = \"\"\n" + repeated("x += " + script + "\n", bytes),
      "x = " + repeated("listOf(" + script + ", ", bytes) + repeated(")", bytes),
      "x = [" + script + "]\n" + repeated("y = x.join(\"\")\n", bytes),
      repeated("a, ", bytes) + "b = " + repeated(script + ", ", bytes) + script,
      repeated("p.push(" + script + ");p.push(\"return 1\");\n", bytes),
      repeated("a = (b) => {", bytes),
      repeated("a<", bytes) + "(" + script,
  };
  for (std::size_t language = 0; language < host_languages; ++language) {
    for (const std::string& text : texts) {
      const std::string begin =
          static_cast<HostLanguage>(language) == HostLanguage::php ? "<?php\n" : "";
      const Extraction found = extract_scripts(begin + text, static_cast<HostLanguage>(language));
      EXPECT_LE(found.scripts.size(), bytes / 10) << text.substr(0, 40);
    }
  }
}

TEST(Extraction, TakesLuaFilesAsTheyAre) {
  const Extraction found = extract_lua("\xEF\xBB\xBF#!/usr/bin/lua\nreturn 1\n", "a b");
  ASSERT_EQ(found.scripts.size(), 1U);
  EXPECT_EQ(found.scripts[0].name, "a-b");
  EXPECT_EQ(found.scripts[0].body, "return 1\n");
  EXPECT_EQ(found.scripts[0].place.line, 2U);
  EXPECT_EQ(extract_lua("#!lua name=x\nreturn 1", "x").scripts[0].body, "#!lua name=x\nreturn 1");
  EXPECT_EQ(extract_lua("return (", "x").scripts[0].fault, "unexpected symbol near '<eof>'");
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
      {R"("redis.call[1]\n\t\"\\\'\r")", "redis.call[1]\n\t\"\\'\r"},
      {R"("redis.call[1]\101\0\377\s|")", std::string("redis.call[1]A\0\xC3\xBF |", 19)},
      {R"("redis.call[1]\u0041\uuu00e4")", "redis.call[1]A\xC3\xA4"},
      {R"("redis.call[1]\ud83d\udd12\ud83d")", "redis.call[1]\xF0\x9F\x94\x92\xEF\xBF\xBD"},
  };
  for (const auto& [literal, text] : java) {
    EXPECT_EQ(only_script("String s = " + literal + ";", HostLanguage::java), text) << literal;
  }
  const std::vector<std::pair<std::string, std::string>> javascript = {
      {R"('redis.call[1]\n\v\'\"\`\q')", "redis.call[1]\n\v'\"`q"},
      {R"("redis.call[1]\x41\u{1F512}\u00e4")", "redis.call[1]A\xF0\x9F\x94\x92\xC3\xA4"},
      {"'redis.call[1]\\\ngoes on'", "redis.call[1]goes on"},
      {"`redis.call[1]\r\n\\`\\${}$`", "redis.call[1]\n`${}$"},
      {"`redis.call[1] ${`a${'b'}`} ${ {c: '}'}.c }`", "redis.call[1] ab << {c: '}'}.c >>"},
      {"('redis.call[1]' + (' a' + \" b\")) + ` c`", "redis.call[1] a b c"},
      {"['redis.call[1]', 'b' + 'c', ].join('')", "redis.call[1]bc"},
      {"PREFIX + 'redis.call[1]' + f('x', y) + 1", "<<PREFIX>>redis.call[1]<<f('x', y)>>1"},
  };
  for (const auto& [literal, text] : javascript) {
    EXPECT_EQ(only_script("const s = " + literal + ";", HostLanguage::javascript), text) << literal;
  }
}

TEST(Extraction, KeepsToLiterals) {
  const std::vector<std::pair<std::string, HostLanguage>> nothing = {
      {"// \"redis.call('get', redis.call[1])\"\n", HostLanguage::java},
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
      {"String s = \"redis.call(;\nString t = \"redis.call[1]\";", HostLanguage::java,
       "this string does not end on its line"},
      {"String t = \"redis.call[1]\";\nString s = \"\"\"\n redis.call[2]", HostLanguage::java,
       "this string does not end"},
      {"f('redis.call[1]'); g(`redis.call[2]", HostLanguage::javascript,
       "this string does not end"},
      {"f('redis.call[1]'); /* g('redis.call[2]');", HostLanguage::javascript,
       "this comment does not end"},
  };
  for (const Case& each : cases) {
    const Extraction found = extract_scripts(each.source, each.language);
    ASSERT_EQ(found.complaints.size(), 1U) << each.source;
    EXPECT_EQ(found.complaints[0].what, each.what);
    ASSERT_EQ(found.scripts.size(), 1U) << each.source;
    EXPECT_EQ(found.scripts[0].body, "redis.call[1]");
  }
}

TEST(Extraction, NamesByWhatIsAround) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"f('redis.call[1]')", "script"},
      {"function take() { if (x) { return f('redis.call[1]'); } }", "take"},
      {"const take = async (a, b) => { for (;;) f('redis.call[1]'); }", "take"},
      {"const take = x => { f('redis.call[1]'); }", "take"},
      {"const take = function (a) { f('redis.call[1]'); }", "take"},
      {"class A { async take(a: Map<string, number>): Promise<void> { f('redis.call[1]'); } }",
       "take"},
      {"const all = { take: { lua: 'redis.call[1]' } }", "take"},
      {"const all = { 'give back': 'redis.call[1]' }", "give-back"},
      {"exports.take = 'redis.call[1]'", "take"},
      {"const take: string = ('redis.call[1]')", "take"},
      {"function f() { try { g('redis.call[1]') } catch (e) { h() } }", "f"},
  };
  for (const auto& [source, name] : cases) {
    const Extraction found = extract_scripts(source, HostLanguage::javascript);
    ASSERT_EQ(found.scripts.size(), 1U) << source;
    EXPECT_EQ(found.scripts[0].short_name, name) << source;
  }
}

}  // namespace
}  // namespace lockstep::advice
