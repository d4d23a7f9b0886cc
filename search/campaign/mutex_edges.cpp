#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/lock/usage.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/step_forms.h"
#include "scenario/step_kind.h"
#include "search/campaign/lock_times.h"
#include "search/campaign/mutex_families.h"
#include "search/campaign/mutex_mix.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {

using model::Usage;
using scenario::StepKind;

void MutexFamilies::add_extension() {
  if (!words_.has(StepKind::extend) || singles_.empty()) return;
  const std::int64_t used = times_.is_vote ? part(40) : part(times_.polls ? 20 : 3);
  const std::string pause = "sleep " + text_of({used / 2, used - used / 10});
  const std::string extend = "extend " + lease_option({used + used / 10, 2 * used});
  const std::string gives_back(scenario::form_of(singles_.front().gives_back).word);
  DraftClient extending;
  extending.name = "a";
  extending.count = 2;
  extending.rounds = 2;
  extending.run = {taking(singles_.front(), {used, used}), pause, extend};
  // What is left of the lease is asked where it has just changed, or not.
  if (words_.has(StepKind::remaining_lease)) extending.run.emplace_back("remaining_lease");
  for (const std::string& step : {pause, std::string("write"), extend, pause, gives_back}) {
    extending.run.push_back(step);
  }
  add("extensions", "Holds that outlast their first lease, and are extended in time.",
      {std::move(extending),
       client("b", 1, threads(),
              turns(2, mix_of({Leases::all, Tries::once, {used, 2 * used}, {}}), {1, used / 2}))});
}

/// Of a lock that says itself until when it is valid: who relies on it until then has done nothing
/// wrong, though clocks run as far apart as they may.
void MutexFamilies::add_validity() {
  if (!times_.tells_validity) return;
  const std::int64_t used = lease();
  DraftClient relying;
  relying.name = "a";
  relying.drift_ppm = -times_.drift_ppm;
  relying.run = {taking(singles_.front(), {used, used}), "write",
                 "sleep " + text_of({used + used / 10, used + used / 5}),
                 std::string(scenario::form_of(singles_.front().gives_back).word)};
  DraftClient next;
  next.name = "b";
  next.run = {"sleep " + text_of({used - used / 50, used + used / 100}),
              taking(singles_.front(), {used, used}), "write",
              std::string(scenario::form_of(singles_.front().gives_back).word)};
  relying.start = {0, 1};
  next.start = {1, 2};
  WorkloadDraft& draft =
      add("a validity used up", "A hold that lasts until it says that it is over.",
          {std::move(relying), std::move(next)});
  draft.servers_drift_ppm = times_.drift_ppm;
  if (!words_.has(StepKind::extend)) return;
  add_late_extension();
  add_shorter_extension();
}

/// So late that the lock may be another's when the extension gets there.
void MutexFamilies::add_late_extension() {
  const std::int64_t used = part(20);
  DraftClient extending;
  extending.name = "a";
  extending.rounds = 2;
  extending.run = {taking(singles_.front(), {used, used}),
                   "sleep " + text_of({used - used / 8, used - used / 40}),
                   "extend " + lease_option({2 * used, 4 * used}),
                   "sleep " + text_of({1, used}),
                   "write",
                   std::string(scenario::form_of(singles_.front().gives_back).word)};
  add("late extensions", "An extension that is asked for just before the lease is over.",
      {std::move(extending),
       client("b", 2, 1,
              turns(3, mix_of({Leases::all, Tries::once, {used, 2 * used}, {}}), {1, used}))});
}

