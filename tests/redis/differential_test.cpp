// Random sequences go to the simulated server and to a real one under a stepped clock: every reply,
// every message and the replication stream must be the same, and so must the data at the end.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/redis/command_sequences.h"
#include "tests/redis/server_pair.h"
#include "tests/redis/simulated_server.h"

namespace lockstep::redis::test {
namespace {

RC_GTEST_PROP(DifferentialTest, CommandsOnKeysBehaveAsTheRealServers, ()) {
  compare_servers({data_templates(), {}, 1, SimulatedServer::start_ms});
}

RC_GTEST_PROP(DifferentialTest, TransactionsBehaveAsTheRealServers, ()) {
  compare_servers({transaction_templates(), {}, 2, SimulatedServer::start_ms});
}

RC_GTEST_PROP(DifferentialTest, PubSubBehavesAsTheRealServers, ()) {
  compare_servers({pubsub_templates(), {}, 3, SimulatedServer::start_ms});
}

RC_GTEST_PROP(DifferentialTest, ScriptsBehaveAsTheRealServers, ()) {
  compare_servers({script_templates(), {}, 2, SimulatedServer::start_ms});
}

std::string script_of(const std::string& path) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/scripts/" + path);
  if (!file) throw std::runtime_error("no script " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The locks' own scripts, and commands that get in their way.
struct LockScripts {
  std::vector<std::string> scripts;
  std::vector<std::string> lines;

  void add(const std::string& path, const std::string& words) {
    scripts.push_back(script_of(path));
    lines.push_back("EVALSHA " + sha1_hex(scripts.back()) + ' ' + words);
  }
};

LockScripts lock_scripts() {
  LockScripts locks;
  locks.add("plain/acquire.lua", "1 $lock $ms $owner");
  locks.add("plain/release.lua", "3 $lock news $key 0 $ms $owner publish $ms");
  locks.add("plain/release-unlatched.lua", "2 $lock news 0 $ms $owner");
  locks.add("plain/release-oldest.lua", "2 $lock news 0 $ms $owner");
  locks.add("plain/renew.lua", "1 $lock $ms $owner");
  locks.add("plain/renew_batch.lua", "2 $lock $lock $ms $owner $owner");
  locks.add("plain/force_release.lua", "2 $lock news 0");
  locks.add("fenced/acquire.lua", "2 $lock $key $ms $owner");
  locks.add("setnx/release.lua", "1 $key $text");
  for (const char* line : {"SET $key $text NX PX $ms", "PTTL $lock", "HGETALL $lock", "DEL $lock",
                           "GET $lock", "EXISTS $lock", "PEXPIRE $lock $ms"}) {
    locks.lines.emplace_back(line);
  }
  return locks;
}

RC_GTEST_PROP(DifferentialTest, TheLocksOwnScriptsBehaveAsOnTheRealServer, ()) {
  static const LockScripts locks = lock_scripts();
  static const std::vector<std::string_view> templates(locks.lines.begin(), locks.lines.end());
  compare_servers({templates, locks.scripts, 2, SimulatedServer::start_ms});
}

}  // namespace
}  // namespace lockstep::redis::test
