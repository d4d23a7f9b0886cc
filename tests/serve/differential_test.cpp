// The random sequences of tests/redis go to the service over TCP and to a real server, both under
// one stepped clock: every reply and message that a client reads must be the same.
//
// Left out are commands that wait and those whose choices are random: waiting_test.cpp and
// tests/redis have them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "confirm/real_redis.h"
#include "confirm/step_clock.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/reply_normalization.h"
#include "tests/redis/comparison/resp_message.h"
#include "tests/redis/comparison/simulated_server.h"
#include "tests/serve/served_redis.h"

namespace lockstep::serve::test {
namespace {

using lockstep::confirm::RealRedis;
using lockstep::confirm::RedisConnection;
using lockstep::confirm::StepClock;
using namespace redis::test;

ServiceOptions options_with(const StepClock& clock) {
  ServiceOptions options;
  options.clock_path = clock.path();
  options.port = 0;
  return options;
}

/// Both servers, for all sequences.
struct Servers {
  lockstep::confirm::TemporaryDirectory directory;
  StepClock clock{directory.path(), SimulatedServer::start_us};
  RealRedis real{clock};
  ServedRedis served{options_with(clock)};
  std::uint16_t port =
      static_cast<std::uint16_t>(std::stoi(served.where().substr(served.where().find(':') + 1)));
  RedisConnection real_control{real.socket_path()};
  RedisConnection served_control{served.path()};

  Servers() { served_control.command({"DEBUG", "SET-ACTIVE-EXPIRE", "0"}); }

  void on_both(const std::vector<std::string>& words) {
    real_control.command(words);
    served_control.command(words);
  }
  /// Returns when both have answered all that they were sent: replies go out at the end of the
  /// round in which a request was executed, so the second PING is answered after them.
  void settle() {
    for (int i = 0; i < 2; ++i) on_both({"PING"});
  }
};

Servers& servers() {
  static Servers both;
  return both;
}

std::vector<RespMessage> messages_in(RespMessageReader& reader, const std::string& bytes) {
  reader.feed(bytes);
  std::vector<RespMessage> messages;
  while (auto message = reader.next()) messages.push_back(*message);
  return messages;
}

void append(std::vector<RespMessage>& messages, const std::vector<RespMessage>& more) {
  messages.insert(messages.end(), more.begin(), more.end());
}

/// For how long a difference in number may be one in time.
constexpr int replies_patience_ms = 1000;

/// A client of both.
class Twin {
 public:
  explicit Twin(const Servers& both)
      : real_(both.real.socket_path()), served_(RawClient::tcp(both.port)) {}

  void send(const std::vector<std::string>& words) {
    std::string bytes;
    redis::append_request(std::vector<std::string_view>(words.begin(), words.end()), bytes);
    RC_ASSERT(real_.send(bytes));
    RC_ASSERT(served_.send(bytes));
  }