void MutexFamilies::add_shorter_extension() {
  const std::int64_t used = part(10);
  DraftClient extending;
  extending.name = "a";
  extending.rounds = 2;
  extending.run = {taking(singles_.front(), {used, used}), "sleep " + text_of({1, used / 10}),
                   "extend " + lease_option({used / 10, used / 2})};
  if (words_.has(StepKind::remaining_lease)) extending.run.emplace_back("remaining_lease");
  // It writes before the lease that it took the lock with is over.
  extending.run.push_back("sleep " + text_of({used / 4, used - used / 5}));
  extending.run.emplace_back("write");
  extending.run.emplace_back(scenario::form_of(singles_.front().gives_back).word);
  add("shorter extensions", "An extension that asks for less than is left takes nothing away.",
      {std::move(extending),
       client("b", 1, threads(),
              turns(3, mix_of({Leases::all, Tries::once, {used, 2 * used}, {}}), {1, used / 4}))},
      {Usage::extension_no_shorter});
}

/// Of several locks that a client renews, one is given back just as they are renewed.
void MutexFamilies::add_left_beside() {
  if (!times_.renews) return;
  const Words& words = singles_.front();
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::int64_t tick = lease() / 3;
  const std::string about_a_tick = "sleep " + text_of({tick - 3, tick + 1});
  const std::string kept = " name=stock";
  const std::string left = " name=orders";
  DraftClient leaving;
  leaving.name = "a";
  leaving.rounds = 2;
  leaving.run = {taking(words, {}) + left,
                 taking(words, {}) + kept,
                 about_a_tick,
                 gives_back + left,
                 "sleep " + text_of({lease(), lease() + part(4)}),
                 "write" + kept,
                 gives_back + kept};
  DraftClient waiting;
  waiting.name = "b";
  waiting.threads = 2;
  waiting.run = {"sleep " + text_of({lease() / 2, lease()}), taking(words, {}) + kept,
                 "write" + kept, gives_back + kept};
  add("one lock left beside another",
      "A lock is given back just as it is renewed, beside another that is kept.",
      {std::move(leaving), std::move(waiting)});
  add_taken_anew();
}

/// What renewed the hold before is to do nothing for the next, and nothing to it.
void MutexFamilies::add_taken_anew() {
  const Words& words = singles_.front();
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::int64_t tick = lease() / 3;
  DraftClient again;
  again.name = "a";
  again.rounds = 2;
  again.run = {taking(words, {}),
               "sleep " + text_of({tick - 3, tick + 1}),
               gives_back,
               taking(words, {}),
               "sleep " + text_of({lease() + part(5), lease() + part(2)}),
               "write",
               gives_back};
  DraftClient waiting;
  waiting.name = "b";
  waiting.threads = 2;
  waiting.run = {"sleep " + text_of({tick + part(10), lease()}), taking(words, {}), "write",
                 gives_back};
  add("taken anew", "A lock is given back just as it is renewed, and taken again at once.",
      {std::move(again), std::move(waiting)});
}

/// Who waits for less than those ahead gives up before them, which must cost nobody's place. All
/// come before the lease is over under which the queue began: from that on a short wait may be over
/// sooner than the lock takes it to be.
void MutexFamilies::add_different_waits() {
  const Words& words = singles_.front();
  if (times_.patience_ms == 0 || !words_.has(words.tries)) return;
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::string tries(scenario::form_of(words.tries).word);
  const std::int64_t used = std::min(lease(), times_.patience_ms / 10);
  std::int64_t come_ms = 0;
  std::vector<DraftClient> clients;
  const auto add_waiter = [&](const char* name, int threads, TimeRange wait, TimeRange hold) {
    DraftClient waiter;
    waiter.name = name;
    waiter.threads = threads;
    waiter.run = {tries + " " + wait_option(wait) + " " + lease_option({2 * used, 2 * used}),
                  "sleep " + text_of(hold), "write", gives_back};
    waiter.start = {come_ms, come_ms + used / 20};
    come_ms += used / 10;
    clients.push_back(std::move(waiter));
  };
  DraftClient first;
  first.name = "a";
  first.run = {taking(words, {used, used}), "sleep " + text_of({used - used / 4, used - used / 8}),
               "write", gives_back};
  first.start = {0, 1};
  come_ms = used / 20;
  clients.push_back(std::move(first));
  add_waiter("b", 1, {4 * used, 4 * used}, {used + used / 4, used + used / 2});
  add_waiter("c", 1, {4 * used, 5 * used}, {1, used / 4});
  add_waiter("d", 3, {used, used + used / 4}, {1, used / 4});
  add_waiter("e", 1, {4 * used, 5 * used}, {1, used / 4});
  WorkloadDraft& draft =
      add("different waits", "Some wait for less time than those who came before them.",
          std::move(clients));
  // Who is held up until the lease is over under which the queue began may not wait for less.
  draft.faults = {scenario::FaultKind::script_flush, scenario::FaultKind::reset,
                  scenario::FaultKind::interrupt};
}

