// What a sentinel says to those who ask it, and what it writes and reads.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorder.h"
#include "model/sentinel/hello.h"
#include "model/sentinel/info_report.h"
#include "model/sentinel/sentinel_node.h"
#include "scenario/cluster_spec.h"
#include "sim/seeded_choices.h"

namespace lockstep::model {
namespace {

/// Sends requests, notes what comes, and answers nothing: also stands for the nodes.
class Bystander final : public sim::Host {
 public:
  Bystander(std::string name, sim::EventQueue& queue, sim::Trace& trace, sim::Network& network,
            MessagePool& messages)
      : Host(name, trace.add_actor({name, "client", name}), queue, trace),
        network_(network),
        messages_(messages),
        id_(network.add_host(*this)) {}

  [[nodiscard]] sim::HostId id() const { return id_; }
  void connect(sim::HostId to) { connection_ = network_.connect(id_, to); }
  void send(std::initializer_list<std::string_view> words) {
    const sim::Payload payload = messages_.make();
    Message& message = messages_[payload];
    message.label = "request";
    for (const std::string_view word : words) message.arguments.push(word);
    ASSERT_TRUE(network_.send(connection_, id_, payload, message.label, sim::no_actor));
  }

  std::vector<std::string> heard;

 private:
  void on_incoming(const sim::Incoming& incoming) override {
    if (incoming.kind != sim::Incoming::Kind::message) return;
    if (incoming.connection == connection_) {
      heard.push_back(redis::describe(messages_[incoming.argument].reply));
    }
    messages_.release(incoming.argument);
  }
  void on_dropped(sim::Payload payload) override { messages_.release(payload); }

  sim::Network& network_;
  MessagePool& messages_;
  sim::HostId id_;
  sim::ConnectionId connection_{};
};

class SentinelAnswers : public ::testing::Test {
 protected:
  SentinelAnswers() {
    sentinel.set_host_id(network.add_host(sentinel));
    network.reset_run(choices);
    sentinel.start_run(choices, {n1.id(), {n2.id()}, {sentinel.host_id(), s2.id()}});
    asker.connect(sentinel.host_id());
    run_for(10);
  }
  void run_for(std::int64_t ms) {
    const sim::TimeNs until = queue.now() + ms * sim::millisecond_ns;
    while (queue.next_at() <= until) queue.run_next();
  }
  std::string answer(std::initializer_list<std::string_view> words) {
    asker.heard.clear();
    asker.send(words);
    run_for(5);
    return asker.heard.empty() ? std::string("nothing") : asker.heard.back();
  }

