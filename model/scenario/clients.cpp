#include "model/scenario/clients.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/scenario/cast.h"
#include "model/scenario/durations.h"
#include "model/scenario/redis_topology.h"
#include "model/scenario/steps.h"

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 7> client_keys = {"name",  "run",         "thread", "rounds",
                                                         "start", "wall_offset", "drift"};
constexpr std::array<std::string_view, 1> thread_keys = {"run"};
constexpr std::int64_t rounds_max = 1'000'000;
constexpr std::string_view run_example = R"(run = ["lock lease=10s", "write", "unlock"])";

ThreadSpec read_thread(const TableReader& table, const Scenario& scenario) {
  if (!table.has("run")) table.complain_missing("run", run_example);
  ThreadSpec thread;
  for (const PlacedText& text : table.texts("run")) {
    thread.steps.push_back(read_step(text, scenario.lock_name));
  }
  if (thread.steps.empty()) {
    throw InputError(table.value_place("run"),
                     fmt::format("there is no step to run; expected as in {}", run_example));
  }
  require_locks_before_unlocks(thread.steps);
  return thread;
}

std::vector<ThreadSpec> read_threads(const TableReader& table, const Scenario& scenario) {
  const bool has_threads = table.has("thread");
  if (has_threads && table.has("run")) {
    throw InputError(table.key_place("run"),
                     "a client has 'run' for its one thread, or [[client.thread]] for several, "
                     "not both");
  }
  if (!has_threads) return {read_thread(table, scenario)};
  std::vector<ThreadSpec> threads;
  for (const TableReader& thread : table.tables("thread")) {
    thread.allow_only(thread_keys);
    threads.push_back(read_thread(thread, scenario));
  }
  if (threads.empty()) {
    throw InputError(table.value_place("thread"), "there is no thread; expected [[client.thread]]");
  }
  return threads;
}

void read_name(const TableReader& table, const Scenario& scenario, ClientSpec& client) {
  const auto name = table.text("name");
  if (!name) table.complain_missing("name", "name = \"a\"");
  require_client_name(*name);
  require_no_sentinel(*name, scenario.redis);
  client.name = name->text;
  client.place = name->place;
  const auto other =
      std::find_if(scenario.clients.begin(), scenario.clients.end(),
                   [&client](const ClientSpec& each) { return each.name == client.name; });
  if (other != scenario.clients.end()) {
    name->complain(fmt::format("there is a client {} already, on line {}; expected another name",
                               in_quotes(client.name), other->place.line));
  }
}

ClientSpec read_client(const TableReader& table, const Scenario& scenario) {
  table.allow_only(client_keys);
  ClientSpec client;
  read_name(table, scenario, client);
  client.threads = read_threads(table, scenario);
  client.rounds =
      static_cast<std::uint32_t>(table.whole_number("rounds", {1, rounds_max}).value_or(1));
  client.start_ns = table.duration("start", DurationSign::not_negative).value_or(0);
  client.wall_offset_ns = table.duration("wall_offset", DurationSign::any).value_or(0);
  client.drift_ppm = table.ppm("drift").value_or(0);
  if (client.start_ns >= scenario.horizon_ns) {
    table.text("start")->complain(fmt::format("the run ends at {}, before this client starts",
                                              write_duration(scenario.horizon_ns)));
  }
  return client;
}

}  // namespace

void read_clients(const std::vector<TableReader>& tables, Scenario& scenario) {
  for (const TableReader& table : tables) {
    scenario.clients.push_back(read_client(table, scenario));
  }
}

}  // namespace lockstep::model
