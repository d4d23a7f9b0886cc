#include "tests/redis/comparison/server_pair.h"

#include <algorithm>

#include "redis/server/server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::string_view end_of_stream = "PUBLISH end-of-stream ''";

}  // namespace

ServerPair::ServerPair(StreamedServer& real, std::size_t sessions)
    : real_(real), simulated_(options_of(real.version)) {
  real_.clock.set_us(SimulatedServer::start_us);
  real_.connection.command({"FLUSHALL"});
  // Whether there is memory is looked at only where there is a limit: the sequence before may have
  // left "no" behind.
  real_.connection.command({"CONFIG", "SET", "maxmemory", "100gb"});
  real_.connection.command({"PING"});
  real_.connection.command({"CONFIG", "SET", "maxmemory", "0"});
  real_.connection.command({"SCRIPT", "FLUSH"});
  real_.connection.command({"FUNCTION", "FLUSH"});
  real_.connection.command({"CONFIG", "SET", "notify-keyspace-events", ""});
  real_.stream.take(real_.connection);
  simulated_.run(end_of_stream);  // so that both streams have selected database 0
  simulated_.take_stream();
  simulated_.server().acknowledge(0, 0);  // the capture is a replica that never acknowledges
  for (std::size_t i = 0; i < sessions; ++i) {
    clients_.emplace_back(simulated_, real_.redis.socket_path());
  }
}

void ServerPair::load(std::string_view script) {
  simulated_.run({"SCRIPT", "LOAD", script});
  real_.connection.command({"SCRIPT", "LOAD", script});
}

void ServerPair::take(const Step& step) {
  ComparedClient& client = clients_[step.session];
  if (step.advance_us != 0) {
    const bool has_waiting = std::any_of(clients_.begin(), clients_.end(),
                                         [](const auto& each) { return each.is_blocked(); });
    simulated_.set_time_us(simulated_.now_us() + step.advance_us);
    real_.clock.set_us(simulated_.now_us());
    if (has_waiting) settle();
    compare_messages(step.words);
  }
  if (client.is_blocked()) return;
  if (compact_encodings_after(step.words) == CompactEncodings::left)
    compact_encodings_ = CompactEncodings::left;
  if (deletes_in_any_order(step.words)) has_any_order_ = true;
  client.send(step.words, counts_);
  if (client.is_blocked() || client.is_silent()) settle();
  compare_messages(step.words);
  make_equal_again(step.words);
}

// Twice, since the server may serve this connection first of those that sent something.
void ServerPair::settle() {
  real_.connection.command({"PING"});
  real_.connection.command({"PING"});
}

void ServerPair::compare_messages(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    try {
      clients_[i].compare(words, compact_encodings_, counts_);
    } catch (const Difference& difference) {
      throw Difference("session " + std::to_string(i) + " " + difference.what());
    }
  }
}

/// A random choice left different data on both sides: away with it.
void ServerPair::make_equal_again(const std::vector<std::string>& words) {
  if (!leaves_random_data(words)) return;
  has_random_data_ = true;
  for (const std::string_view name : sequence_keys()) {
    const std::vector<std::string_view> type{"TYPE", name};
    simulated_.run({"TYPE", name});  // which deletes the key where it is expired, on both
    if (real_.connection.command(type).text != "set") continue;
    real_.connection.command({"DEL", name});
    simulated_.run({"DEL", name});
  }
}

namespace {

/// Without what WAIT asks of replicas: a model of the server has its own way for that.
std::string without_getack(std::string stream) {
  constexpr std::string_view getack = "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n";
  for (std::size_t at = 0; (at = stream.find(getack, at)) != std::string::npos;) {
    stream.erase(at, getack.size());
  }
  return stream;
}

}  // namespace

void ServerPair::compare_streams() {
  const std::string real_stream = without_getack(real_.stream.take(real_.connection));
  simulated_.run(end_of_stream);
  const std::string simulated_stream = simulated_.take_stream();
  counts_.stream_bytes += real_stream.size();
  if (real_stream == simulated_stream || has_random_data_) return;
  const bool has_same_bytes = std::is_permutation(real_stream.begin(), real_stream.end(),
                                                  simulated_stream.begin(), simulated_stream.end());
  if (has_any_order_ && has_same_bytes) return;
  throw Difference("the replication stream\n  real:      " + in_quotes(requests_in(real_stream)) +
                   "\n  simulated: " + in_quotes(requests_in(simulated_stream)));
}

void ServerPair::compare_rest() {
  for (std::size_t i = 0; i < clients_.size(); ++i) take({0, i, {"PING"}});  // nothing is left over
  compare_streams();
  for (ComparedClient& each : clients_) each.close();
  compare_data(simulated_, real_.redis.socket_path(), compact_encodings_, counts_);
}

ComparedCounts compare_servers(StreamedServer& real, const SequenceKind& kind,
                               const Sequence& sequence) {
  ServerPair pair(real, kind.sessions);
  for (const std::string& script : kind.scripts) pair.load(script);
  for (const Step& step : sequence) pair.take(step);
  pair.compare_rest();
  return pair.counts();
}

}  // namespace lockstep::redis::test