/// Who has given up stands in no queue any more: what it asks for next begins anew, at the end.
void MutexFamilies::add_coming_back() {
  const Words& words = singles_.front();
  if (times_.patience_ms == 0 || !words_.has(words.tries)) return;
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::int64_t used = std::min(lease(), times_.patience_ms / 10);
  const TimeRange asked{2 * used, 2 * used};
  const std::vector<std::string> takes = {taking(words, asked), "sleep " + text_of({1, used / 4}),
                                          "write", gives_back};
  DraftClient first;
  first.name = "a";
  first.run = {taking(words, {used, used}), "sleep " + text_of({used - used / 4, used - used / 8}),
               "write", gives_back};
  first.start = {0, 1};
  // All come before the lease is over under which the queue began.
  DraftClient back;
  back.name = "b";
  back.count = 2;
  back.run = {std::string(scenario::form_of(words.tries).word) + " " +
                  wait_option({used / 10, used / 4}) + " " + lease_option(asked),
              gives_back};
  back.run.insert(back.run.end(), takes.begin(), takes.end());
  back.start = {used / 20, used / 5};
  DraftClient behind;
  behind.name = "c";
  behind.count = 2;
  behind.run = takes;
  behind.start = {used / 20, used / 4};
  WorkloadDraft& draft =
      add("coming back at once", "Some give up as others stand behind them, and ask once more.",
          {std::move(first), std::move(back), std::move(behind)});
  // Who is interrupted has not left the queue.
  draft.faults = {scenario::FaultKind::script_flush, scenario::FaultKind::reset};
}

/// Who waits for a short time stands in the queue as well as who waits for long.
void MutexFamilies::add_short_waits() {
  const Words& words = singles_.front();
  if (times_.patience_ms == 0 || !words_.has(words.tries)) return;
  constexpr std::int64_t wait_ms = 700;
  const std::string tries(scenario::form_of(words.tries).word);
  Mix mix;
  mix.emplace_back(
      tries + " " + wait_option({wait_ms, wait_ms}) + " " + lease_option({lease(), lease()}), 1);
  mix.emplace_back("write", 1);
  add("short waits", "Tries that all wait for the same short time, and come again.",
      {client("c", 4, 1, turns(3, std::move(mix), {1, wait_ms / 2}))});
}

/// A place in the queue outlasts who dies in it by what the lock grants a silent waiter, and by no
/// more: so short that nobody asks on and on until then.
void MutexFamilies::add_dead_waiters() {
  const Words& words = singles_.front();
  if (times_.patience_ms == 0 || !words_.has(words.waits)) return;
  constexpr std::int64_t patience_ms = 3000;
  const TimeRange lease{patience_ms / 2, patience_ms / 5 * 4};
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  DraftClient dying;
  dying.name = "a";
  dying.threads = 2;
  dying.run = {taking(words, lease), "sleep " + text_of({100, 500}), "crash"};
  dying.start = {0, 200};
  DraftClient waiting;
  waiting.name = "b";
  waiting.count = 3;
  waiting.rounds = 2;
  waiting.run = {taking(words, lease), "sleep " + text_of({1, 500}), "write", gives_back,
                 "sleep " + text_of({1, 500})};
  waiting.start = {0, 200};
  WorkloadDraft& draft =
      add("waiters that die", "Some die as they wait, others as they have the lock.",
          {std::move(dying), std::move(waiting)});
  draft.redis = network_of_queues();
  draft.options = {{"wait_ms", patience_ms}};
  draft.progress_ms = 10'000;
  // Who is kept from asking for that long is as good as dead, and loses its place.
  draft.faults = {scenario::FaultKind::script_flush};
}

