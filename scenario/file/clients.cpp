#include "scenario/file/clients.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/file/file_keys.h"
#include "scenario/file/redis_topology.h"
#include "scenario/generate.h"
#include "scenario/participants.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"
#include "scenario/text/error_collector.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t rounds_max = 1'000'000;
constexpr std::int64_t count_max = 100;
constexpr std::int64_t threads_of_client_max = 100;
// More would be another program: hosts talk to each other in pairs.
constexpr std::size_t clients_max = 200;
constexpr std::size_t threads_max = 1'000;
constexpr std::size_t steps_max = 1'000;
constexpr std::string_view run_example = R"(run = ["lock lease=10s", "write", "unlock"])";

ThreadSpec read_thread(const TableReader& table, const Scenario& scenario) {
  const auto generate = table.table("generate");
  if (!table.has("run") && !generate) table.complain_missing("run", run_example);
  ThreadSpec thread;
  for (const LocatedText& text : table.texts("run")) {
    if (thread.steps.size() == steps_max) {
      text.complain(
          fmt::format("a thread has at most {} steps; 'rounds' repeats them, and "
                      "'generate' draws more",
                      steps_max));
    }
    thread.steps.push_back(read_step(text, scenario.lock_name));
  }
  if (thread.steps.empty() && !generate) {
    throw InputError(table.value_place("run"),
                     fmt::format("there is no step to run; expected as in {}", run_example));
  }
  require_locks_before_unlocks(thread.steps);
  if (generate) thread.generate = read_generate(*generate, scenario.lock_name);
  return thread;
}

std::vector<ThreadSpec> read_threads(const TableReader& table, const Scenario& scenario) {
  const bool has_threads = table.has("thread");
  for (const std::string_view key : {"run", "generate", "threads"}) {
    if (!has_threads || !table.has(key)) continue;
    throw InputError(table.key_place(key),
                     fmt::format("a client has '{}' for itself, or [[client.thread]] for several "
                                 "threads that differ, not both",
                                 key));
  }
  if (!has_threads) {
    const auto count = table.whole_number("threads", {1, threads_of_client_max}).value_or(1);
    return std::vector<ThreadSpec>(static_cast<std::size_t>(count), read_thread(table, scenario));
  }
  std::vector<ThreadSpec> threads;
  for (const TableReader& thread : table.tables("thread")) {
    thread.allow_only(key_names_of(TableName::thread));
    threads.push_back(read_thread(thread, scenario));
  }
  if (threads.empty()) {
    throw InputError(table.value_place("thread"), "there is no thread; expected [[client.thread]]");
  }
  return threads;
}

/// Throws InputError where no client may have the name, or one has it.
void require_free_name(const LocatedText& name, const std::string& whole,
                       const Scenario& scenario) {
  require_client_name({whole, name.place, false});
  require_no_sentinel({whole, name.place, false}, scenario.redis);
  const auto other = std::find_if(scenario.clients.begin(), scenario.clients.end(),
                                  [&whole](const ClientSpec& each) { return each.name == whole; });
  if (other != scenario.clients.end()) {
    name.complain(fmt::format("there is a client {} already, on line {}; expected another name",
                              in_quotes(whole), other->place.line));
  }
}

ClientSpec read_client(const TableReader& table, const LocatedText& name,
                       const Scenario& scenario) {
  ClientSpec client;
  client.place = name.place;
  client.threads = read_threads(table, scenario);
  client.rounds =
      static_cast<std::uint32_t>(table.whole_number("rounds", {1, rounds_max}).value_or(1));
  if (const auto start = table.duration_range("start", DurationSign::not_negative)) {
    client.start_ns = start->min_ns;
    if (start->is_open()) client.start_ns_max = start->max_ns;
  }
  client.wall_offset_ns = table.duration("wall_offset", DurationSign::any).value_or(0);
  client.drift_ppm = table.ppm("drift").value_or(0);
  if (client.start_ns_max.value_or(client.start_ns) >= scenario.horizon_ns) {
    table.text("start")->complain(fmt::format("the run ends at {}, before this client starts",
                                              format_duration(scenario.horizon_ns)));
  }
  return client;
}

void require_room(const Scenario& scenario, const LocatedText& name, std::size_t more_clients,
                  std::size_t more_threads) {
  std::size_t threads = more_clients * more_threads;
  for (const ClientSpec& client : scenario.clients) threads += client.threads.size();
  if (scenario.clients.size() + more_clients > clients_max || threads > threads_max) {
    name.complain(fmt::format("this makes more than {} clients or {} threads in all", clients_max,
                              threads_max));
  }
}

/// One client, or `count` of them: w1, w2, …
void read_clients(const TableReader& table, Scenario& scenario) {
  table.allow_only(key_names_of(TableName::client));
  const auto name = table.text("name");
  if (!name) table.complain_missing("name", "name = \"a\"");
  const auto count = table.whole_number("count", {1, count_max});
  if (!count) require_free_name(*name, std::string(name->text), scenario);
  ClientSpec client = read_client(table, *name, scenario);
  require_room(scenario, *name, static_cast<std::size_t>(count.value_or(1)), client.threads.size());
  for (std::int64_t i = 1; i <= count.value_or(1); ++i) {
    client.name = name->text;
    if (count) client.name += std::to_string(i);
    require_free_name(*name, client.name, scenario);
    scenario.clients.push_back(client);
  }
}

}  // namespace

void read_clients(const std::vector<TableReader>& tables, Scenario& scenario) {
  ErrorCollector mistakes;
  for (const TableReader& table : tables) {
    mistakes.note([&] { read_clients(table, scenario); });
  }
  mistakes.raise();
}

}  // namespace lockstep::scenario
