// Damaged scenario files never do worse than an InputError.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/explain.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

constexpr std::string_view original = R"(
title     = "Everything ü"
lock      = "plain"
lock_name = "orders"
expect    = { violates = "harm", holds = ["no-leak", "hold-count"] }
[redis]
masters  = 2
replicas = 1
latency  = "200us..1.5ms"
[options]
timeout = "3s"
mode    = "batched"
[clocks]
declared_drift = "100ppm"
[limits]
horizon = "1h"
[[client]]
name   = "a"
rounds = 3
drift  = "-200ppm"
run    = ["lock lease=10s", "try_lock wait=1s name=x", "write", "sleep 5s", "unlock name=x", "unlock"]
[[client]]
name = "b"
[[client.thread]]
run = ["lock", "unlock"]
[[fault]]
pause = "a"
for   = "15s"
when  = "a acquired x for the 2nd time"
after = "1ms"
[[fault]]
crash = "n1"
at    = "5s"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
[[fault]]
cut = ["b", "resource"]
[[fault]]
delay = "reply to acquire"
by    = "2s"
nth   = 2
)";

/// Words that are worth putting in strange places.
constexpr std::string_view pieces[] = {"\"",
                                       "'",
                                       "\"\"\"",
                                       "[",
                                       "]",
                                       "[[",
                                       "]]",
                                       "{",
                                       "}",
                                       "=",
                                       ".",
                                       "..",
                                       ",",
                                       "\n",
                                       "\r",
                                       "#",
                                       "\\",
                                       "\\u0000",
                                       "\\uD800",
                                       "0",
                                       "-1",
                                       "99999999999999999999",
                                       "1e308",
                                       "nan",
                                       "true",
                                       "1979-05-27T07:32:00Z",
                                       "9223372036854775807ns",
                                       "s",
                                       "h",
                                       "[client]",
                                       "[[fault]]",
                                       "when",
                                       "\0",
                                       "\xff",
                                       "\xc3",
                                       "ü",
                                       " ",
                                       "\t",
                                       "for the 2nd time",
                                       "name=",
                                       "n1-replica-99999999999"};

/// Whether what is written of it is read as the same.
bool comes_back(const scenario::Scenario& scenario) {
  const std::string text = scenario::write_scenario(scenario);
  const scenario::Scenario again = scenario::parse_scenario("again.toml", text);
  return scenario::differences(again, scenario).empty() && scenario::write_scenario(again) == text;
}

/// Whether the text is taken, or refused as it should be.
bool is_handled(const std::string& text) {
  try {
    const scenario::Scenario scenario = scenario::parse_scenario("fuzzed.toml", text);
    return !scenario::explain(scenario).empty() && comes_back(scenario);
  } catch (const scenario::InputError& error) {
    return error.place().line > 0 && error.place().column > 0 && !error.message().empty();
  }
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    for (std::size_t count = 1 + pick(4); count-- > 0;) mutate_once(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }

  void mutate_once(std::string& text) {
    const std::size_t at = pick(text.size() + 1);
    const std::size_t length = std::min(pick(30), text.size() - at);
    const std::string_view piece = pieces[pick(std::size(pieces))];
    switch (pick(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, piece);
        break;
      case 2:
        text.replace(at, length, piece);
        break;
      case 3:
        text.insert(pick(text.size() + 1), text.substr(at, length));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(random_() & 0xFFU);
    }
  }

  std::mt19937_64 random_;
};

TEST(ScenarioFuzz, AcceptsTheOriginal) {
  EXPECT_NO_THROW(static_cast<void>(scenario::parse_scenario("s.toml", std::string(original))));
}

TEST(ScenarioFuzz, SurvivesFiveThousandMutations) {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    const std::string text = Mutator(seed).mutate(std::string(original));
    ASSERT_TRUE(is_handled(text)) << "seed " << seed << ":\n" << text;
  }
}

/// What the format has besides: parameters, cases, drawn steps, moments, bounds, nodes, links.
constexpr std::string_view language = R"(
title  = "Everything else, $lease"
lock   = "plain"
expect = { sometimes = ["w1 acquired while b believes"], overlap_at_most = "1s", wait_at_most = "9s", requests_per_second_at_most = 100 }
[parameters]
lease   = ["5s", "20s"]
masters = [1, 2]
[[case]]
masters = 3
expect  = { holds = "harm" }
[[case]]
lease   = ["1s", "2s"]
[redis]
masters  = "$masters"
replicas = 1
version  = "7.0"
[redis.nodes.n1]
wall_offset = "3s"
drift       = "50ppm"
latency     = "1ms..2ms"
config      = { appendonly = "yes" }
[[client]]
name     = "w"
count    = 2
threads  = 2
start    = "0ms..5ms"
run      = ["lock lease=$lease", "sleep 1ms..5ms", "unlock"]
generate = { steps = 20, mix = { lock = 5, try_lock = 3, write = 8 }, think = "1ms..2ms", hold = "5ms", lease = "${lease}", wait = "1ms..20ms", reentrancy = 2, locks = ["x", "y"] }
[[client]]
name = "b"
run  = ["try_lock wait=1s..2s", "unlock"]
[[link]]
from    = "b"
to      = "n1"
latency = "3ms"
)";

/// As is_handled, over all rows.
bool rows_are_handled(const std::string& text, bool has_base) {
  std::vector<scenario::SourceFile> files = {{"fuzzed.toml", text}};
  if (has_base) files.push_back({"base.toml", std::string(original)});
  try {
    const std::vector<scenario::Scenario> rows = scenario::parse_scenarios(files);
    for (const scenario::Scenario& row : rows) {
      if (scenario::explain(row).empty()) return false;
    }
    return comes_back(rows.front());
  } catch (const scenario::InputError& error) {
    return error.place().line > 0 && error.place().column > 0 && !error.place().file.empty() &&
           !error.message().empty();
  }
}

TEST(ScenarioFuzz, SurvivesFiveThousandMutationsOfTheRestOfTheLanguage) {
  ASSERT_EQ(scenario::parse_scenarios({{"s.toml", std::string(language)}}).size(), 6U);
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    const std::string text = Mutator(seed).mutate(std::string(language));
    ASSERT_TRUE(rows_are_handled(text, false)) << "seed " << seed << ":\n" << text;
    if (seed % 4 == 0) {
      ASSERT_TRUE(rows_are_handled("base = \"base.toml\"\n" + text, true)) << "seed " << seed;
    }
  }
}

TEST(ScenarioFuzz, SurvivesEveryTruncation) {
  for (std::size_t length = 0; length < original.size(); ++length) {
    ASSERT_TRUE(is_handled(std::string(original.substr(0, length)))) << length;
  }
}

TEST(ScenarioFuzz, SurvivesDeepNesting) {
  const std::string brackets(100'000, '[');
  EXPECT_TRUE(is_handled("title = " + brackets));
  EXPECT_TRUE(is_handled(brackets));
  std::string dots = "a";
  for (int i = 0; i < 2'000; ++i) dots += ".a";
  EXPECT_TRUE(is_handled(dots + " = 1"));
  EXPECT_TRUE(is_handled("[" + dots + "]"));
}

RC_GTEST_PROP(ScenarioFuzz, SurvivesAnyBytes, (const std::string& bytes)) {
  RC_ASSERT(is_handled(bytes));
}

RC_GTEST_PROP(ScenarioFuzz, SurvivesAnyTextInAStep, (const std::string& step)) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\n";
  text += "name = \"a\"\nrun = ['lock', '" + step + "']\n";
  RC_ASSERT(is_handled(text));
}

}  // namespace
}  // namespace lockstep::model
