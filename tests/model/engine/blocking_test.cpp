// A simulated client that waits with BLPOP: served by another's push, or told in virtual time that
// its time is over.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter/state.h"
#include "model/node/node_listener.h"
#include "model/node/redis_node.h"
#include "model/recorder.h"
#include "redis/scripting/script_engine.h"
#include "sim/network.h"
#include "sim/seeded_choices.h"

namespace lockstep::model::test {
namespace {

/// Sends requests as they are and notes when which reply came.
class PlainClient final : public sim::Host {
 public:
  PlainClient(std::string name, sim::EventQueue& queue, sim::Trace& trace, sim::Network& network,
              MessagePool& messages)
      : Host(name, trace.add_actor({name, "client", name}), queue, trace),
        network_(network),
        messages_(messages),
        id_(network.add_host(*this)) {}

  [[nodiscard]] sim::HostId id() const { return id_; }
  void connect(sim::HostId node) { connection_ = network_.connect(id_, node); }

  void send(std::initializer_list<std::string_view> words) {
    const sim::Payload payload = messages_.make();
    Message& message = messages_[payload];
    message.kind = Message::Kind::request;
    message.label = "request";
    for (const std::string_view word : words) message.arguments.push(word);
    ASSERT_TRUE(network_.send(connection_, id_, payload, message.label, sim::no_actor));
  }

  std::vector<std::string> replies;  ///< "12 ms: text"

 private:
  void on_incoming(const sim::Incoming& incoming) override {
    if (incoming.kind != sim::Incoming::Kind::message) return;
    replies.push_back(std::to_string(now() / sim::millisecond_ns) +
                      " ms: " + redis::describe(messages_[incoming.argument].reply));
    messages_.release(incoming.argument);
  }
  void on_dropped(sim::Payload payload) override { messages_.release(payload); }

  sim::Network& network_;
  MessagePool& messages_;
  sim::HostId id_;
  sim::ConnectionId connection_{};
};

class SimulatedBlockingTest : public ::testing::Test, private NodeListener, private RoleListener {
 protected:
  SimulatedBlockingTest() {
    network.set_default_latency({sim::millisecond_ns, sim::millisecond_ns});
    node.set_host_id(network.add_host(node));
    network.reset_run(choices);
    node.set_choices(choices);
    node.start_as_master();
    waiter.connect(node.host_id());
    pusher.connect(node.host_id());
    run_until(10);
  }

  void run_until(std::int64_t ms) {
    while (queue.next_at() <= ms * sim::millisecond_ns) queue.run_next();
  }
  void on_executed(RedisNode& /*node*/, std::string_view /*command*/,
                   sim::ActorId /*by*/) override {}
  void on_data_changed(RedisNode& /*node*/, std::string_view /*label*/,
                       sim::ActorId /*by*/) override {
    ++changes;
  }
  void on_evicted(RedisNode& /*node*/) override {}
  void on_ended(RedisNode& /*node*/) override {}
  void on_promoted(RedisNode& /*node*/, Promoter /*by*/) override {}
  void on_following(RedisNode& /*node*/, RedisNode& /*master*/) override {}

  sim::EventQueue queue;
  sim::Trace trace;
  sim::Network network{queue, trace};
  MessagePool messages;
  Recorder recorder{queue, trace};
  lua::State lua;
  redis::ScriptEngine scripts{lua};
  sim::SeededChoices choices{1};
  int changes = 0;
  std::vector<RedisNode*> nodes{&node};
  RedisNode node{"n1",
                 trace.add_actor({"n1", "node", "n1"}),
                 {queue, trace, network, messages, recorder, scripts, *this, *this, nodes}};
  PlainClient waiter{"waiter", queue, trace, network, messages};
  PlainClient pusher{"pusher", queue, trace, network, messages};
};

TEST_F(SimulatedBlockingTest, IsServedByAPush) {
  waiter.send({"BLPOP", "queue", "10"});
  run_until(1000);
  EXPECT_EQ(waiter.replies, std::vector<std::string>{});
  pusher.send({"RPUSH", "queue", "first", "second"});
  run_until(20'000);
  ASSERT_EQ(waiter.replies.size(), 1U);
  EXPECT_EQ(waiter.replies[0].substr(waiter.replies[0].find(':')), R"(: ["queue", "first"])");
  ASSERT_EQ(pusher.replies.size(), 1U);
  EXPECT_EQ(changes, 1);
  EXPECT_EQ(messages.in_use(), 0U);
}

TEST_F(SimulatedBlockingTest, IsToldInVirtualTimeThatItsTimeIsOver) {
  waiter.send({"BLPOP", "queue", "0.5"});
  run_until(500);
  EXPECT_EQ(waiter.replies, std::vector<std::string>{});
  run_until(1000);
  ASSERT_EQ(waiter.replies.size(), 1U);
  EXPECT_EQ(waiter.replies[0].substr(waiter.replies[0].find(':')), ": (nil)");
  pusher.send({"RPUSH", "queue", "item"});
  pusher.send({"LLEN", "queue"});
  run_until(2000);
  EXPECT_EQ(waiter.replies.size(), 1U);
  ASSERT_EQ(pusher.replies.size(), 2U);
  EXPECT_EQ(pusher.replies[1].substr(pusher.replies[1].find(':')), ": (integer) 1");
}

TEST_F(SimulatedBlockingTest, IsForgottenWhenItsConnectionCloses) {
  waiter.send({"BLPOP", "queue", "0"});
  run_until(100);
  waiter.crash();
  network.drop_connections_of(waiter.id());
  run_until(200);
  pusher.send({"RPUSH", "queue", "item"});
  pusher.send({"LLEN", "queue"});
  run_until(1000);
  ASSERT_EQ(pusher.replies.size(), 2U);
  EXPECT_EQ(pusher.replies[1].substr(pusher.replies[1].find(':')), ": (integer) 1");
}

}  // namespace
}  // namespace lockstep::model::test
