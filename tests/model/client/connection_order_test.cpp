// Over one connection the server executes a client's requests in the order in which they were asked
// for, whatever the delays, resets, pauses, restarts and reconnections: as far as the library's
// habit says. The same drawn runs over a pool show that the test can tell.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lock_folder.h"
#include "lock_run.h"

namespace lockstep::test::calls_in_order {
namespace {

constexpr int calls_of_a_thread = 4;

/// Each call writes its own number, drawn as it is asked for; now and then one blocks the others.
constexpr std::string_view client_model = R"(
local model = {}
local last = 0
local function ask(blocks)
  last = last + 1
  local number = last
  if blocks then return client.command(1, "BLPOP", "call " .. number, "0.05") end
  return client.command(1, "SET", "call " .. number, number)
end
local function try_asking(blocks)
  local replied, answer = pcall(ask, blocks)
  if not replied then client.log(answer.code) end
end
function model.lock(lock)
  for turn = 1, 4 do
    client.sleep(client.random(40))
    try_asking(client.random(6) == 1)
  end
  return true
end
function model.try_lock(lock) return true end
function model.unlock(lock) return true end
return model
)";

struct DrawnRun {
  std::string reconnect;
  std::int64_t latency_max_ms;
  std::uint64_t seed;
  std::size_t threads;
  std::vector<scenario::FaultSpec> faults;
};

scenario::FaultSpec message_fault(scenario::FaultKind kind, const std::string& label, int nth,
                                  int by_ms) {
  scenario::FaultSpec fault;
  fault.kind = kind;
  fault.message_label = label;
  fault.nth = static_cast<std::uint32_t>(nth);
  fault.by_ns = by_ms * sim::millisecond_ns;
  return fault;
}

scenario::FaultSpec host_fault(scenario::FaultKind kind, const std::string& host, int at_ms,
                               int for_ms) {
  scenario::FaultSpec fault;
  fault.kind = kind;
  fault.target = host;
  fault.trigger.after_ns = at_ms * sim::millisecond_ns;
  if (for_ms > 0) fault.for_ns = for_ms * sim::millisecond_ns;
  return fault;
}

void add_drawn_fault(std::vector<scenario::FaultSpec>& faults) {
  using Kind = scenario::FaultKind;
  const int nth = *rc::gen::inRange(1, 12);
  const int at_ms = *rc::gen::inRange(1, 300);
  const int long_ms = *rc::gen::inRange(1, 400);
  const auto label =
      *rc::gen::element(std::string("set"), std::string("reply to set"), std::string("blpop"));
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
    case 1:
      faults.push_back(message_fault(Kind::reset, label, nth, 0));
      break;
    case 2:
      faults.push_back(message_fault(Kind::delay, label, nth, long_ms));
      break;
    case 3:
      faults.push_back(host_fault(Kind::pause, "a", at_ms, long_ms));
      break;
    case 4:
      faults.push_back(host_fault(Kind::pause, "n1", at_ms, long_ms));
      break;
    default:
      faults.push_back(host_fault(Kind::crash, "n1", at_ms, 0));
      faults.push_back(host_fault(Kind::restart, "n1", at_ms + long_ms, 0));
      break;
  }
}

DrawnRun draw_run() {
  DrawnRun drawn;
  drawn.reconnect =
      *rc::gen::element(std::string("resend"), std::string("queue"), std::string("drop"));
  drawn.latency_max_ms = *rc::gen::element(1, 5, 60);
  drawn.seed = *rc::gen::arbitrary<std::uint64_t>();
  drawn.threads = *rc::gen::inRange<std::size_t>(1, 6);
  const int faults = *rc::gen::inRange(0, 5);
  for (int i = 0; i < faults; ++i) add_drawn_fault(drawn.faults);
  return drawn;
}

struct Executed {
  std::vector<int> calls;  ///< by their numbers, in order
  std::size_t failed = 0;
  std::string text;
};

Executed execute(const LockFolder& folder, const DrawnRun& drawn, const std::string& connection) {
  LockRun run(folder.folder().string());
  run.scenario.options["connection"] = connection;
  if (connection == "one") run.scenario.options["reconnect"] = drawn.reconnect;
  run.scenario.options["timeout_ms"] = std::int64_t{100'000};
  run.scenario.options["retry_attempts"] = std::int64_t{0};
  run.scenario.options["retry_interval_ms"] = std::int64_t{30};
  run.scenario.latency = {sim::millisecond_ns, drawn.latency_max_ms * sim::millisecond_ns};
  run.client("a", std::vector<std::string>(drawn.threads, "lock; unlock"));
  run.scenario.faults = drawn.faults;
  run.run(drawn.seed);
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  Executed executed;
  for (const TraceLine& line : run.find("command-executed", "n1", "arguments=call ")) {
    executed.calls.push_back(std::stoi(line.fields.substr(line.fields.find("call ") + 5)));
  }
  executed.failed = run.count("client-logged");
  executed.text = run.text();
  return executed;
}

/// The order of the first executions: nothing is lost in it that comes back.
bool first_executions_are_in_order(const std::vector<int>& calls) {
  int highest = 0;
  std::vector<int> seen;
  for (const int call : calls) {
    const bool is_first = std::find(seen.begin(), seen.end(), call) == seen.end();
    if (is_first && call < highest) return false;
    highest = std::max(highest, call);
    if (is_first) seen.push_back(call);
  }
  return true;
}

/// What is executed again is executed again in order, and with all that had come behind it and was
/// not answered: so the calls go up, but for steps back to one that was executed before.
bool steps_back_are_to_known_calls(const std::vector<int>& calls) {
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const auto end = calls.begin() + static_cast<std::ptrdiff_t>(i);
    if (calls[i] <= calls[i - 1] && std::find(calls.begin(), end, calls[i]) == end) return false;
  }
  return true;
}

std::string text_of(const std::vector<int>& calls) {
  std::string text;
  for (const int call : calls) text += std::to_string(call) + " ";
  return text;
}

RC_GTEST_PROP(OneConnection, KeepsTheOrderOfTheCalls, ()) {
  LockFolder folder;
  folder.write("client.lua", client_model);
  const DrawnRun drawn = draw_run();
  const Executed executed = execute(folder, drawn, "one");
  if (!first_executions_are_in_order(executed.calls) ||
      !steps_back_are_to_known_calls(executed.calls)) {
    RC_LOG(executed.text);
    RC_FAIL("executed in the order " + text_of(executed.calls));
  }
  std::vector<int> once = executed.calls;
  std::sort(once.begin(), once.end());
  const bool is_twice = std::adjacent_find(once.begin(), once.end()) != once.end();
  once.erase(std::unique(once.begin(), once.end()), once.end());
  const std::size_t asked = drawn.threads * calls_of_a_thread;
  if (drawn.reconnect == "resend") {
    RC_ASSERT(executed.failed == 0U);
    RC_ASSERT(once.size() == asked);
  } else {
    RC_ASSERT(!is_twice);
    RC_ASSERT(once.size() + executed.failed >= asked);
  }
  RC_TAG(drawn.reconnect);
}

TEST(OneConnectionsOrder, IsNotThatOfAPool) {
  LockFolder folder;
  folder.write("client.lua", client_model);
  int out_of_order = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const DrawnRun drawn{"resend", 60, seed, 4, {}};
    if (!first_executions_are_in_order(execute(folder, drawn, "pool").calls)) ++out_of_order;
  }
  EXPECT_GT(out_of_order, 10);
}

}  // namespace
}  // namespace lockstep::test::calls_in_order