/// Nobody's clock need be right: what one client writes down by its own is nothing to another.
void MutexFamilies::add_different_clocks() {
  const TimeRange leases{lease(), 4 * lease()};
  // Beyond every lease that is asked for, and within a run's hour: some wait for as long as that.
  const std::int64_t off_ms = std::max<std::int64_t>(10 * lease(), 1'500'000);
  std::vector<DraftClient> clients;
  for (const auto& [name, wall_offset_ms] :
       {std::pair{"a", std::int64_t{0}}, {"b", off_ms}, {"c", -off_ms}}) {
    DraftClient off = client(name, 1, threads(),
                             turns(3, mix_of({mixed(), Tries::once, leases, {}}), short_hold()));
    off.wall_offset_ms = wall_offset_ms;
    clients.push_back(std::move(off));
  }
  add("different clocks", "Clients whose wall clocks are wrong by more than any lease.",
      std::move(clients), {Usage::clocks_agree});
}

void MutexFamilies::add_breaking() {
  const TimeRange leases{lease(), 4 * lease()};
  if (is_read_write_) {
    add("leases and the watchdog", "Holds with a lease of the caller's, and holds without.",
        {client("c", 2, 2,
                turns(3, mix_of({Leases::some, Tries::once, leases, {}}), short_hold(), 2))},
        {Usage::leases_not_mixed, Usage::unleased_reentry});
  }
  add_oversleeping();
  add_oversleeping_together();
  add_outlived_watchdog();
  if (words_.has(StepKind::force_unlock)) {
    Mix forcing = mix_of({mixed(), Tries::once, leases, {}});
    words_.add(forcing, StepKind::force_unlock, 4);
    // So long that a waiter whom nobody wakes is seen to sleep on, until the former holder is done.
    TimeRange hold = short_hold();
    if (!is_dear()) hold.max_ms = std::max(hold.max_ms, std::min<std::int64_t>(lease(), 30'000));
    add("forced releases", "Now and then somebody frees the lock, whoever has it.",
        {client("c", 2, 2, turns(3, std::move(forcing), hold))}, {Usage::nobody_forces});
  }
  if (!times_.counts_holds) return;
  std::vector<DraftClient> clients;
  for (const Words& words : singles_) {
    DraftClient scripted;
    scripted.name = fmt::format("a{}", clients.size() + 1);
    scripted.count = 2;
    scripted.rounds = 2;
    const std::string gives_back(scenario::form_of(words.gives_back).word);
    const std::string pause = "sleep " + text_of({part(30), part(4)});
    scripted.run = {taking(words, {3 * lease(), 3 * lease()}),
                    pause,
                    taking(words, {part(4), part(2)}),
                    pause,
                    gives_back,
                    pause,
                    gives_back};
    clients.push_back(std::move(scripted));
  }
  add("shorter leases inside", "Who has the lock takes it again for a shorter lease.",
      std::move(clients), {Usage::reentry_no_shorter, Usage::unleased_reentry});
}

void MutexFamilies::add_oversleeping() {
  const std::int64_t brief = is_dear() ? part(20) : part(5);
  const TimeRange leases{brief / 2, brief};
  std::vector<DraftClient> clients;
  for (const Words& words : singles_) {
    DraftClient sleeping;
    sleeping.name = fmt::format("a{}", clients.size() + 1);
    sleeping.threads = singles_.size() == 1 ? 2 : 1;
    sleeping.rounds = 2;
    const std::string gives_back(scenario::form_of(words.gives_back).word);
    sleeping.run = {taking(words, leases), "sleep " + text_of({brief / 4, 3 * brief})};
    if (words_.has(StepKind::extend)) {
      sleeping.run.push_back("extend " + lease_option({brief, 2 * brief}));
      sleeping.run.push_back("sleep " + text_of({1, brief}));
    }
    if (words_.has(StepKind::is_held_by_me)) sleeping.run.push_back("is_held_by_me");
    sleeping.run.insert(sleeping.run.end(), {"write", gives_back, "sleep 1ms..100ms"});
    clients.push_back(std::move(sleeping));
  }
  // What those do must not touch the holds of these.
  clients.push_back(
      client("b", 2, 1,
             turns(3, mix_of({Leases::all, Tries::waiting, {8 * brief, 16 * brief}, {1, brief}}),
                   {brief, is_dear() ? 3 * brief : 4 * brief})));
  add("oversleeping", "Some have the lock for longer than the lease that they asked for.",
      std::move(clients), unequal_waits({Usage::holds_within_lease}))
      .redis = network_of_queues();
}

/// Who renews may have lost the lock: it was stopped for longer than the lease, or its release was
/// executed, and it waits for the answer still. Then another has it, for a lease that nobody may
/// make longer: whoever asks when that is over gets it.
void MutexFamilies::add_outlived_watchdog() {
  const Words& words = singles_.front();
  if (!times_.renews || is_read_write_ || times_.is_vote || !words_.has(words.tries)) return;
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::int64_t brief = part(5);
  DraftClient renewing;
  renewing.name = "a";
  renewing.rounds = 2;
  renewing.run = {taking(words, {}), "sleep " + text_of({part(3), lease() + part(3)}), "write",
                  gives_back};
  // Who dies keeps the rules: its lease ends all the same.
  DraftClient next;
  next.name = "b";
  next.count = 2;
  next.start = {0, 2 * lease()};
  next.run = {taking(words, {brief, 2 * brief}), "sleep " + text_of({1, brief / 2}), "crash"};
  DraftClient asking;
  asking.name = "c";
  asking.rounds = 20;
  asking.run = {
      std::string(scenario::form_of(words.tries).word) + " " + lease_option({brief, 2 * brief}),
      "write", gives_back, "sleep " + text_of({brief / 4, brief})};
  WorkloadDraft& draft =
      add("a watchdog outlived",
          "Who renews its lock may have lost it to one that dies with a short lease.",
          {std::move(renewing), std::move(next), std::move(asking)}, unequal_waits({}));
  draft.redis = network_of_queues();
  draft.faults = {scenario::FaultKind::pause, scenario::FaultKind::drop,
                  scenario::FaultKind::postpone};
}

/// Of several that were taken together some may be another's by the time that all are given back.
void MutexFamilies::add_oversleeping_together() {
  if (!words_.has(together.waits) && !words_.has(together.tries)) return;
  const std::int64_t brief = is_dear() ? part(20) : part(5);
  const std::string names = " names=orders,stock";
  const std::string gives_back(scenario::form_of(together.gives_back).word);
  DraftClient sleeping;
  sleeping.name = "a";
  sleeping.count = 2;
  sleeping.rounds = 2;
  sleeping.run = {taking(together, {brief / 2, brief}) + names,
                  "sleep " + text_of({brief / 4, 3 * brief}), "write", gives_back + names,
                  "sleep 1ms..100ms"};
  Mix mix;
  if (!singles_.empty())
    add_takes(mix, singles_.front(), {Leases::all, Tries::once, {8 * brief, 16 * brief}, {}}, 1);
  mix.emplace_back("write", 2);
  DraftTurns alone = turns(3, std::move(mix), {1, brief});
  alone.locks = {"orders", "stock"};
  std::vector<DraftClient> clients;
  clients.push_back(std::move(sleeping));
  if (!singles_.empty()) clients.push_back(client("b", 1, 1, std::move(alone)));
  add("oversleeping together",
      "Some have several locks for longer than the lease that they asked for.", std::move(clients),
      {Usage::holds_within_lease});
}

}  // namespace lockstep::search
