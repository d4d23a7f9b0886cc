#include "tests/redis/server_pair.h"

#include <algorithm>

#include "model/redis/letter_case.h"
#include "model/redis/resp.h"
#include "tests/redis/freedoms.h"

namespace lockstep::redis::test {
namespace {

constexpr std::string_view end_of_stream = "PUBLISH end-of-stream ''";
constexpr std::size_t database_count = 16;

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

bool is_script(std::string_view name) {
  return name.size() >= 4 && equals_ignoring_case(name.substr(0, 4), "eval");
}

}  // namespace

ServerPair::ServerPair(RealServer& real, std::size_t sessions) : real_(real) {
  real_.clock.set_us(SimulatedServer::start_us);
  real_.control.command({"FLUSHALL"});
  real_.control.command({"SCRIPT", "FLUSH"});
  real_.stream.take(real_.control);
  simulated_.run(end_of_stream);  // so that both streams have selected database 0
  simulated_.take_stream();
  simulated_.server().acknowledge(0, 0);  // the capture is a replica that never acknowledges
  for (std::size_t i = 0; i < sessions; ++i) add_client();
}

void ServerPair::add_client() {
  Client client;
  client.session = simulated_.open();
  client.connection =
      std::make_unique<lockstep::confirm::RedisConnection>(real_.redis.socket_path());
  clients_.push_back(std::move(client));
}

void ServerPair::load(std::string_view script) {
  simulated_.run({"SCRIPT", "LOAD", script});
  real_.control.command({"SCRIPT", "LOAD", script});
}

void ServerPair::take(const Step& step) {
  Client& client = clients_[step.session];
  const bool has_waiting =
      std::any_of(clients_.begin(), clients_.end(),
                  [this](const Client& each) { return simulated_.is_blocked(each.session); });
  if (step.advance_us != 0) {
    simulated_.set_time_us(simulated_.now_us() + step.advance_us);
    real_.clock.set_us(simulated_.now_us());
    if (has_waiting) settle();
    compare_messages(step.words);
  }
  if (simulated_.is_blocked(client.session)) return;
  const std::vector<std::string_view> words = views_of(step.words);
  ++counts_.commands;
  if (is_script(words[0])) ++counts_.scripts;
  if (small_forms_after(step.words) == SmallForms::left) small_forms_ = SmallForms::left;
  run_simulated(client, words);
  client.connection->send(words);
  const bool has_begun_to_wait = simulated_.is_blocked(client.session);
  if (has_begun_to_wait) settle();
  compare_messages(step.words);
  make_equal_again(step.words);
}

/// Returns when the real server has done all that it was sent.
void ServerPair::settle() { real_.control.command({"PING"}); }

void ServerPair::run_simulated(Client& client, std::span<const std::string_view> words) {
  std::string bytes;
  RespWriter writer(bytes);
  simulated_.try_run_in(client.session, words, writer);
  std::string pushed;
  RespWriter push_writer(pushed);
  // A session's own pushes come before its reply.
  for (const Reply& push : simulated_.take_push_replies(client.session)) {
    write_reply(push, push_writer);
  }
  client.simulated.feed(pushed);
  client.simulated.feed(bytes);
}

void ServerPair::compare_messages(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    Client& client = clients_[i];
    std::string pushed;
    RespWriter writer(pushed);
    for (const Reply& push : simulated_.take_push_replies(client.session)) {
      write_reply(push, writer);
    }
    client.simulated.feed(pushed);
    while (std::optional<RespMessage> simulated = client.simulated.next()) {
      RespMessage real = real_message(client, *simulated);
      ++counts_.messages;
      const bool is_queued = simulated->kind == '+' && simulated->text == "QUEUED";
      if (is_queued) client.queued.insert(client.queued.end(), words.begin(), words.end());
      std::vector<std::string> asked = words;
      if (!is_queued) asked.insert(asked.end(), client.queued.begin(), client.queued.end());
      remove_freedoms(asked, small_forms_, real);
      remove_freedoms(asked, small_forms_, *simulated);
      if (real == *simulated) continue;
      throw Difference("session " + std::to_string(i) + " after " + cli_line(words) +
                       "\n  real:      " + describe(real) +
                       "\n  simulated: " + describe(*simulated));
    }
  }
}

