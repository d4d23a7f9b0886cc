// Under any schedule of offsets, drifts, steps, freezes and strobes, what a node says of a key's
// time to live, when its lease ends, and when a client's sleeps and time-outs are over agrees with
// a calculation of its own: exact sums of (elapsed time × rate) over the schedule, kept in
// millionths of a nanosecond. None of it uses sim/clock.h.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/model/client/lock_folder.h"

namespace lockstep::model {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t million = 1'000'000;
constexpr std::int64_t wall_at_start_ns = 1'704'067'200LL * sim::second_ns;
constexpr std::int64_t lease_ms = 2'000;
constexpr std::int64_t sleep_ms = 137;
constexpr std::int64_t timeout_ms = 300;

/// A clock as the list of its straight pieces.
class Pieces {
 public:
  Pieces(std::int64_t reading_ns, std::int64_t drift_ppm)
      : pieces_{{0, Wide{reading_ns} * million, million + drift_ppm}}, rate_(million + drift_ppm) {}

  void step(sim::TimeNs at, std::int64_t by_ns) { go_on(at, Wide{by_ns} * million); }
  void drift(sim::TimeNs at, std::int64_t ppm) {
    rate_ = million + ppm;
    go_on(at, 0);
  }
  void freeze(sim::TimeNs at) {
    ++freezes_;
    go_on(at, 0);
  }
  void thaw(sim::TimeNs at) {
    --freezes_;
    go_on(at, 0);
  }

  [[nodiscard]] std::int64_t at(sim::TimeNs instant) const {
    const auto next = std::find_if(pieces_.begin(), pieces_.end(),
                                   [&](const Piece& piece) { return piece.from > instant; });
    const Piece& piece = *(next - 1);
    return static_cast<std::int64_t>((piece.millionths + Wide{instant - piece.from} * piece.rate) /
                                     million);
  }
  [[nodiscard]] std::int64_t ms_at(sim::TimeNs instant) const {
    return at(instant) / sim::millisecond_ns;
  }

  /// The first instant from `from` on at which the clock shows at least `reading_ns`.
  [[nodiscard]] std::optional<sim::TimeNs> first(sim::TimeNs from, std::int64_t reading_ns) const {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const Piece& piece = pieces_[i];
      const bool is_last = i + 1 == pieces_.size();
      if (!is_last && pieces_[i + 1].from <= from) continue;
      const sim::TimeNs begin = std::max(from, piece.from);
      if (at(begin) >= reading_ns) return begin;
      if (piece.rate == 0) continue;
      const Wide missing = Wide{reading_ns} * million - piece.millionths;
      const auto instant =
          static_cast<sim::TimeNs>(piece.from + (missing + piece.rate - 1) / piece.rate);
      if (is_last || instant < pieces_[i + 1].from) return instant;
    }
    return std::nullopt;
  }

 private:
  struct Piece {
    sim::TimeNs from;
    Wide millionths;
    std::int64_t rate;
  };

  void go_on(sim::TimeNs at, Wide more) {
    const Piece& last = pieces_.back();
    pieces_.push_back(
        {at, last.millionths + Wide{at - last.from} * last.rate + more, freezes_ > 0 ? 0 : rate_});
  }

  std::vector<Piece> pieces_;
  std::int64_t rate_;
  int freezes_ = 0;
};

/// What happens to the clocks of one host: the text of its faults, and what they come to.
struct Schedule {
  Pieces wall;
  Pieces monotonic;
  std::string faults;
};

struct Change {
  sim::TimeNs at;
  enum class What : std::uint8_t { step, drift, freeze, thaw } what;
  std::int64_t number;
  bool is_wall;
  bool is_monotonic;
};

class ScheduleMaker {
 public:
  explicit ScheduleMaker(std::string host) : host_(std::move(host)) {}

