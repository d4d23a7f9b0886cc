// Which commands a lock's sources may name: what says so, and what only looks like it.
#include "model/engine/source_commands.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "model/lock/lock_package.h"
#include "scenario/options.h"

namespace lockstep::model::source_words_test {
namespace {

constexpr std::array<std::string_view, 2> words = {"info", "time"};

struct Sources {
  std::string name;
  std::string client_model;
  std::string script;
  bool may_name;
};

void PrintTo(const Sources& sources, std::ostream* stream) { *stream << sources.name; }

class SourcesOfALock : public testing::TestWithParam<Sources> {};

TEST_P(SourcesOfALock, MayNameACommand) {
  LockPackage package;
  package.client_source = GetParam().client_model;
  LockScript& script = package.scripts.emplace_back();
  script.body = GetParam().script;
  EXPECT_EQ(SourceCommands(package).may_name(words), GetParam().may_name);
}

TEST(OptionsOfALock, MayNameACommandWhereTheClientModelNamesNone) {
  LockPackage package;
  *package.options = {{"asks", std::string("INFO")}, {"at_most", std::int64_t{2}}};
  package.client_source = "client.command(node, \"SET\", key)";
  EXPECT_FALSE(SourceCommands(package).may_name(words));
  package.client_source = "client.command(node, lock.options.asks)";
  EXPECT_TRUE(SourceCommands(package).may_name(words));
}

constexpr const char* set = "client.command(node, \"SET\", key)";
constexpr const char* get = "return redis.call('get', KEYS[1])";

INSTANTIATE_TEST_SUITE_P(
    Sources, SourcesOfALock,
    testing::Values(
        Sources{"Nothing", "", "", false},  //
        Sources{"OtherCommands", set, get, false},
        Sources{"InTheHalf", "client.command(1, \"INFO\")", get, true},
        Sources{"InTheHalfAfterAnExpression", "client.command(f(1, {2, 3}), 'info', 1)", get, true},
        Sources{"InAScript", set, "return redis.call('TIME')", true},
        Sources{"AsTheEndOfAnother", set, "return redis.pcall('PEXPIRETIME', KEYS[1])", true},
        Sources{"InALongString", set, "return redis.call([[info]])", true},
        Sources{"AsAnOutcome", "client.complete(o, \"info\")\n" + std::string(set), get, false},
        Sources{"InAComment", "-- of the server's info'\n" + std::string(set), get, false},
        Sources{"AsAVariable", set, "local info = 1; return redis.call('get', info)", false},
        // Where commands are not named where they are sent, each string may be one.
        Sources{"ByAVariable", "local c = \"info\"; client.command(1, c)", get, true},
        Sources{"ByAPipeline", "client.pipeline(1, {\"info\"})", get, true},
        Sources{"ByAnotherName", "local send = client.command; send(1, 'info')", get, true},
        Sources{"ByAnArgument", "client.eval(1, 's', {}, {'info'})", "redis.call(ARGV[1])", true},
        Sources{"ByAnotherNameInAScript", "client.eval(1, 's', {}, {'info'})",
                "local call = redis.call; call(ARGV[1])", true},
        Sources{"PutTogether", "client.command(1, 'in' .. 'fo')", get, true},
        Sources{"ByACallOfAScript", "client.pipeline(1, {\"eval\", 's', {}, {}})", get, false},
        Sources{"ByAProgramInLowerCase", "client.command(1, 'eval', x, 0)", get, true},
        Sources{"ByAProgramElsewhere", "x = \"redis.call('INFO')\"; client.pipeline(1, y)", get,
                true},
        Sources{"ByAProgram", "client.command(1, 'EVAL', 'return 1', 0)", get, true},
        Sources{"ByAProgramThatIsThere", "client.command(1, 'EVALSHA', '00', 0)", get, true},
        Sources{"ByAllThatThereIs", set, "return _G['red' .. 'is'].call(ARGV[1])", true},
        Sources{"ByItsNameAsAText", set, "return x['redis'].call(ARGV[1])", true},
        Sources{"ByALoadedText", set, "return loadstring(ARGV[1])()", true},
        Sources{"InNumbers", "client.command(1, '\\105NFO')", get, true},
        Sources{"Unfinished", set, "return redis.call('get", true}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace lockstep::model::source_words_test
