#include "tests/reports/trace_builder.h"

#include <initializer_list>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports::test {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

TraceBuilder::TraceBuilder() { trace_.set_sink(&recorder_); }

sim::ActorId TraceBuilder::actor(std::string name, std::string kind, std::string group) {
  return trace_.add_actor({std::move(name), std::move(kind), std::move(group)});
}

TraceBuilder& TraceBuilder::at_us(std::int64_t microseconds) {
  now_ = microseconds * sim::microsecond_ns;
  return *this;
}

std::uint64_t TraceBuilder::send(sim::ActorId from, sim::ActorId to, std::string_view label,
                                 sim::ActorId by) {
  tell(from, sim_kind::message_sent, Field("message", ++last_message_),
       Field("to", trace_.actor(to).name), Field("connection", 1), Field("label", label),
       Field("on_behalf_of", by == sim::no_actor ? "" : trace_.actor(by).name));
  return last_message_;
}

TraceBuilder& TraceBuilder::arrives(std::uint64_t message, sim::ActorId to) {
  return tell(to, sim_kind::message_delivered, Field("message", message));
}

search::RunRecord TraceBuilder::example() const {
  search::RunRecord example;
  example.seed = 1;
  example.trace.actors = trace_.actors();
  example.trace.events = events_;
  example.trace.hash = trace_.hash();
  example.trace.choices = {{{sim::Purpose::network_delay, 2}, 100, 42},
                           {{sim::Purpose::token, 0}, UINT64_MAX, UINT64_MAX - 1}};
  example.ended_at_ns = now_;
  example.lock_digest = 0x0123456789abcdef;
  return example;
}

namespace {

/// K2's cast, and its turns of phrase.
struct PauseStory {
  TraceBuilder builder;
  sim::ActorId faults = builder.actor("faults", "faults", "faults");
  sim::ActorId a = builder.actor("a", "client", "a");
  sim::ActorId a1 = builder.actor("a/1", "client-thread", "a");
  sim::ActorId b = builder.actor("b", "client", "b");
  sim::ActorId b1 = builder.actor("b/1", "client-thread", "b");
  sim::ActorId n1 = builder.actor("n1", "redis", "n1");
  sim::ActorId resource = builder.actor("resource", "resource", "resource");

