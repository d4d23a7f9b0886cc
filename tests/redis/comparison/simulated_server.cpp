#include "tests/redis/comparison/simulated_server.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>

#include "lua/interpreter/state.h"
#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"

namespace lockstep::redis::test {

namespace {

struct Engine {
  lua::State state;
  ScriptEngine scripts{state};
};

std::unique_ptr<Engine>& engine() {
  static std::unique_ptr<Engine> engine = std::make_unique<Engine>();
  return engine;
}

}  // namespace

ScriptEngine& shared_script_engine() { return engine()->scripts; }

void renew_script_engine() { engine() = std::make_unique<Engine>(); }

SimulatedServer::SimulatedServer() : SimulatedServer(ServerOptions{}) {}

SimulatedServer::SimulatedServer(const ServerOptions& options)
    : server_(
          std::make_unique<Server>(shared_script_engine(), static_cast<ServerListener&>(*this))) {
  start(options);
}

SimulatedServer::~SimulatedServer() = default;

void SimulatedServer::start(const ServerOptions& options) {
  server_->start(options);
  set_time_us(start_us);
  random_.seed();
  stream_.clear();
  pushes_.clear();
  ended_.clear();
  deadlines_ms_.clear();
  acknowledgements_wanted_ = 0;
  last_offset_told_ = 0;
  server_->open_session();
}

void SimulatedServer::set_time_us(std::int64_t unix_time_us) {
  now_us_ = unix_time_us;
  server_->set_time_us(unix_time_us);
  unblock_late();
}

// As Redis: the earliest time-out first, and of equal ones the oldest connection.
void SimulatedServer::unblock_late() {
  while (!deadlines_ms_.empty()) {
    const auto next =
        std::min_element(deadlines_ms_.begin(), deadlines_ms_.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (next->second >= now_us_ / 1000) return;
    server_->unblock(next->first);  // erases it, through on_unblocked
  }
}

SessionId SimulatedServer::open() { return server_->open_session(); }

void SimulatedServer::close(SessionId session) {
  server_->close_session(session);
  deadlines_ms_.erase(session);
  pushes_.erase(session);
  ended_.erase(session);
}

Reply SimulatedServer::run(std::initializer_list<std::string_view> words) {
  return run_in(first, std::span<const std::string_view>(words.begin(), words.size()));
}

Reply SimulatedServer::run(std::string_view line) { return run_in(first, line); }

Reply SimulatedServer::run_in(SessionId session, std::string_view line) {
  return run_in(session, words_of(line));
}

Reply SimulatedServer::run_in(SessionId session, std::span<const std::string_view> words) {
  Reply reply;
  ReplyBuilder builder(reply);
  if (server_->execute(session, words, builder) != ExecuteResult::replied) {
    throw std::logic_error("the command blocks");
  }
  return reply;
}

ExecuteResult SimulatedServer::try_run_in(SessionId session,
                                          std::span<const std::string_view> words,
                                          ReplyWriter& reply) {
  const ExecuteResult executed = server_->execute(session, words, reply);
  if (executed == ExecuteResult::blocked) {
    const std::int64_t timeout_ms = server_->block_timeout_ms(session);
    deadlines_ms_[session] =
        timeout_ms == 0 ? std::numeric_limits<std::int64_t>::max() : now_us_ / 1000 + timeout_ms;
  }
  return executed;
}

bool SimulatedServer::blocks(SessionId session, std::string_view line) {
  Reply reply;
  ReplyBuilder builder(reply);
  return server_->execute(session, words_of(line), builder) == ExecuteResult::blocked;
}

std::string SimulatedServer::take_requests() { return requests_in(take_stream()); }

std::vector<Reply> SimulatedServer::take_push_replies(SessionId session) {
  return std::exchange(pushes_[session], {});
}

std::vector<std::string> SimulatedServer::take_pushes(SessionId session) {
  std::vector<std::string> described;
  for (const Reply& push : take_push_replies(session)) described.push_back(describe(push));
  return described;
}

void SimulatedServer::set_output(SessionId session, std::string* out) {
  if (out == nullptr) {
    outputs_.erase(session);
  } else {
    outputs_[session] = out;
  }
}

void SimulatedServer::on_push(SessionId session, const Reply& push) {
  const auto output = outputs_.find(session);
  if (output == outputs_.end()) {
    pushes_[session].push_back(push);
  } else {
    RespWriter writer(*output->second, server_->protocol(session));
    write_reply(push, writer);
  }
}

void SimulatedServer::on_unblocked(SessionId session, const Reply& reply) {
  pushes_[session].push_back(reply);
  deadlines_ms_.erase(session);
}

void SimulatedServer::on_propagated(std::string_view bytes, std::int64_t offset_after) {
  stream_ += bytes;
  last_offset_told_ = offset_after;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    words.push_back(word == "''" ? std::string_view() : word);
    line.remove_prefix(std::min(word.size() + 1, line.size()));
  }
  return words;
}

std::string requests_in(std::string_view stream) {
  std::string text;
  std::string error;
  std::vector<std::string_view> words;
  for (std::size_t position = 0; position < stream.size();) {
    if (read_request(stream, position, {}, words, error) != RespRead::complete) {
      return text + " / and what is no request";
    }
    if (!text.empty()) text += " / ";
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) text += ' ';
      text += words[i];
    }
  }
  return text;
}

}  // namespace lockstep::redis::test
