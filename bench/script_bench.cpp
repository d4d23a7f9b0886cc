// Scripts per second: through the simulated Redis, and at the limit that Lua itself sets.
//
// The same round of four lock scripts (bench/lock_scripts.h) runs in a bare Lua state whose
// redis.call is a minimal hash-table stub, in the script engine over the same stub, and through a
// whole simulated server: EVALSHA, the command table, keyspace, expiry, effects. The last against
// the first is the price of the simulation; `script_ratio` gives it as a counter,
// `script_ratio_rewritten` for a script whose text has to be rewritten for Lua 5.4.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <lua.hpp>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bench/lock_scripts.h"
#include "bench/stub_store.h"
#include "lua/interpreter/state.h"
#include "redis/protocol/reply_builder.h"
#include "redis/protocol/reply_writer.h"
#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_process_state.h"
#include "redis/server/server.h"
#include "sim/trace.h"

namespace lockstep::bench {
namespace {

using Views = std::span<const std::string_view>;
using Round = std::span<const Evaluation>;

/// Plain Lua, plain C API, nothing else.
class BareLua {
 public:
  BareLua() : state_(luaL_newstate()) {
    luaL_openlibs(state_);
    lua_newtable(state_);
    lua_pushlightuserdata(state_, &store_);
    lua_pushcclosure(state_, &call, 1);
    lua_setfield(state_, -2, "call");
    lua_setglobal(state_, "redis");
    for (const std::string_view name : script_names) {
      luaL_loadstring(state_, read_script(name).c_str());
      functions_.push_back(luaL_ref(state_, LUA_REGISTRYINDEX));
    }
  }
  BareLua(const BareLua&) = delete;
  BareLua& operator=(const BareLua&) = delete;
  ~BareLua() { lua_close(state_); }

  std::int64_t run(const Evaluation& evaluation) {
    set_table("KEYS", {evaluation.keys.data(), evaluation.key_count});
    set_table("ARGV", {evaluation.arguments.data(), evaluation.argument_count});
    lua_rawgeti(state_, LUA_REGISTRYINDEX, functions_[evaluation.script]);
    lua_pcall(state_, 0, 1, 0);
    const std::int64_t result = lua_isnil(state_, -1) ? -1 : lua_tointeger(state_, -1);
    lua_pop(state_, 1);
    return result;
  }

 private:
  static int call(lua_State* state) {
    auto& store = *static_cast<StubStore*>(lua_touserdata(state, lua_upvalueindex(1)));
    const auto argument = [state](int index) {
      std::size_t length = 0;
      const char* text = lua_tolstring(state, index + 1, &length);
      return std::string_view(text, length);
    };
    lua_pushinteger(state, store.execute(argument(0), argument));
    return 1;
  }

  void set_table(const char* name, Views values) {
    lua_createtable(state_, static_cast<int>(values.size()), 0);
    lua_Integer position = 0;
    for (const std::string_view value : values) {
      lua_pushlstring(state_, value.data(), value.size());
      lua_rawseti(state_, -2, ++position);
    }
    lua_setglobal(state_, name);
  }

  StubStore store_;
  lua_State* state_;
  std::vector<int> functions_;
};

/// Takes replies and keeps nothing.
class Sink final : public redis::ReplyWriter {
 public:
  void integer(std::int64_t value) override { sum_ += value; }
  void bulk(std::string_view text) override { sum_ += static_cast<std::int64_t>(text.size()); }
  void null_bulk() override { --sum_; }
  void null_array() override { --sum_; }
  void status(std::string_view) override {}
  void error(std::string_view text) override { throw std::runtime_error(std::string(text)); }
  void array(std::size_t) override {}

  [[nodiscard]] std::int64_t sum() const { return sum_; }

 private:
  std::int64_t sum_ = 0;
};

/// The script engine over the stub.
class EngineOnly {
 public:
  EngineOnly() {
    for (const std::string_view name : script_names) {
      scripts_.push_back(std::get<redis::ScriptId>(engine_.compile(read_script(name))));
    }
  }

  void run(const Evaluation& evaluation) {
    engine_.run(scripts_[evaluation.script], {evaluation.keys.data(), evaluation.key_count},
                {evaluation.arguments.data(), evaluation.argument_count}, host_, sink_);
  }

 private:
  class Host final : public redis::ScriptHost {
   public:
    void call(Views arguments, redis::ReplyWriter& reply) override {
      const auto argument = [arguments](int index) {
        return arguments[static_cast<std::size_t>(index)];
      };
      reply.integer(store_.execute(arguments[0], argument));
    }
    void log(std::int64_t, std::string_view) override {}
    redis::ScriptProcessState& process() override { return process_; }

   private:
    StubStore store_;
    redis::ScriptProcessState process_;
  };