RespMessage ServerPair::real_message(Client& client, const RespMessage& simulated) {
  constexpr int patience_ms = 1'000;
  for (;;) {
    if (std::optional<RespMessage> message = client.real.next()) return *message;
    if (!client.connection->can_read(patience_ms)) {
      throw Difference("the real server says nothing more, the simulated one\n  " +
                       describe(simulated));
    }
    std::string bytes;
    client.connection->read_bytes(bytes);
    client.real.feed(bytes);
  }
}

/// A random choice left different data on both sides: away with it.
void ServerPair::make_equal_again(const std::vector<std::string>& words) {
  if (!leaves_random_data(words)) return;
  has_random_data_ = true;
  for (const std::string_view name : sequence_keys()) {
    const std::vector<std::string_view> type{"TYPE", name};
    if (real_.control.command(type).text != "set") continue;
    real_.control.command({"DEL", name});
    simulated_.run({"DEL", name});
  }
}

void ServerPair::compare_streams() {
  const std::string real_stream = real_.stream.take(real_.control);
  simulated_.run(end_of_stream);
  const std::string simulated_stream = simulated_.take_stream();
  counts_.stream_bytes += real_stream.size();
  if (real_stream == simulated_stream || has_random_data_) return;
  throw Difference("the replication stream\n  real:      " + requests_in(real_stream) +
                   "\n  simulated: " + requests_in(simulated_stream));
}

void ServerPair::compare_rest() {
  for (std::size_t i = 0; i < clients_.size(); ++i) take({0, i, {"PING"}});  // nothing is left over
  compare_streams();
  for (Client& each : clients_) {
    if (simulated_.is_blocked(each.session)) continue;
    simulated_.server().close_session(each.session);
  }
  clients_.clear();
  add_client();
  compare_data();
}

void ServerPair::compare_data() {
  std::vector<std::vector<std::string>> requests;
  for (std::size_t i = 0; i < database_count; ++i) {
    requests.push_back({"SELECT", std::to_string(i)});
    requests.push_back({"DBSIZE"});
    const auto& entries = simulated_.server().keyspace(i).entries();
    if (entries.empty()) continue;
    requests.push_back({"KEYS", "*"});
    for (const auto& [name, entry] : entries) {
      for (const char* command : {"PEXPIRETIME", "PTTL", "TTL", "TYPE"}) {
        requests.push_back({command, name});
      }
      const std::vector<std::vector<std::string>> reads{{"GET", name},
                                                        {"HGETALL", name},
                                                        {"LRANGE", name, "0", "-1"},
                                                        {"SMEMBERS", name},
                                                        {"ZRANGE", name, "0", "-1", "WITHSCORES"}};
      requests.push_back(reads[entry.value.index()]);
    }
  }
  ask(requests);
}

/// All at once, as the replies decide nothing.
void ServerPair::ask(const std::vector<std::vector<std::string>>& requests) {
  Client& client = clients_.back();
  std::string bytes;
  for (const auto& words : requests) append_request(views_of(words), bytes);
  client.connection->send_bytes(bytes);
  for (const auto& words : requests) {
    run_simulated(client, views_of(words));
    compare_messages(words);
  }
}

ComparedCounts compare_servers(RealServer& real, const SequenceKind& kind,
                               const Sequence& sequence) {
  ServerPair pair(real, kind.sessions);
  for (const std::string& script : kind.scripts) pair.load(script);
  for (const Step& step : sequence) pair.take(step);
  pair.compare_rest();
  return pair.counts();
}

}  // namespace lockstep::redis::test