  /// A request that arrives after so long; the reply, sent in `handle`, arrives after as long.
  template <typename Handle>
  void call(std::int64_t at_us, sim::ActorId from, sim::ActorId by, sim::ActorId to,
            std::string_view label, Handle handle) {
    builder.at_us(at_us);
    const auto request = builder.send(from, to, label, by);
    builder.at_us(at_us + 300).arrives(request, to);
    handle();
    const auto reply = builder.send(to, from, "reply to " + std::string(label), by);
    builder.at_us(at_us + 600).arrives(reply, from);
  }
  void execute(std::string_view label, std::string_view reply, std::string_view by, int writes) {
    builder.tell(n1, model_kind::command_executed, Field("label", label),
                 Field("command", "EVALSHA"), Field("arguments", "lock 10000 " + std::string(by)),
                 Field("reply", reply), Field("on_behalf_of", by), Field("writes", writes));
  }
  void lock_changes(std::string_view holders, std::int64_t lease_ends_us, std::string_view cause,
                    std::string_view by) {
    builder.tell(n1, model_kind::lock_changed, Field("lock", "lock"), Field("holders", holders),
                 Field("lease_ends_ns", lease_ends_us * 1'000), Field("cause", cause),
                 Field("by", by));
  }
  void step(sim::ActorId thread, std::string_view text) {
    builder.tell(thread, model_kind::step_invoked, Field("step", text));
  }
  void done(sim::ActorId thread, std::string_view text, std::string_view outcome = "ok",
            std::string_view detail = "") {
    if (detail.empty()) {
      builder.tell(thread, model_kind::step_completed, Field("step", text),
                   Field("outcome", outcome));
    } else {
      builder.tell(thread, model_kind::step_completed, Field("step", text),
                   Field("outcome", outcome), Field("detail", detail));
    }
  }
  void believes(sim::ActorId thread) {
    builder.tell(thread, model_kind::belief_began, Field("lock", "lock"));
  }
  void believes_no_more(sim::ActorId thread) {
    builder.tell(thread, model_kind::belief_ended, Field("lock", "lock"), Field("why", "released"));
  }
  void reads(std::string_view by, int version) {
    builder.tell(resource, model_kind::resource_read, Field("by", by), Field("version", version));
  }
  void writes(std::string_view by, int based_on, int version) {
    builder.tell(resource, model_kind::resource_written, Field("by", by),
                 Field("based_on", based_on), Field("version", version), Field("token", -1));
  }

  void tell() {
    a_locks_and_is_paused();
    b_waits();
    b_locks_and_writes();
    a_wakes();
    b_unlocks();
  }
  void a_locks_and_is_paused();
  void b_waits();
  void b_locks_and_writes();
  void a_wakes();
  void b_unlocks();

  checker::Moment a_believes, b_believes, a_ends, a_read, b_wrote, a_wrote;
};

void PauseStory::a_locks_and_is_paused() {
  builder.at_us(0);
  step(a1, "lock lease=10s");
  call(400, a, a1, n1, "acquire", [&] {
    execute("acquire", "(nil)", "a/1", 2);
    lock_changes("a/1:1", 10'000'700, "acquire", "a/1");
  });
  done(a1, "lock lease=10s");
  a_believes = builder.moment();
  believes(a1);
  step(a1, "write");
  call(1'500, a, a1, resource, "read", [&] {
    a_read = builder.moment();
    reads("a/1", 0);
  });
  builder.tell(faults, model_kind::fault_struck, Field("fault", 0),
               Field("what", "pause a for 15s when a read"), Field("target", "a"));
  builder.tell(a, sim_kind::process_paused, Field("for_ns", 15 * sim::second_ns));
}

void PauseStory::b_waits() {
  builder.at_us(5'000);
  step(b1, "lock lease=10s");
  call(5'400, b, b1, n1, "acquire", [&] { execute("acquire", "9995", "b/1", 0); });
  call(6'000, b, b1, n1, "subscribe", [&] { execute("subscribe", "[subscribe]", "b/1", 0); });
  call(6'600, b, b1, n1, "acquire", [&] { execute("acquire", "9993", "b/1", 0); });
}

void PauseStory::b_locks_and_writes() {
  builder.at_us(10'000'700);
  lock_changes("", 0, "expiry", "");
  call(10'001'200, b, b1, n1, "acquire", [&] {
    execute("acquire", "(nil)", "b/1", 2);
    lock_changes("b/1:1", 20'001'500, "acquire", "b/1");
  });
  done(b1, "lock lease=10s");
  b_believes = builder.moment();
  believes(b1);
  step(b1, "write");
  call(10'002'000, b, b1, resource, "read", [&] { reads("b/1", 0); });
  call(10'002'600, b, b1, resource, "write", [&] {
    b_wrote = builder.moment();
    writes("b/1", 0, 1);
  });
  done(b1, "write");
  step(b1, "sleep 8s");
}

void PauseStory::a_wakes() {
  builder.at_us(15'002'100).tell(a, sim_kind::process_resumed);
  call(15'002'100, a, a1, resource, "write", [&] {
    a_wrote = builder.moment();
    writes("a/1", 0, 2);
  });
  done(a1, "write");
  step(a1, "unlock");
  a_ends = builder.moment();
  believes_no_more(a1);
  call(15'002'700, a, a1, n1, "release", [&] { execute("release", "(nil)", "a/1", 0); });
  done(a1, "unlock", "fail", "not locked by current thread");
}

void PauseStory::b_unlocks() {
  builder.at_us(18'003'200);
  done(b1, "sleep 8s");
  step(b1, "unlock");
  believes_no_more(b1);
  call(18'003'200, b, b1, n1, "release", [&] {
    execute("release", "1", "b/1", 1);
    lock_changes("", 0, "release", "b/1");
  });
  done(b1, "unlock");
  builder.tell(sim::no_actor, model_kind::run_ended, Field("why", "at-rest"));
}

scenario::Scenario pause_scenario() {
  scenario::Scenario scenario;
  scenario.path = "scenarios/known-bugs/gc-pause.toml";
  scenario.text = "title = \"A pause longer than the lease\"\n";
  scenario.title = "A pause longer than the lease";
  scenario.lock = "plain";
  scenario.expect.violates = {checker::Property::mutual_exclusion, checker::Property::harm};
  scenario.expect.holds = {checker::Property::valid_grant};
  return scenario;
}

std::vector<checker::Verdict> pause_verdicts(const PauseStory& told, checker::Names& names) {
  const checker::NameId a = names.intern("a/1");
  const checker::NameId b = names.intern("b/1");
  checker::Verdict overlap{};
  overlap.property = checker::Property::mutual_exclusion;
  overlap.kind = checker::VerdictKind::violated;
  overlap.summary =
      "a/1 and b/1 both believed that they held lock \"lock\" for 5,000.9 ms (from 10,001.8 ms to "
      "15,002.7 ms)";
  overlap.evidence = {{"a/1 believed that it held lock \"lock\", until it released", a,
                       told.a_believes, told.a_ends},
                      {"b/1 believed that it held lock \"lock\", until it released", b,
                       told.b_believes, checker::Moment{18'003'200'000, 99}}};
  overlap.overlap_from_ns = told.b_believes.at_ns;
  overlap.overlap_until_ns = told.a_ends.at_ns;
  checker::Verdict harm{};
  harm.property = checker::Property::harm;
  harm.kind = checker::VerdictKind::violated;
  harm.summary =
      "a/1 wrote resource \"resource\" at 15,002.4 ms on the basis of version 0, but b/1 had made "
      "it "
      "version 1 at 10,002.9 ms: that update is lost";
  harm.evidence = {{"b/1 wrote it: version 1", b, told.b_wrote, std::nullopt},
                   {harm.summary, a, told.a_read, told.a_wrote}};
  checker::Verdict grant{};
  grant.property = checker::Property::valid_grant;
  return {overlap, grant, harm};
}

}  // namespace

search::ScenarioOutcome pause_outcome() {
  PauseStory told;
  told.tell();
  search::ScenarioOutcome outcome;
  outcome.scenario = pause_scenario();
  outcome.kind = search::OutcomeKind::as_expected;
  outcome.runs = 1;
  outcome.example = told.builder.example();
  outcome.example.verdicts = pause_verdicts(told, outcome.example.judged->names);
  for (const checker::Verdict& verdict : outcome.example.verdicts) {
    search::PropertySummary summary{};
    summary.property = verdict.property;
    const bool violated = verdict.kind == checker::VerdictKind::violated;
    summary.expected = violated ? search::Expected::violated : search::Expected::holds;
    (violated ? summary.violated : summary.held) = 1;
    summary.put_to_the_test = 1;
    summary.first_violating_seed = violated ? 1 : 0;
    outcome.properties.push_back(summary);
  }
  outcome.probes = {{"pause a for 15s when a read", 1, 1}};
  return outcome;
}

}  // namespace lockstep::reports::test