  Schedule make() {
    const int count = *rc::gen::inRange(0, 7);
    for (int i = 0; i < count; ++i) add();
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& one, const Change& other) { return one.at < other.at; });
    Schedule schedule{Pieces(wall_at_start_ns, 0), Pieces(0, 0), faults_};
    for (const Change& change : changes_) {
      if (change.is_wall) apply(schedule.wall, change);
      if (change.is_monotonic) apply(schedule.monotonic, change);
    }
    return schedule;
  }

 private:
  /// A moment that no other change of this host has, as its text in microseconds.
  sim::TimeNs moment(sim::TimeNs from, sim::TimeNs to) {
    while (true) {
      const sim::TimeNs at =
          from + *rc::gen::inRange<sim::TimeNs>(0, (to - from) / 1'000) * 1'000 + 1'000;
      const bool is_taken = std::any_of(changes_.begin(), changes_.end(),
                                        [&](const Change& change) { return change.at == at; });
      if (!is_taken) return at;
    }
  }

  static void apply(Pieces& clock, const Change& change) {
    switch (change.what) {
      case Change::What::step:
        return clock.step(change.at, change.number);
      case Change::What::drift:
        return clock.drift(change.at, change.number);
      case Change::What::freeze:
        return clock.freeze(change.at);
      case Change::What::thaw:
        return clock.thaw(change.at);
    }
  }

  void add() {
    // When the client has the lock: if its first call timed out, nothing would be left to compare.
    const sim::TimeNs at = moment(20 * sim::millisecond_ns, 5 * sim::second_ns);
    const std::string clock = *rc::gen::element<std::string>("wall", "monotonic", "both");
    const bool is_wall = clock != "monotonic";
    const bool is_monotonic = clock != "wall";
    const std::string on = fmt::format("clock = \"{}\"\nat = \"{}us\"\n", clock, at / 1'000);
    switch (*rc::gen::inRange(0, 4)) {
      case 0: {
        const std::int64_t by_ms =
            *rc::gen::inRange<std::int64_t>(is_monotonic ? 1 : -3'000, 3'000);
        RC_PRE(by_ms != 0);
        faults_ +=
            fmt::format("[[fault]]\nclock_step = \"{}\"\nby = \"{}ms\"\n{}", host_, by_ms, on);
        changes_.push_back(
            {at, Change::What::step, by_ms * sim::millisecond_ns, is_wall, is_monotonic});
        return;
      }
      case 1: {
        const std::int64_t ppm = *rc::gen::inRange<std::int64_t>(-900'000, 900'000);
        faults_ +=
            fmt::format("[[fault]]\nclock_drift = \"{}\"\nrate = \"{}ppm\"\n{}", host_, ppm, on);
        changes_.push_back({at, Change::What::drift, ppm, is_wall, is_monotonic});
        return;
      }
      case 2: {
        changes_.push_back({at, Change::What::freeze, 0, is_wall, is_monotonic});
        const sim::TimeNs end = moment(at, at + 2 * sim::second_ns);
        faults_ += fmt::format("[[fault]]\nclock_freeze = \"{}\"\nfor = \"{}us\"\n{}", host_,
                               (end - at) / 1'000, on);
        changes_.push_back({end, Change::What::thaw, 0, is_wall, is_monotonic});
        return;
      }
      default:
        add_strobe(at);
    }
  }

  void add_strobe(sim::TimeNs at) {
    const std::int64_t by_ns = *rc::gen::inRange<std::int64_t>(1, 2'000) * sim::millisecond_ns;
    const sim::DurationNs every_ns =
        *rc::gen::inRange<std::int64_t>(20, 400) * sim::millisecond_ns + 1;
    const sim::TimeNs end = moment(at, at + sim::second_ns);
    faults_ += fmt::format(
        "[[fault]]\nclock_strobe = \"{}\"\nby = \"{}ms\"\nevery = \"{}ns\"\nfor = \"{}us\"\nat = "
        "\"{}us\"\n",
        host_, by_ns / sim::millisecond_ns, every_ns, (end - at) / 1'000, at / 1'000);
    bool is_off = false;
    for (sim::TimeNs flip = at; flip < end; flip += every_ns) {
      is_off = !is_off;
      changes_.push_back({flip, Change::What::step, is_off ? by_ns : -by_ns, true, false});
    }
    if (is_off) changes_.push_back({end, Change::What::step, -by_ns, true, false});
  }

  std::string host_;
  std::string faults_;
  std::vector<Change> changes_;
};

constexpr std::string_view instrumented_source = R"(
local model = {}
local function remaining(lock)
  return client.command(1, "PTTL", lock.name)
end
function model.lock(lock)
  client.command(1, "SET", lock.name, "mine", "PX", 2000)
  for _ = 1, 40 do
    client.sleep(137)
    pcall(remaining, lock)
  end
  return true
end
function model.unlock(lock) return true end
return model
)";
constexpr std::string_view lock_toml =
    "title = \"A test's own\"\nclient = \"client.lua\"\n[options]\ntimeout = \"300ms\"\n"
    "retry_attempts = 0\n[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n";

/// Compares a trace with the schedules, event by event.
class Comparison {
 public:
  Comparison(const RecordedTrace& trace, const Schedule& client, const Schedule& node)
      : trace_(trace), client_(client), node_(node) {}

  void run() {
    for (const RecordedEvent& event : trace_.events) {
      const bool is_ttl = event.text("label") == "pttl";
      if (event.kind == "command-executed") executed(event);
      if (event.kind == "message-sent" && is_ttl) called(event.at);
      if (event.kind == "connection-opening" && sleeps_from_) called(event.at);
      if (event.kind == "call-timed-out") timed_out(event.at);
      if (event.kind == "message-delivered" && actor_of(event) == "a") sleeps_from_ = event.at;
      if (event.kind == "lock-changed" && event.text("cause") == "expiry") expired(event.at);
    }
  }
  [[nodiscard]] int compared() const { return compared_; }

 private:
  [[nodiscard]] std::string_view actor_of(const RecordedEvent& event) const {
    return trace_.actors[static_cast<std::uint32_t>(event.actor)].name;
  }

  void executed(const RecordedEvent& event) {
    const std::int64_t now_ms = node_.wall.ms_at(event.at);
    if (event.text("label") == "set") {
      deadline_ms_ = now_ms + lease_ms;
      set_at_ = event.at;
      return;
    }
    // A key that a command finds expired is deleted: it does not come back with the clock.
    if (deadline_ms_ && now_ms > *deadline_ms_) deadline_ms_.reset();
    const std::int64_t expected = deadline_ms_ ? *deadline_ms_ - now_ms : -2;
    RC_ASSERT(event.text("reply") == std::to_string(expected));
    ++compared_;
  }

  /// The first end of the lease is at the first instant at which the wall clock is past it.
  void expired(sim::TimeNs at) {
    if (has_expired_ || !deadline_ms_) return;
    has_expired_ = true;
    const auto expected = node_.wall.first(set_at_, (*deadline_ms_ + 1) * sim::millisecond_ns);
    RC_ASSERT(expected == at);
    ++compared_;
  }

  /// A sleep is over, and the next call begins.
  void called(sim::TimeNs at) {
    if (!sleeps_from_) return;
    const std::int64_t until_ns =
        client_.monotonic.at(*sleeps_from_) + sleep_ms * sim::millisecond_ns;
    RC_ASSERT(client_.monotonic.first(*sleeps_from_, until_ns) == at);
    sleeps_from_.reset();
    call_from_ = at;
    ++compared_;
  }

  void timed_out(sim::TimeNs at) {
    const std::int64_t until_ns =
        client_.monotonic.at(call_from_) + timeout_ms * sim::millisecond_ns;
    RC_ASSERT(client_.monotonic.first(call_from_, until_ns) == at);
    sleeps_from_ = at;
    ++compared_;
  }

  const RecordedTrace& trace_;
  const Schedule& client_;
  const Schedule& node_;
  std::optional<std::int64_t> deadline_ms_;
  sim::TimeNs set_at_ = 0;
  bool has_expired_ = false;
  std::optional<sim::TimeNs> sleeps_from_;
  sim::TimeNs call_from_ = 0;
  int compared_ = 0;
};

RC_GTEST_PROP(ClockAlgebra, ExpiryAndTimeOutsAgreeWithAnIndependentCalculation, ()) {
  const lockstep::test::LockFolder folder;
  folder.write("lock.toml", lock_toml);
  folder.write("client.lua", instrumented_source);
  const Schedule client = ScheduleMaker("a").make();
  const Schedule node = ScheduleMaker("n1").make();
  std::string text =
      "title = \"t\"\nlock = \"own\"\nexpect = { holds = \"harm\" }\n"
      "[[client]]\nname = \"a\"\nrun = [\"lock\", \"unlock\"]\n" +
      client.faults + node.faults;
  const int lost = *rc::gen::inRange(1, 30);
  text += fmt::format("[[fault]]\ndrop = \"reply to pttl\"\nnth = {}\n", lost);
  Engine engine({folder.folders()});
  const auto simulation = engine.prepare(scenario::parse_scenario("test.toml", text));
  sim::SeededChoices choices(static_cast<std::uint64_t>(*rc::gen::inRange(1, 1'000)));
  RecordedTrace trace;
  TraceRecorder sink(trace.events);
  static_cast<void>(simulation->run(choices, &sink));
  trace.actors = simulation->actors();
  RC_LOG() << text;
  Comparison comparison(trace, client, node);
  comparison.run();
  RC_ASSERT(comparison.compared() > 40);
}

}  // namespace
}  // namespace lockstep::model
