// The table finds commands, and says of each what the real server's COMMAND INFO says.
#include "redis/server/command_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

std::string in_mixed_case(std::string_view name) {
  std::string mixed(name);
  for (std::size_t i = 0; i < mixed.size(); i += 2) {
    mixed[i] = static_cast<char>(std::toupper(mixed[i]));
  }
  return mixed;
}

TEST(CommandTableTest, EveryCommandIsFoundByItsNameInAnyCase) {
  for (const CommandSpec& spec : command_table()) {
    EXPECT_EQ(find_command(spec.name), &spec) << spec.name;
    EXPECT_EQ(find_command(in_mixed_case(spec.name)), &spec) << spec.name;
    for (const CommandSpec& sub : spec.subcommands) {
      const std::string_view own_name = sub.name.substr(spec.name.size() + 1);
      EXPECT_EQ(find_subcommand(spec, in_mixed_case(own_name)), &sub) << sub.name;
    }
  }
}

TEST(CommandTableTest, WhatIsNoCommandIsNotFound) {
  for (const std::string_view name : {"", "g", "gett", "ge", "get ", "client|id", "g\0t", "\xff"}) {
    EXPECT_EQ(find_command(name), nullptr) << name;
  }
}

constexpr std::pair<CommandFlag, std::string_view> flag_names[] = {
    {CommandFlag::write, "write"},
    {CommandFlag::read_only, "readonly"},
    {CommandFlag::deny_oom, "denyoom"},
    {CommandFlag::no_script, "noscript"},
    {CommandFlag::fast, "fast"},
    {CommandFlag::pubsub, "pubsub"},
    {CommandFlag::admin, "admin"},
    {CommandFlag::loading, "loading"},
    {CommandFlag::stale, "stale"},
    {CommandFlag::blocking, "blocking"},
    {CommandFlag::no_multi, "no_multi"},
    {CommandFlag::allow_busy, "allow_busy"},
    {CommandFlag::skip_slowlog, "skip_slowlog"},
    {CommandFlag::skip_monitor, "skip_monitor"},
    {CommandFlag::no_mandatory_keys, "no_mandatory_keys"},
    {CommandFlag::no_async_loading, "no_async_loading"},
};

std::set<std::string> flags_of(const CommandSpec& spec) {
  std::set<std::string> names;
  for (const auto& [flag, name] : flag_names) {
    if (spec.is(flag)) names.emplace(name);
  }
  return names;
}

/// COMMAND INFO's flags, without those about key positions that only modules and ACLs ask for.
std::set<std::string> flags_in(const Reply& info) {
  std::set<std::string> names;
  for (const Reply& flag : info.elements) names.insert(flag.text);
  names.erase("movablekeys");
  names.erase("no_auth");
  return names;
}

void expect_equal(const CommandSpec& spec, const Reply& info) {
  ASSERT_GE(info.elements.size(), 6U) << spec.name;
  EXPECT_EQ(info.elements[0].text, spec.name);
  EXPECT_EQ(info.elements[1].integer, spec.arity) << spec.name;
  EXPECT_EQ(info.elements[3].integer, spec.keys.first) << spec.name;
  EXPECT_EQ(info.elements[4].integer, spec.keys.last) << spec.name;
  EXPECT_EQ(info.elements[5].integer, spec.keys.step) << spec.name;
  EXPECT_EQ(flags_in(info.elements[2]), flags_of(spec)) << spec.name;
}

TEST(CommandTableTest, ArityFlagsAndKeysAreTheRealServers) {
  RealServer real;
  for (const CommandSpec& spec : command_table()) {
    if (!spec.versions.contains(default_version)) continue;
    const Reply reply = real.connection.command({"COMMAND", "INFO", spec.name});
    ASSERT_EQ(reply.elements.size(), 1U);
    const Reply& info = reply.elements[0];
    expect_equal(spec, info);
    for (const CommandSpec& sub : spec.subcommands) {
      if (sub.name == "client|setinfo") continue;  // of Redis 7.2
      const auto& subs = info.elements.at(9).elements;
      const auto found = std::find_if(subs.begin(), subs.end(), [&](const Reply& each) {
        return each.elements[0].text == sub.name;
      });
      ASSERT_NE(found, subs.end()) << sub.name;
      expect_equal(sub, *found);
    }
  }
}

}  // namespace
}  // namespace lockstep::redis::test
