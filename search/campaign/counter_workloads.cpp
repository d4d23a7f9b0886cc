#include "search/campaign/counter_workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "model/lock/usage.h"
#include "scenario/step_kind.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {
namespace {

using model::Usage;
using scenario::StepKind;

/// How many are asked for at once.
struct Permits {
  int least;
  int most;
};
constexpr Permits one_permit{1, 1};

/// Makes the families of one semaphore. Each client makes the permits that are not there yet.
class SemaphoreFamilies {
 public:
  SemaphoreFamilies(const OfferedWords& words, const PermitLimits& limits)
      : words_(words), limits_(limits) {
    if (limits.life_ms > 0) hold_.max_ms = std::clamp<std::int64_t>(limits.life_ms / 4, 1, 4'000);
  }

  std::vector<WorkloadDraft> all() {
    add_drawn();
    add_scripted();
    add_other_places();
    add_breaking();
    return std::move(drafts_);
  }

 private:
  static constexpr TimeRange waits{1, 8'000};

  [[nodiscard]] Mix mix(bool with_waits) const {
    Mix mix;
    const bool can_wait = words_.has(StepKind::acquire);
    if (can_wait) words_.add(mix, StepKind::acquire, 4);
    words_.add(mix, StepKind::try_acquire, can_wait ? 1 : 4, can_wait ? "" : "wait=10m");
    if (with_waits) words_.add(mix, StepKind::try_acquire, 4, "wait=" + text_of(waits));
    return mix;
  }

  [[nodiscard]] std::vector<std::string> sets(int permits, std::string_view options = {}) const {
    if (!words_.has(StepKind::try_set_permits)) return {};
    return {fmt::format("try_set_permits permits={}{}", permits, options)};
  }

  [[nodiscard]] DraftClient client(std::string name, int count, int threads, int permits_set,
                                   Mix mix, Permits permits, int nesting = 1) const {
    DraftClient client;
    client.name = std::move(name);
    client.count = count;
    client.threads = threads;
    client.run = sets(permits_set);
    DraftTurns turns;
    turns.turns = 4;
    turns.mix = std::move(mix);
    turns.think = {1, 500};
    turns.hold = hold_;
    turns.nesting = nesting;
    turns.permits_min = std::min(permits.least, limits_.at_once);
    turns.permits_max = std::min(permits.most, limits_.at_once);
    client.turns = std::move(turns);
    return client;
  }

  [[nodiscard]] std::string taking(int permits) const {
    return words_.has(StepKind::acquire) ? fmt::format("acquire permits={}", permits)
                                         : fmt::format("try_acquire permits={} wait=10m", permits);
  }

  WorkloadDraft& add(std::string name, std::string purpose, std::vector<DraftClient> clients,
                     std::vector<Usage> breaks = {}) {
    drafts_.push_back(
        {std::move(name), std::move(purpose), std::move(clients), std::move(breaks), {}});
    return drafts_.back();
  }

  void add_drawn() {
    add("contention", "More threads than permits; each wants one.",
        {client("c", 2, 3, 2, mix(false), one_permit)});
    // Numbers of two digits, too, which are less than those of one where they are texts.
    add("all permits", "Clients that want different numbers, up to all that there are.",
        {client("c", 4, 1, 12, mix(false), Permits{1, 12})});
    add("waits that end", "Tries that wait, for less and for more time than permits are out.",
        {client("c", 3, 1, 3, mix(true), Permits{1, 3}),
         client("d", 1, 2, 3, mix(true), one_permit)});
    if (limits_.lease_ms > 0) add_long_holds();
    add("a single permit", "Many threads for one permit.",
        {client("c", 2, 2, 1, mix(true), one_permit)});
    add("threads of one client", "What the threads of one process share.",
        {client("a", 1, 3, 4, mix(false), Permits{2, 2}),
         client("b", 1, 1, 4, mix(false), Permits{1, 4})});
    // So few that a client's threads wait for both at once.
    DraftClient several = client("c", 2, 3, 3, mix(false), one_permit);
    several.run.clear();
    for (const std::string name : {"orders", "stock"}) {
      for (std::string& step : sets(1, " name=" + name)) several.run.push_back(std::move(step));
    }
    several.turns->locks = {"orders", "stock"};
    add("two semaphores", "Two semaphores, used in turn.", {std::move(several)});
  }

  /// What outlasts a permit that was taken before: its key goes with that one's lease, say.
  void add_long_holds() {
    DraftClient keeping = client("c", 3, 1, 3, mix(true), one_permit);
    keeping.turns->hold = {limits_.lease_ms / 2, limits_.lease_ms * 4 / 5};
    keeping.turns->think = {1, limits_.lease_ms / 2};
    add("kept for most of a lease", "Permits that are kept for almost as long as they last.",
        {std::move(keeping), client("d", 2, 1, 3, mix(true), one_permit)});
  }

  void add_scripted() {
    if (limits_.at_once >= 3) add_parts();
    if (limits_.at_once >= 4) add_woken_together();
    add_different_clocks();
    if (words_.has(StepKind::try_set_permits)) add_sets();
  }

  /// What one client writes down by its own clock is nothing to another.
  void add_different_clocks() {
    const std::int64_t off_ms = std::max<std::int64_t>(10 * limits_.lease_ms, 1'500'000);
    std::vector<DraftClient> clients;
    for (const auto& [name, wall_offset_ms] :
         {std::pair{"a", std::int64_t{0}}, {"b", off_ms}, {"c", -off_ms}}) {
      DraftClient off = client(name, 1, 2, 2, mix(false), one_permit);
      off.wall_offset_ms = wall_offset_ms;
      clients.push_back(std::move(off));
    }
    add("different clocks", "Clients whose wall clocks are wrong by more than any lease.",
        std::move(clients), {Usage::clocks_agree});
  }

  void add_parts() {
    DraftClient parts;
    parts.name = "a";
    parts.count = 2;
    parts.rounds = 3;
    parts.run = sets(4);
    for (const std::string& step :
         {taking(3), std::string("sleep 1ms..2s"), std::string("release permits=1"),
          std::string("sleep 1ms..2s"), std::string("release permits=2"),
          std::string("sleep 1ms..500ms")}) {
      parts.run.push_back(step);
    }
    add("given back in parts", "Permits that are taken together and given back one after another.",
        {std::move(parts), client("b", 2, 1, 4, mix(false), Permits{1, 4})});
  }

  void add_woken_together() {
    DraftClient giving;
    giving.name = "a";
    giving.rounds = 2;
    giving.run = sets(4);
    for (const std::string& step :
         {taking(4), std::string("sleep 1s..5s"), std::string("release permits=4"),
          std::string("sleep 1ms..1s")}) {
      giving.run.push_back(step);
    }
    DraftClient waiting = client("b", 1, 3, 4, mix(false), Permits{2, 2});
    waiting.turns->turns = 2;
    // So long that a thread which nobody wakes is seen to sleep on, though others are woken later.
    if (limits_.life_ms == 0) waiting.turns->hold = {11'000, 30'000};
    add("woken together", "One release for several threads of a client.",
        {std::move(giving), std::move(waiting)});
  }

  void add_sets() {
    DraftClient late;
    late.name = "a";
    late.start = {0, 2'000};
    late.run = sets(2);
    DraftClient early = client("b", 2, 1, 2, mix(true), Permits{1, 2});
    early.run.clear();
    add("asked for before they are set", "Permits that are made when others wait for them.",
        {std::move(late), std::move(early)});
    DraftClient setting = client("a", 2, 1, 3, mix(false), Permits{1, 3});
    setting.rounds = 3;
    setting.turns->turns = 1;
    add("set while in use", "Permits that are made again while they are out.",
        {std::move(setting), client("b", 1, 2, 3, mix(false), one_permit)});
  }

  void add_other_places() {
    add("replicas", "The semaphore's node is one of several.",
        {client("c", 3, 1, 3, mix(true), Permits{1, 3})})
        .redis = places::replicas;
    add("sentinel", "The semaphore's node is one of several.",
        {client("c", 3, 1, 3, mix(true), Permits{1, 3})})
        .redis = places::sentinel;
    add("cluster", "The semaphore's node is one of several.",
        {client("c", 3, 1, 3, mix(true), Permits{1, 3})})
        .redis = places::cluster;
  }

  void add_breaking() {
    add("mixed wishes", "Threads of one client that want different numbers of permits.",
        {client("c", 2, 3, 3, mix(true), Permits{1, 3})}, {Usage::equal_permits});
    Mix tries;
    words_.add(tries, StepKind::try_acquire, 1, "wait=" + text_of(waits));
    if (tries.empty()) words_.add(tries, StepKind::acquire, 1);
    add("permits inside permits", "Threads that ask for more while they have some.",
        {client("c", 3, 1, 4, std::move(tries), Permits{1, 2}, 2)}, {Usage::permits_not_nested});
  }

  const OfferedWords& words_;
  const PermitLimits& limits_;
  TimeRange hold_{1, 4'000};
  std::vector<WorkloadDraft> drafts_;
};

/// Makes the families of one latch.
class LatchFamilies {
 public:
  explicit LatchFamilies(const OfferedWords& words) : words_(words) {}

  std::vector<WorkloadDraft> all() {
    add("opens at zero", "Several wait for a latch that others count down.",
        {client("a", 1, 1, {set(3), "sleep 1ms..2s", "count_down"}),
         client("b", 2, 1, {"sleep 10ms..4s", "count_down"}),
         client("c", 2, 2, {"sleep 5ms..3s", "await"})});
    add("opens after minutes", "Several wait for a latch that others count down now and then.",
        {client("a", 1, 1, {set(2), "sleep 1m..3m", "count_down"}),
         client("b", 1, 1, {"sleep 1m..5m", "count_down"}),
         client("c", 1, 2, {"sleep 1s..3m", "await"})});
    add("used again", "A latch that is set again as soon as it is open.",
        {client("a", 1, 1, {set(2), "sleep 1ms..500ms", "count_down", "await"}, 4),
         client("b", 1, 1, {set(2), "sleep 1ms..500ms", "count_down", "await"}, 4),
         client("c", 2, 1, {"sleep 1ms..700ms", "await"}, 4)});
    add("waits that end", "Waits that end before the latch opens, and after.",
        {client("a", 1, 1, {set(2), "sleep 1ms..3s", "count_down", "sleep 1ms..3s", "count_down"},
                2),
         client("b", 2, 2, {"sleep 1ms..1s", "await wait=1ms..5s", "await wait=1ms..5s"}, 2)});
    add("threads of one client", "Threads of one process, some of which count down.",
        {threads_of_one()});
    add("two latches", "Two latches, waited for in turn.",
        {client("a", 1, 1,
                {set(2, " name=doors"), set(1, " name=gates"), "sleep 1ms..1s",
                 "count_down name=doors", "sleep 1ms..1s", "count_down name=gates"}),
         client("b", 1, 1, {"sleep 10ms..1s", "count_down name=doors", "await name=gates"}),
         client("c", 2, 1, {"sleep 5ms..500ms", "await name=doors", "await name=gates"})});
    add("all at once", "Those who count down come together, and just as others begin to wait.",
        {client("a", 1, 1, {set(3)}), client("b", 3, 1, {"sleep 10ms..12ms", "count_down"}),
         client("c", 2, 2, {"sleep 9ms..13ms", "await"})});
    add("more count downs than set", "Some count down a latch that is open already.",
        {client("a", 1, 1, {set(2), "sleep 1ms..500ms", "count_down"}, 2),
         client("b", 2, 2, {"sleep 1ms..1s", "count_down", "await wait=1ms..2s"}, 2)});
    for (const auto& [name, redis] : {std::pair{"replicas", places::replicas},
                                      {"sentinel", places::sentinel},
                                      {"cluster", places::cluster}}) {
      add(name, "The latch's node is one of several.",
          {client("a", 1, 1, {set(2), "sleep 1ms..1s", "count_down"}),
           client("b", 1, 1, {"sleep 10ms..2s", "count_down"}),
           client("c", 2, 2, {"sleep 5ms..1s", "await"})})
          .redis = redis;
    }
    add_drawn();
    return std::move(drafts_);
  }

 private:
  [[nodiscard]] static std::string set(int count, std::string_view options = {}) {
    return fmt::format("try_set_count count={}{}", count, options);
  }

  [[nodiscard]] static DraftClient client(std::string name, int count, int threads,
                                          std::vector<std::string> run, int rounds = 1) {
    DraftClient client;
    client.name = std::move(name);
    client.count = count;
    client.threads = threads;
    client.rounds = rounds;
    client.run = std::move(run);
    return client;
  }

  [[nodiscard]] static DraftClient threads_of_one() {
    return client("a", 1, 3, {set(3), "sleep 1ms..1s", "count_down", "await"}, 2);
  }

  void add_drawn() {
    Mix mix;
    words_.add(mix, StepKind::try_set_count, 2, "count=1");
    words_.add(mix, StepKind::try_set_count, 2, "count=2");
    words_.add(mix, StepKind::count_down, 6);
    words_.add(mix, StepKind::await, 3, "wait=1ms..10s");
    if (mix.empty()) return;
    DraftClient drawn = client("c", 2, 2, {});
    DraftTurns turns;
    turns.turns = 6;
    turns.mix = std::move(mix);
    turns.think = {1, 1'000};
    drawn.turns = std::move(turns);
    add("anything at any time", "Set, counted down and waited for in any order.",
        {std::move(drawn)}, {Usage::enough_count_downs});
  }

  WorkloadDraft& add(std::string name, std::string purpose, std::vector<DraftClient> clients,
                     std::vector<Usage> breaks = {}) {
    drafts_.push_back(
        {std::move(name), std::move(purpose), std::move(clients), std::move(breaks), {}});
    return drafts_.back();
  }

  const OfferedWords& words_;
  std::vector<WorkloadDraft> drafts_;
};

}  // namespace

std::vector<WorkloadDraft> semaphore_workloads(const OfferedWords& words,
                                               const PermitLimits& limits) {
  return SemaphoreFamilies(words, limits).all();
}

std::vector<WorkloadDraft> latch_workloads(const OfferedWords& words) {
  return LatchFamilies(words).all();
}

}  // namespace lockstep::search
