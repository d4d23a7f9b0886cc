#include "tests/redis/comparison/replica_pair.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "redis/persistence/stored_files.h"
#include "redis/server/server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::string_view marker = "end-of-stream";
constexpr std::string_view host = "127.0.0.1";
constexpr std::size_t other(std::size_t node) { return 1 - node; }

/// A port of the loopback interface that nobody uses now.
std::uint16_t free_port() {
  const int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  const bool is_bound = listening >= 0 && bind(listening, plain, size) == 0 &&
                        getsockname(listening, plain, &size) == 0;
  if (listening >= 0) close(listening);
  if (!is_bound) throw std::runtime_error("no free port on the loopback interface");
  return ntohs(address.sin_port);
}

/// Synchronisations end at a tick of the server: many ticks, so that they end soon.
confirm::RealRedisOptions options_with(const confirm::RealProgram& program, std::uint16_t port) {
  confirm::RealRedisOptions options;
  options.program = program;
  options.arguments = {"--port", std::to_string(port),         "--bind", std::string(host), "--hz",
                       "500",    "--repl-diskless-sync-delay", "0"};
  return options;
}

/// The value of a line of INFO.
std::string info(confirm::RedisConnection& connection, std::string_view name) {
  const std::string text = connection.command({"INFO", "replication"}).text;
  const std::size_t begin = text.find(std::string(name).append(":"));
  if (begin == std::string::npos) return {};
  const std::size_t value = begin + name.size() + 1;
  return text.substr(value, text.find('\r', value) - value);
}

}  // namespace

RealNode::RealNode(const confirm::RealProgram& program)
    : port(free_port()),
      clock(directory.path(), SimulatedServer::start_us),
      redis(clock, options_with(program, port)),
      control(redis.socket_path()),
      listener(redis.socket_path()) {
  listener.command({"SUBSCRIBE", marker});
}

void RealReplicas::reset() {
  for (RealNode& each : nodes_) each.clock.set_us(SimulatedServer::start_us);
  nodes_[0].control.command({"REPLICAOF", "NO", "ONE"});
  nodes_[1].control.command({"REPLICAOF", host, std::to_string(nodes_[0].port)});
  for (RealNode& each : nodes_) each.control.command({"SCRIPT", "FLUSH"});
  wait_until_linked(1);
  nodes_[0].control.command({"FLUSHALL"});
}

void RealReplicas::wait_until_linked(std::size_t replica) {
  constexpr int polls_max = 20'000;
  for (int polls = 0; polls < polls_max; ++polls) {
    if (info(nodes_[replica].control, "master_link_status") == "up") return;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  throw std::runtime_error("a real replica does not reach its master");
}

std::int64_t RealReplicas::offset(std::size_t index) {
  return std::stoll(info(nodes_[index].control, "master_repl_offset"));
}

ReplicaPair::ReplicaPair(RealReplicas& real, std::size_t sessions)
    : real_(real),
      simulated_{SimulatedServer(options_of(real.version())),
                 SimulatedServer(options_of(real.version()))} {
  real_.reset();
  for (std::size_t i = 0; i < 2; ++i) {
    listeners_[i] = simulated_[i].open();
    simulated_[i].run_in(listeners_[i], "SUBSCRIBE end-of-stream");
  }
  simulated_[1].server().demote();
  is_linked_ = false;
  follow(1);
  simulated_[0].run("FLUSHALL");
  settle();
  first_offsets_ = {real_.offset(0), simulated_[0].server().replication_offset()};
  for (std::size_t i = 0; i < 2; ++i) {
    operators_.emplace_back(simulated_[i], real_.node(i).redis.socket_path());
  }
  for (std::size_t i = 0; i < sessions; ++i) {
    const std::size_t node = i < sessions / 2 ? 0 : 1;
    clients_.emplace_back(simulated_[node], real_.node(node).redis.socket_path());
  }
}

void ReplicaPair::load(std::string_view script) {
  for (std::size_t i = 0; i < 2; ++i) {
    simulated_[i].run({"SCRIPT", "LOAD", script});
    real_.node(i).control.command({"SCRIPT", "LOAD", script});
  }
}

void ReplicaPair::take(const Step& step) {
  if (step.words[0] == "CLOCK-AHEAD") {
    second_ahead_us_ = std::stoll(step.words[1]);
    return advance(0);
  }
  if (step.advance_us != 0) advance(step.advance_us);
  if (compact_encodings_after(step.words) == CompactEncodings::left)
    compact_encodings_ = CompactEncodings::left;
  const std::size_t node = node_of(step.session);
  if (step.words[0] == "REPLICAOF") return change_role(node, step.words);
  compare_messages(step.words);
  if (clients_[step.session].is_blocked()) return;
  if (is_linked_ && node != master_) settle();
  send(clients_[step.session], step.words);
  if (clients_[step.session].is_blocked()) real_.node(node).control.command({"PING"});
}

/// Passes over what shrinking left without its reason.
void ReplicaPair::change_role(std::size_t node, const std::vector<std::string>& words) {
  settle();
  const bool is_promotion = words[1] == "NO";
  if (is_promotion && node != master_ && is_linked_) {
    is_linked_ = false;
    send(operators_[node], words);
  } else if (!is_promotion && node == master_ && !is_linked_) {
    const std::string port = std::to_string(real_.node(other(node)).port);
    send(operators_[node], {"REPLICAOF", std::string(host), port});
    real_.wait_until_linked(node);
    follow(node);
  }
}

void ReplicaPair::advance(std::int64_t advance_us) {
  if (is_linked_) settle();  // 6.0's replicas count a lease from when they get it
  const std::int64_t now_us = simulated_[0].now_us() + advance_us;
  simulated_[0].set_time_us(now_us);
  simulated_[1].set_time_us(now_us + second_ahead_us_);
  for (std::size_t i = 0; i < 2; ++i) real_.node(i).clock.set_us(simulated_[i].now_us());
  for (std::size_t i = 0; i < 2; ++i) real_.node(i).control.command({"PING"});
}

void ReplicaPair::send(ComparedClient& client, const std::vector<std::string>& words) {
  client.send(words, counts_);
  move_stream();
  client.compare(words, compact_encodings_, counts_);
  compare_messages(words);
}

void ReplicaPair::move_stream() {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string stream = simulated_[i].take_stream();
    counts_.stream_bytes += stream.size();
    if (is_linked_ && i == master_) simulated_[other(i)].server().apply_stream(stream);
  }
}

