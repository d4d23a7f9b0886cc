#include "tests/redis/server_pair.h"

#include <rapidcheck.h>

#include <algorithm>

#include "model/redis/letter_case.h"

namespace lockstep::redis::test {

/// One real server for all tests of the process; each sequence begins with an empty one.
struct RealServer {
  lockstep::confirm::TemporaryDirectory directory;
  lockstep::confirm::StepClock clock{directory.path(), SimulatedServer::start_us};
  lockstep::confirm::RealRedis redis{clock};
  lockstep::confirm::RedisConnection control{redis.socket_path()};
  lockstep::confirm::StreamCapture stream{redis};
};

namespace {

constexpr std::string_view end_of_stream = "PUBLISH end-of-stream ''";

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

}  // namespace

ServerPair::ServerPair(std::size_t sessions) : real_(real_server()) {
  real_.clock.set_us(SimulatedServer::start_us);
  real_.control.command({"FLUSHALL"});
  real_.control.command({"SCRIPT", "FLUSH"});
  real_.stream.take(real_.control);
  simulated_.run(end_of_stream);  // so that both streams have selected database 0
  simulated_.take_stream();
  simulated_.server().acknowledge(0, 0);  // the capture is a replica that never acknowledges
  for (std::size_t i = 0; i < sessions; ++i) {
    sessions_.push_back(simulated_.open());
    connections_.push_back(
        std::make_unique<lockstep::confirm::RedisConnection>(real_.redis.socket_path()));
  }
}

void ServerPair::load(const std::string& script) {
  simulated_.run({"SCRIPT", "LOAD", script});
  real_.control.command({"SCRIPT", "LOAD", script});
}

void ServerPair::take(const Step& step) {
  simulated_.set_time_us(simulated_.now_us() + step.advance_us);
  real_.clock.set_us(simulated_.now_us());
  const std::vector<std::string_view> words(step.words.begin(), step.words.end());
  const Reply reply = simulated_.run_in(sessions_[step.session], words);
  connections_[step.session]->send(words);
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    std::vector<Reply> outputs = simulated_.take_push_replies(sessions_[i]);
    if (i == step.session) outputs.push_back(reply);  // a session's own pushes come before
    compare_outputs(step, i, std::move(outputs));
  }
}

void ServerPair::compare_outputs(const Step& step, std::size_t session,
                                 std::vector<Reply> outputs) {
  for (Reply& simulated : outputs) {
    Reply real = connections_[session]->read_reply();
    put_in_order(step.words, real);
    put_in_order(step.words, simulated);
    if (real == simulated) continue;
    RC_FAIL("session " + std::to_string(session) + ": the real server said\n  " + describe(real) +
            "\nthe simulated one\n  " + describe(simulated));
  }
}

void ServerPair::compare_streams() {
  const std::string real_stream = real_.stream.take(real_.control);
  simulated_.run(end_of_stream);
  const std::string simulated_stream = simulated_.take_stream();
  if (real_stream == simulated_stream) return;
  RC_FAIL("the real stream was\n  " + requests_in(real_stream) + "\nthe simulated one\n  " +
          requests_in(simulated_stream));
}

void ServerPair::compare_rest() {
  compare_streams();
  sessions_.push_back(simulated_.open());
  connections_.push_back(
      std::make_unique<lockstep::confirm::RedisConnection>(real_.redis.socket_path()));
  for (const std::string_view database : {"0", "1", "10"}) {
    ask({"SELECT", std::string(database)});
    ask({"DBSIZE"});
    ask({"KEYS", "*"});
    for (const std::string_view key : sequence_keys()) {
      for (const char* command : {"TYPE", "PEXPIRETIME", "PTTL", "TTL", "GET", "HGETALL"}) {
        ask({command, std::string(key)});
      }
    }
  }
}

void ServerPair::ask(std::vector<std::string> words) {
  take({0, sessions_.size() - 1, std::move(words)});
}

void compare_servers(const SequenceKind& kind) {
  const std::vector<Step> sequence = *any_sequence(kind);
  ServerPair pair(kind.sessions);
  for (const std::string& script : kind.scripts) pair.load(script);
  for (const Step& step : sequence) pair.take(step);
  pair.compare_rest();
}

}  // namespace lockstep::redis::test
