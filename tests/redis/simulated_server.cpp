#include "tests/redis/simulated_server.h"

#include <stdexcept>

#include "model/lua/state.h"
#include "model/redis/resp.h"

namespace lockstep::redis::test {

ScriptEngine& shared_script_engine() {
  static lua::State state;
  static ScriptEngine engine(state);
  return engine;
}

SimulatedServer::SimulatedServer(const ServerOptions& options)
    : server_(shared_script_engine(), *this) {
  start(options);
}

void SimulatedServer::start(const ServerOptions& options) {
  server_.start(options);
  shared_script_engine().reset_run();
  set_time_us(start_us);
  random_.seed();
  stream_.clear();
  pushes_.clear();
  acknowledgements_wanted_ = 0;
  last_offset_told_ = 0;
  server_.open_session();
}

void SimulatedServer::set_time_us(std::int64_t unix_time_us) {
  now_us_ = unix_time_us;
  server_.set_time_us(unix_time_us);
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
  if (server_.execute(session, words, builder) != Executed::replied) {
    throw std::logic_error("the command blocks");
  }
  return reply;
}

bool SimulatedServer::blocks(SessionId session, std::string_view line) {
  Reply reply;
  ReplyBuilder builder(reply);
  return server_.execute(session, words_of(line), builder) == Executed::blocked;
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

void SimulatedServer::on_push(SessionId session, const Reply& push) {
  pushes_[session].push_back(push);
}

void SimulatedServer::on_unblocked(SessionId session, const Reply& reply) {
  pushes_[session].push_back(reply);
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