void ReplicaPair::compare_messages(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    try {
      clients_[i].compare(words, compact_encodings_, counts_);
    } catch (const Difference& difference) {
      throw Difference("session " + std::to_string(i) + " " + difference.what());
    }
  }
}

/// A message that travels behind everything else.
void ReplicaPair::settle() {
  simulated_[master_].run({"PUBLISH", marker, ""});
  move_stream();
  real_.node(master_).control.command({"PUBLISH", marker, ""});
  real_.node(master_).listener.read_reply();
  if (is_linked_) real_.node(other(master_)).listener.read_reply();
  for (std::size_t i = 0; i < 2; ++i) simulated_[i].take_push_replies(listeners_[i]);
}

/// PSYNC: the rest of the stream where that is possible, else everything.
void ReplicaPair::follow(std::size_t follower) {
  Server& replica = simulated_[follower].server();
  Server& master = simulated_[other(follower)].server();
  const auto missing = master.stream_since(replica.replication_id(), replica.replication_offset());
  if (missing) {
    replica.adopt_replication_id(master.replication_id());
    replica.apply_stream(std::string(*missing));
  } else {
    Snapshot snapshot;
    master.take_snapshot(snapshot);
    replica.load(snapshot);
  }
  for (SimulatedServer& each : simulated_) each.take_stream();
  master.attach_replica(host, real_.node(follower).port);
  master_ = other(follower);
  is_linked_ = true;
}

void ReplicaPair::compare_offsets() {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t real = real_.offset(i) - first_offsets_[0];
    const std::int64_t simulated = simulated_[i].server().replication_offset() - first_offsets_[1];
    if (real == simulated) continue;
    throw Difference("the stream of server " + std::to_string(i) +
                     " is longer or shorter\n  real:" + "      " + std::to_string(real) +
                     " bytes\n  simulated: " + std::to_string(simulated) + " bytes");
  }
}

void ReplicaPair::compare_rest() {
  settle();
  for (std::size_t i = 0; i < clients_.size(); ++i) take({0, i, {"PING"}});  // nothing is left over
  settle();
  compare_offsets();
  for (ComparedClient& each : clients_) each.close();
  for (const std::size_t i : {master_, other(master_)}) {
    settle();  // what reading the master deleted has come over
    compare_data(simulated_[i], real_.node(i).redis.socket_path(), compact_encodings_, counts_);
    move_stream();
  }
}

ComparedCounts compare_replicas(RealReplicas& real, const SequenceKind& kind,
                                const Sequence& sequence) {
  ReplicaPair pair(real, kind.sessions);
  for (const std::string& script : kind.scripts) pair.load(script);
  for (const Step& step : sequence) pair.take(step);
  pair.compare_rest();
  return pair.counts();
}

}  // namespace lockstep::redis::test