  sim::EventQueue queue;
  sim::Trace trace;
  sim::Network network{queue, trace};
  MessagePool messages;
  Recorder recorder{queue, trace};
  sim::SeededChoices choices{1};
  Bystander n1{"n1", queue, trace, network, messages};
  Bystander n2{"n2", queue, trace, network, messages};
  Bystander s2{"s2", queue, trace, network, messages};
  Bystander asker{"asker", queue, trace, network, messages};
  SentinelNode sentinel{"s1",
                        trace.add_actor({"s1", "sentinel", "sentinels"}),
                        {.count = 3, .quorum = 2, .down_after_ns = sim::second_ns},
                        {queue, trace, network, messages, recorder}};
};

TEST_F(SentinelAnswers, ThoseWhoAskForTheMaster) {
  EXPECT_EQ(answer({"PING"}), "PONG");
  EXPECT_EQ(answer({"sentinel", "GET-MASTER-ADDR-BY-NAME", "mymaster"}), R"(["n1", "6379"])");
  EXPECT_EQ(answer({"SENTINEL", "get-master-addr-by-name", "other"}), "(nil)");
  EXPECT_EQ(answer({"SENTINEL", "replicas", "other"}), "(error) ERR No such master with that name");
  EXPECT_EQ(answer({"ROLE"}), R"(["sentinel", ["mymaster"]])");
  const std::string master = answer({"SENTINEL", "masters"});
  EXPECT_NE(master.find(R"("num-slaves", "1", "num-other-sentinels", "1", "quorum", "2")"),
            std::string::npos)
      << master;
  EXPECT_NE(answer({"SENTINEL", "replicas", "mymaster"}).find(R"("name", "n2")"),
            std::string::npos);
  EXPECT_NE(answer({"SENTINEL", "sentinels", "mymaster"}).find(R"("name", "s2")"),
            std::string::npos);
}

TEST_F(SentinelAnswers, ClientsThatGreetIt) {
  EXPECT_EQ(answer({"HELLO", "3"}), "(error) NOPROTO unsupported protocol version");
  EXPECT_EQ(answer({"HELLO", "2"}), R"(["server", "redis", "proto", "2", "mode", "sentinel"])");
  EXPECT_EQ(
      answer({"CLIENT", "SETINFO", "LIB-NAME", "x"}),
      "(error) ERR unknown command 'CLIENT', with args beginning with: 'SETINFO' 'LIB-NAME' 'x' ");
}

TEST_F(SentinelAnswers, ByVotingOnceInAnEpoch) {
  const auto ask = [&](std::string_view epoch, std::string_view candidate) {
    return answer({"SENTINEL", "is-master-down-by-addr", "n1", "6379", epoch, candidate});
  };
  EXPECT_EQ(ask("0", "*"), R"([(integer) 0, "*", (integer) 0])");
  EXPECT_EQ(ask("5", "s2"), R"([(integer) 0, "s2", (integer) 5])");
  EXPECT_EQ(ask("5", "s3"), R"([(integer) 0, "s2", (integer) 5])");  // given away
  EXPECT_EQ(ask("4", "s3"), R"([(integer) 0, "s2", (integer) 5])");  // of the past
  EXPECT_EQ(ask("6", "s3"), R"([(integer) 0, "s3", (integer) 6])");
  EXPECT_EQ(sentinel.current_epoch(), 6);
  run_for(3000);  // nobody has answered a PING
  EXPECT_EQ(ask("0", "*"), R"([(integer) 1, "*", (integer) 0])");
}

TEST_F(SentinelAnswers, KeepItsVoteOverARestart) {
  EXPECT_EQ(answer({"SENTINEL", "is-master-down-by-addr", "n1", "6379", "5", "s2"}),
            R"([(integer) 0, "s2", (integer) 5])");
  sentinel.crash();
  network.drop_connections_of(sentinel.host_id());
  run_for(10);
  sentinel.restart();
  asker.connect(sentinel.host_id());
  run_for(10);
  EXPECT_EQ(answer({"SENTINEL", "is-master-down-by-addr", "n1", "6379", "5", "s3"}),
            R"([(integer) 0, "*", (integer) 5])");
}

TEST_F(SentinelAnswers, WhoListensHearsOfASwitch) {
  EXPECT_EQ(answer({"PSUBSCRIBE", "+switch-*"}), R"(["psubscribe", "+switch-*", (integer) 1])");
  EXPECT_EQ(answer({"PUBLISH", hello_channel, "s2,26379,s2,7,mymaster,n2,6379,7"}),
            R"(["pmessage", "+switch-*", "+switch-master", "mymaster n1 6379 n2 6379"])");
  EXPECT_EQ(sentinel.current_master(), "n2");
  EXPECT_EQ(sentinel.config_epoch(), 7);
  // An older configuration changes nothing.
  static_cast<void>(answer({"PUBLISH", hello_channel, "s2,26379,s2,7,mymaster,n1,6379,6"}));
  EXPECT_EQ(sentinel.current_master(), "n2");
}

TEST(SentinelHello, IsReadAsItIsWritten) {
  const std::string text = write_hello({"s1", 3, "n1-replica-1", 2});
  EXPECT_EQ(text, "s1,26379,s1,3,mymaster,n1-replica-1,6379,2");
  const auto hello = read_hello(text);
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->sentinel, "s1");
  EXPECT_EQ(hello->current_epoch, 3);
  EXPECT_EQ(hello->master, "n1-replica-1");
  EXPECT_EQ(hello->config_epoch, 2);
  for (const std::string_view wrong :
       {"", "s1,26379,s1,3,mymaster,n1,6379", "s1,26379,s1,3,mymaster,n1,6379,2,",
        "s1,26379,s1,x,mymaster,n1,6379,2", "s1,26379,s1,3,theirs,n1,6379,2"}) {
    EXPECT_FALSE(read_hello(wrong)) << wrong;
  }
}

TEST(SentinelInfo, IsReadLineByLine) {
  const InfoReport replica = read_info(
      "# Replication\r\nrole:slave\r\nmaster_host:n1\r\nmaster_link_status:down\r\n"
      "master_link_down_since_seconds:7\r\nslave_repl_offset:42\r\nslave_priority:10\r\n");
  EXPECT_FALSE(replica.is_master);
  EXPECT_EQ(replica.master, "n1");
  EXPECT_FALSE(replica.master_link_is_up);
  EXPECT_EQ(replica.master_link_down_ms, 7000);
  EXPECT_EQ(replica.offset, 42);
  EXPECT_EQ(replica.priority, 10);
  const InfoReport master = read_info(
      "run_id:00ab\r\nrole:master\r\nslave0:ip=n2,port=6379,state=online\r\nslave1:ip=n3,port=1");
  EXPECT_TRUE(master.is_master);
  EXPECT_EQ(master.run_id, "00ab");
  EXPECT_EQ(master.replicas, (std::vector<std::string_view>{"n2", "n3"}));
}

}  // namespace
}  // namespace lockstep::model