  lua::State state_;
  redis::ScriptEngine engine_{state_};
  std::vector<redis::ScriptId> scripts_;
  Host host_;
  Sink sink_;
};

/// A whole simulated server with one session and no replica; each command feeds the trace's hash,
/// as a simulated node does it.
class ServerEvalsha final : public redis::ServerListener {
 public:
  explicit ServerEvalsha(Round round) : round_(round) {
    server_.start({});
    server_.set_time_us(1'700'000'000'000'000);
    session_ = server_.open_session();
    for (const std::string_view name : script_names) {
      const std::string body = read_script(name);
      const std::array<std::string_view, 3> load = {"SCRIPT", "LOAD", body};
      server_.execute(session_, load, sink_);
      digests_.push_back(redis::sha1_hex(body));
    }
    for (const Evaluation& evaluation : round) requests_.push_back(request(evaluation));
  }

  void prepare(Round before) {
    for (const Evaluation& evaluation : before) {
      server_.execute(session_, request(evaluation), sink_);
    }
  }

  void run(std::size_t index) {
    const std::uint64_t dirty_before = server_.dirty();
    redis::ReplyBuilder builder(reply_);
    server_.execute(session_, requests_[index], builder);
    text_.clear();
    for (const std::string_view word : requests_[index]) text_.append(word).append(" ");
    const std::size_t arguments_length = text_.size();
    text_ += reply_.is_null() ? "nil" : std::to_string(reply_.integer);
    const std::string_view text = text_;
    trace_.emit(sim::TimeNs{}, "command-executed", actor_,
                {{"label", script_names[round_[index].script]},
                 {"command", requests_[index][0]},
                 {"arguments", text.substr(0, arguments_length)},
                 {"reply", text.substr(arguments_length)},
                 {"on_behalf_of", "a/1"},
                 {"writes", static_cast<std::int64_t>(server_.dirty() - dirty_before)}});
  }

  [[nodiscard]] std::uint64_t hash() const { return trace_.hash(); }

  void on_push(redis::SessionId, const redis::Reply&) override {}
  void on_unblocked(redis::SessionId, const redis::Reply&) override {}
  void on_propagated(std::string_view bytes, std::int64_t) override { bytes_ += bytes.size(); }
  void on_getack_wanted() override {}
  std::uint64_t random_below(std::uint64_t) override { return 0; }

 private:
  std::vector<std::string_view> request(const Evaluation& evaluation) const {
    constexpr std::array<std::string_view, 3> counts = {"0", "1", "2"};
    std::vector<std::string_view> words = {"EVALSHA", digests_[evaluation.script],
                                           counts[evaluation.key_count]};
    words.insert(words.end(), evaluation.keys.begin(),
                 evaluation.keys.begin() + static_cast<std::ptrdiff_t>(evaluation.key_count));
    words.insert(
        words.end(), evaluation.arguments.begin(),
        evaluation.arguments.begin() + static_cast<std::ptrdiff_t>(evaluation.argument_count));
    return words;
  }

  Round round_;
  lua::State state_;
  redis::ScriptEngine engine_{state_};
  redis::Server server_{engine_, *this};
  sim::Trace trace_;
  sim::ActorId actor_ = trace_.add_actor({"n1", "redis", "n1"});
  Sink sink_;
  redis::Reply reply_;
  std::string text_;
  redis::SessionId session_{};
  std::vector<std::string> digests_;
  std::vector<std::vector<std::string_view>> requests_;
  std::size_t bytes_ = 0;
};

void count_scripts(benchmark::State& state) {
  const auto scripts =
      static_cast<double>(state.iterations()) * static_cast<double>(lock_round.size());
  state.counters["scripts_per_second"] = benchmark::Counter(scripts, benchmark::Counter::kIsRate);
  state.counters["seconds_per_script"] =
      benchmark::Counter(scripts, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void script_bare_lua(benchmark::State& state) {
  BareLua bare;
  for (auto _ : state) {
    for (const Evaluation& evaluation : lock_round) benchmark::DoNotOptimize(bare.run(evaluation));
  }
  count_scripts(state);
}
BENCHMARK(script_bare_lua);

void script_engine_only(benchmark::State& state) {
  EngineOnly engine;
  for (auto _ : state) {
    for (const Evaluation& evaluation : lock_round) engine.run(evaluation);
  }
  count_scripts(state);
}
BENCHMARK(script_engine_only);

void script_server_evalsha(benchmark::State& state) {
  ServerEvalsha server(lock_round);
  for (auto _ : state) {
    for (std::size_t index = 0; index < lock_round.size(); ++index) server.run(index);
  }
  benchmark::DoNotOptimize(server.hash());
  count_scripts(state);
}
BENCHMARK(script_server_evalsha);

/// Processor time, which other processes of a busy machine don't disturb.
template <typename Work>
double seconds_for(int rounds, const Work& work) {
  const std::clock_t begin = std::clock();
  for (int round = 0; round < rounds; ++round) work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Alternates short stretches of both, so that a machine that speeds up or slows down meets both
/// alike. Counter `ratio`: the server's time over bare Lua's.
void measure_ratio(benchmark::State& state, Round before, Round round) {
  constexpr int rounds = 5000;
  BareLua bare;
  for (const Evaluation& evaluation : before) bare.run(evaluation);
  ServerEvalsha server(round);
  server.prepare(before);
  double bare_seconds = 0;
  double server_seconds = 0;
  for (auto _ : state) {
    bare_seconds += seconds_for(rounds, [&] {
      for (const Evaluation& evaluation : round) benchmark::DoNotOptimize(bare.run(evaluation));
    });
    server_seconds += seconds_for(rounds, [&] {
      for (std::size_t index = 0; index < round.size(); ++index) server.run(index);
    });
  }
  const double scripts =
      static_cast<double>(state.iterations()) * rounds * static_cast<double>(round.size());
  state.counters["bare_ns"] = bare_seconds / scripts * 1e9;
  state.counters["server_ns"] = server_seconds / scripts * 1e9;
  state.counters["ratio"] = server_seconds / bare_seconds;
}

/// Goal: at most 1.6.
void script_ratio(benchmark::State& state) { measure_ratio(state, {}, lock_round); }
BENCHMARK(script_ratio)->Unit(benchmark::kMillisecond);

void script_ratio_rewritten(benchmark::State& state) {
  measure_ratio(state, before_rewritten, rewritten_round);
}
BENCHMARK(script_ratio_rewritten)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace lockstep::bench
