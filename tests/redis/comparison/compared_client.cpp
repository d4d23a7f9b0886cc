#include "tests/redis/comparison/compared_client.h"

#include <optional>

#include "redis/persistence/stored_files.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::size_t database_count = 16;

std::vector<std::string_view> views_of(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

bool is_script(std::string_view name) {
  return name.size() >= 4 && equals_ignoring_case(name.substr(0, 4), "eval");
}

bool is_queued(const RespMessage& message) {
  return message.kind == '+' && message.text == "QUEUED";
}

}  // namespace

void ComparedClient::send(const std::vector<std::string>& words, ComparedCounts& counts) {
  ++counts.commands;
  if (is_script(words[0])) ++counts.scripts;
  run_simulated(views_of(words));
  connection_->send(views_of(words));
}

void ComparedClient::run_simulated(std::span<const std::string_view> words) {
  std::string bytes;
  RespWriter writer(bytes);
  take_pushes();
  simulated_.set_output(session_, &bytes);  // its own pushes may stand within its reply
  is_silent_ = simulated_.try_run_in(session_, words, writer) == ExecuteResult::silent;
  simulated_.set_output(session_, nullptr);
  simulated_said_.feed(bytes);
}

void ComparedClient::take_pushes() {
  std::string bytes;
  RespWriter writer(bytes, simulated_.server().protocol(session_));
  for (const Reply& push : simulated_.take_push_replies(session_)) write_reply(push, writer);
  simulated_said_.feed(bytes);
}

void ComparedClient::compare(const std::vector<std::string>& words, CompactEncodings forms,
                             ComparedCounts& counts) {
  take_pushes();
  while (std::optional<RespMessage> simulated = simulated_said_.next()) {
    RespMessage real = next_real(*simulated);
    ++counts.messages;
    if (redis::equals_ignoring_case(words[0], "multi") && simulated->kind == '+') queued_.clear();
    std::vector<std::string> asked = words;
    if (is_queued(*simulated)) {
      queued_.insert(queued_.end(), words.begin(), words.end());
    } else if (redis::equals_ignoring_case(words[0], "exec")) {
      asked.insert(asked.end(), queued_.begin(), queued_.end());
    }
    if (simulated_.server().version().version != default_version) {
      normalize_for_other_versions(asked, real);
      normalize_for_other_versions(asked, *simulated);
    }
    normalize_reply(asked, forms, real);
    normalize_reply(asked, forms, *simulated);
    if (real == *simulated) {
      if (simulated->text.starts_with("UNBLOCKED ") && simulated->kind == '-') expect_end();
      continue;
    }
    throw Difference("after " + cli_line(words) + "\n  real:      " + describe(real) +
                     "\n  simulated: " + describe(*simulated));
  }
}

/// Whoever is blocked when a server's role changes is told so and disconnected.
void ComparedClient::expect_end() {
  constexpr int patience_ms = 1'000;
  is_closed_ = true;
  std::string bytes;
  try {
    if (connection_->can_read(patience_ms)) connection_->read_bytes(bytes);
  } catch (const std::exception&) {
    return;
  }
  throw Difference("the real server goes on after UNBLOCKED: " + in_quotes(bytes));
}

RespMessage ComparedClient::next_real(const RespMessage& simulated) {
  constexpr int patience_ms = 10'000;  // the machine may be busy
  for (;;) {
    if (std::optional<RespMessage> message = real_said_.next()) return *message;
    if (!connection_->can_read(patience_ms)) {
      throw Difference("the real server says nothing more, the simulated one\n  " +
                       describe(simulated));
    }
    std::string bytes;
    connection_->read_bytes(bytes);
    real_said_.feed(bytes);
  }
}

void ComparedClient::compare_replies(const std::vector<std::vector<std::string>>& requests,
                                     CompactEncodings forms, ComparedCounts& counts) {
  std::string bytes;
  for (const auto& words : requests) append_request(views_of(words), bytes);
  connection_->send_bytes(bytes);
  for (const auto& words : requests) {
    run_simulated(views_of(words));
    compare(words, forms, counts);
  }
}

void ComparedClient::close() {
  simulated_.close(session_);
  connection_.reset();
}

void compare_data(SimulatedServer& simulated, const std::string& real_socket_path,
                  CompactEncodings forms, ComparedCounts& counts) {
  std::vector<std::vector<std::string>> requests;
  for (std::size_t i = 0; i < database_count; ++i) {
    requests.push_back({"SELECT", std::to_string(i)});
    requests.push_back({"DBSIZE"});
    const auto& entries = simulated.server().keyspace(i).entries();
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
  ComparedClient client(simulated, real_socket_path);
  client.compare_replies(requests, forms, counts);
  client.close();
}

}  // namespace lockstep::redis::test
