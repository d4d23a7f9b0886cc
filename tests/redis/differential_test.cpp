// Random sequences go to the simulated server and to a real one under a stepped clock: every reply,
// every message and the replication stream must be the same, and so must the data at the end.
//
// Freedoms of the real one that are put in order before the comparison: KEYS and PUBSUB CHANNELS,
// which it gives in the order of a hash table.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/redis/letter_case.h"
#include "tests/redis/command_sequences.h"
#include "tests/redis/simulated_server.h"
#include "tests/support/real_redis.h"

namespace lockstep::redis::test {
namespace {

using lockstep::test::RealRedis;
using lockstep::test::RedisConnection;
using lockstep::test::StepClock;
using lockstep::test::StreamCapture;
using lockstep::test::TemporaryDirectory;

/// One real server for all tests of the process; each sequence begins with an empty one.
struct RealServer {
  TemporaryDirectory directory;
  StepClock clock{directory.path(), SimulatedServer::start_us};
  RealRedis redis{clock};
  RedisConnection control{redis.socket_path()};
  StreamCapture stream{redis};
};

RealServer& real_server() {
  static RealServer server;
  return server;
}

void put_in_order(const std::vector<std::string>& words, Reply& reply) {
  const bool is_unordered =
      equals_ignoring_case(words[0], "keys") || equals_ignoring_case(words[0], "pubsub");
  if (!is_unordered || words.size() < 2 || equals_ignoring_case(words[1], "numsub")) return;
  std::sort(reply.elements.begin(), reply.elements.end(),
            [](const Reply& a, const Reply& b) { return a.text < b.text; });
}

/// Both servers, taken through the same steps.
class Pair {
 public:
  explicit Pair(std::size_t sessions) {
    real_.clock.set_us(SimulatedServer::start_us);
    real_.control.command({"FLUSHALL"});
    real_.control.command({"SCRIPT", "FLUSH"});
    real_.stream.take(real_.control);
    simulated_.run("PUBLISH end-of-stream ''");  // so that both streams have selected database 0
    simulated_.take_stream();
    simulated_.server().acknowledge(0, 0);  // the capture is a replica that never acknowledges
    for (std::size_t i = 0; i < sessions; ++i) {
      sessions_.push_back(simulated_.open());
      connections_.push_back(std::make_unique<RedisConnection>(real_.redis.socket_path()));
    }
  }

  void take(const Step& step) {
    simulated_.set_time_us(simulated_.now_us() + step.advance_us);
    real_.clock.set_us(simulated_.now_us());
    const std::vector<std::string_view> words(step.words.begin(), step.words.end());
    const SessionId session = sessions_[step.session];
    std::vector<Reply> expected = {simulated_.run_in(session, words)};
    connections_[step.session]->send(words);
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      // A session's own pushes come before its reply.
      std::vector<Reply> outputs = simulated_.take_push_replies(sessions_[i]);
      if (i == step.session) outputs.push_back(expected[0]);
      for (Reply& simulated : outputs) {
        Reply real = connections_[i]->read_reply();
        put_in_order(step.words, real);
        put_in_order(step.words, simulated);
        if (real == simulated) continue;
        RC_FAIL("session " + std::to_string(i) + ": the real server said " + describe(real) +
                ", the simulated one " + describe(simulated));
      }
    }
  }

  /// What both hold in the end, and what they told their replicas.
  void compare_rest() {
    const std::string real_stream = real_.stream.take(real_.control);
    simulated_.run("PUBLISH end-of-stream ''");
    const std::string simulated_stream = simulated_.take_stream();
    if (real_stream != simulated_stream) {
      RC_FAIL("the real stream was\n  " + requests_in(real_stream) + "\nthe simulated one\n  " +
              requests_in(simulated_stream));
    }
    sessions_.push_back(simulated_.open());
    connections_.push_back(std::make_unique<RedisConnection>(real_.redis.socket_path()));
    for (const std::string_view database : {"0", "1", "10"}) {
      ask({"SELECT", std::string(database)});
      ask({"DBSIZE"});
      ask({"KEYS", "*"});
      for (const char* key : {"a", "b", "h", "L", ""}) {
        for (const char* command : {"TYPE", "PEXPIRETIME", "PTTL", "TTL", "GET", "HGETALL"}) {
          ask({command, key});
        }
      }
    }
  }

 private:
  void ask(std::vector<std::string> words) { take({0, sessions_.size() - 1, std::move(words)}); }

  RealServer& real_ = real_server();
  SimulatedServer simulated_;
  std::vector<SessionId> sessions_;
  std::vector<std::unique_ptr<RedisConnection>> connections_;
};

void compare(std::span<const std::string_view> templates, std::size_t sessions) {
  const std::vector<Step> sequence =
      *any_sequence({templates, sessions, SimulatedServer::start_ms});
  Pair pair(sessions);
  for (const Step& step : sequence) pair.take(step);
  pair.compare_rest();
}

RC_GTEST_PROP(DifferentialTest, CommandsOnKeysBehaveAsTheRealServers, ()) {
  compare(data_templates(), 1);
}

RC_GTEST_PROP(DifferentialTest, TransactionsBehaveAsTheRealServers, ()) {
  compare(transaction_templates(), 2);
}

RC_GTEST_PROP(DifferentialTest, PubSubBehavesAsTheRealServers, ()) {
  compare(pubsub_templates(), 3);
}

}  // namespace
}  // namespace lockstep::redis::test