  /// What came for both since the last time.
  void compare(const std::vector<std::string>& words, CompactEncodings forms) {
    std::vector<RespMessage> real = messages_in(real_said_, real_.read_available());
    std::vector<RespMessage> served = messages_in(served_said_, served_.read_available());
    // A busy kernel may still have what a server has sent by TCP.
    for (int i = 0; i < replies_patience_ms && real.size() != served.size(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      append(real, messages_in(real_said_, real_.read_available()));
      append(served, messages_in(served_said_, served_.read_available()));
    }
    std::vector<std::string> asked = words;
    asked.insert(asked.end(), queued_.begin(), queued_.end());
    for (RespMessage& each : real) normalize_reply(asked, forms, each);
    for (RespMessage& each : served) normalize_reply(asked, forms, each);
    if (!served.empty() && served.back().text == "QUEUED") {
      queued_.insert(queued_.end(), words.begin(), words.end());
    }
    if (real == served) return;
    std::string text = "after " + cli_line(words) + "\n  real:  ";
    for (const RespMessage& each : real) text += " " + describe(each);
    text += "\n  served:";
    for (const RespMessage& each : served) text += " " + describe(each);
    RC_FAIL(text);
  }

 private:
  RawClient real_;
  RawClient served_;
  RespMessageReader real_said_;
  RespMessageReader served_said_;
  std::vector<std::string> queued_;  // all words between MULTI and EXEC
};

bool is_left_out(const std::vector<std::string>& words) {
  for (const std::string_view name : {"wait", "blpop", "brpop", "blmove", "brpoplpush", "blmpop",
                                      "bzpopmin", "bzpopmax", "bzmpop"}) {
    if (redis::equals_ignoring_case(words[0], name)) return true;
  }
  return leaves_random_data(words);
}

void expect_equal_answers(const SequenceKind& kind) {
  Servers& both = servers();
  std::int64_t now_us = SimulatedServer::start_us;
  both.clock.set_us(now_us);
  both.on_both({"FLUSHALL"});
  both.on_both({"SCRIPT", "FLUSH"});
  both.on_both({"FUNCTION", "FLUSH"});
  both.on_both({"CONFIG", "SET", "notify-keyspace-events", ""});
  for (const std::string& script : kind.scripts) both.on_both({"SCRIPT", "LOAD", script});
  std::vector<std::unique_ptr<Twin>> twins;
  for (std::size_t i = 0; i < kind.sessions; ++i) twins.push_back(std::make_unique<Twin>(both));
  CompactEncodings forms = CompactEncodings::kept;
  for (const Step& step : *any_sequence(kind)) {
    if (is_left_out(step.words)) continue;
    now_us += step.advance_us;
    both.clock.set_us(now_us);
    if (compact_encodings_after(step.words) == CompactEncodings::left)
      forms = CompactEncodings::left;
    twins[step.session]->send(step.words);
    both.settle();
    for (const auto& twin : twins) twin->compare(step.words, forms);
  }
}

std::string answers_to(const std::string& bytes, RawClient client) {
  client.send(bytes);
  client.finish();
  return client.read_to_end();
}

/// Pieces that are, alone or together, requests or nearly so.
rc::Gen<std::string> any_bytes() {
  const std::vector<std::string> pieces{"*",
                                        "$",
                                        "*1\r\n",
                                        "*3\r\n",
                                        "$3\r\n",
                                        "\r\n",
                                        "\n",
                                        "\r",
                                        "SET",
                                        "get",
                                        " ",
                                        "a",
                                        "x 1",
                                        "*1\r\n$4\r\nPING\r\n",
                                        "*2\r\n$4\r\nECHO\r\n$2\r\nhi\r\n",
                                        "QUIT\r\n",
                                        "MULTI\r\n",
                                        "EXEC\r\n",
                                        "*2147483648\r\n",
                                        "*2147483647\r\n",
                                        "$-1\r\n",
                                        "$99999999999\r\n",
                                        "*0\r\n",
                                        "*-1\r\n",
                                        "*x\r\n",
                                        "$x\r\n",
                                        ":1\r\n",
                                        "+OK\r\n",
                                        "\"",
                                        "'",
                                        "\\x41",
                                        "\\",
                                        "\"a b\"",
                                        "'a\\'b'",
                                        "SUBSCRIBE a\r\n",
                                        "EVAL \"return KEYS\" 0\r\n",
                                        "PING\r\n",
                                        "SELECT 99\r\n",
                                        "\"PI\\x4eG\"\r\n",
                                        "NOSUCH 'a b'\r\n",
                                        std::string("\0", 1),
                                        "\xff",
                                        "\t",
                                        "-1",
                                        "0",
                                        std::string(200'000, 'y')};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& parts) {
                        std::string bytes;
                        for (const std::string& part : parts) bytes += part;
                        return bytes;
                      });
}

RC_GTEST_PROP(ServedDifferentialTest, AnyBytesAreAnsweredAsByTheRealServer, ()) {
  Servers& both = servers();
  both.on_both({"FLUSHALL"});
  const std::string bytes = *any_bytes();
  RC_ASSERT(answers_to(bytes, RawClient(both.served.path())) ==
            answers_to(bytes, RawClient(both.real.socket_path())));
}

RC_GTEST_PROP(ServedDifferentialTest, ClientsReadWhatTheRealServerWouldSay, ()) {
  expect_equal_answers(mixed_kind());
}

RC_GTEST_PROP(ServedDifferentialTest, ClientsReadWhatTheLocksScriptsWouldSay, ()) {
  expect_equal_answers(lock_scripts_kind());
}

}  // namespace
}  // namespace lockstep::serve::test
