// Hostile scripts and hostile requests for a server: nothing may crash it, hang it or make it write
// anything but one reply for each request.
//
// The first byte says what the others are: a script, run twice with the same outcome wanted, or
// what comes over a connection. Scripts are limited in instructions and memory so that each input
// ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter/state.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

constexpr std::uint64_t instructions_max = 100'000;
constexpr std::size_t lua_bytes_max = std::size_t{32} * 1024 * 1024;
constexpr std::size_t requests_max = 200;
constexpr std::int64_t start_us = 1'700'000'000'000'000;

class Listener final : public ServerListener {
 public:
  void on_push(SessionId, const Reply& push) override { heard_ += describe(push).size(); }
  void on_unblocked(SessionId, const Reply& reply) override { heard_ += describe(reply).size(); }
  void on_propagated(std::string_view bytes, std::int64_t) override { heard_ += bytes.size(); }
  void on_getack_wanted() override {}
  std::uint64_t random_below(std::uint64_t bound) override { return random_() % bound; }

 private:
  std::mt19937_64 random_;
  std::size_t heard_ = 0;
};

struct Engine {
  lua::State state{{.memory_bytes_max = lua_bytes_max}};
  ScriptEngine scripts{state};
  Engine() { scripts.set_instruction_limit(instructions_max); }
};

/// A new one now and then, as it remembers all scripts.
ScriptEngine& engine() {
  constexpr int inputs_max = 500;
  static std::unique_ptr<Engine> engine;
  static int inputs = inputs_max;
  if (++inputs >= inputs_max) {
    engine = std::make_unique<Engine>();
    inputs = 0;
  }
  return engine->scripts;
}

class FuzzedServer {
 public:
  explicit FuzzedServer(ScriptEngine& scripts) : server_(scripts, listener_) {
    server_.start({});
    server_.set_time_us(now_us_);
    session_ = server_.open_session();
  }

  std::string execute(const std::vector<std::string_view>& words) {
    constexpr std::int64_t step_us = 700;
    server_.set_time_us(now_us_ += step_us);
    std::string bytes;
    RespWriter writer(bytes);
    if (server_.execute(session_, words, writer) == ExecuteResult::blocked)
      server_.unblock(session_);
    return bytes;
  }

 private:
  Listener listener_;
  Server server_;
  SessionId session_{};
  std::int64_t now_us_ = start_us;
};

std::string run_script(ScriptEngine& scripts, std::string_view script) {
  FuzzedServer server(scripts);
  server.execute({"HSET", "key", "f", "1"});
  return server.execute({"EVAL", script, "1", "key", "f"});
}

void run_requests(ScriptEngine& scripts, std::string_view bytes) {
  FuzzedServer server(scripts);
  RequestReader reader;
  reader.feed(bytes);
  std::size_t requests = 0;
  while (reader.next() == RespRead::complete && ++requests < requests_max) {
    server.execute({reader.words().begin(), reader.words().end()});
  }
}

}  // namespace
}  // namespace lockstep::redis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep::redis;
  if (size < 2) return 0;
  ScriptEngine& scripts = engine();
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 'R') {
    run_requests(scripts, text);
  } else if (run_script(scripts, text) != run_script(scripts, text)) {
    std::abort();
  }
  return 0;
}
