#include "search/campaign/mutex_workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/lock/usage.h"
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

void MutexFamilies::add_common() {
  const TimeRange leases{lease(), 4 * lease()};
  const TimeRange longer{4 * lease(), 8 * lease()};
  add("contention", "Several clients want the lock at once, with leases and without.",
      {client("c", 2, 2,
              turns(3, mix_of({mixed(), Tries::once, leases, {}, longer}), short_hold()))});
  if (times_.renews) {
    add("the watchdog", "Holds without a lease that last for longer than the watchdog's.",
        {client("c", 2, threads(),
                turns(2, mix_of({Leases::none, Tries::once, {}, {}}),
                      {part(10), times_.polls ? lease() + part(5) : longest_hold()}))});
  }
  const std::int64_t used = is_dear() ? part(10) : part(3);
  add("leases used up", "Holds that end not long before their lease does.",
      {client("c", 2, threads(),
              turns(3, mix_of({Leases::all, Tries::once, {used, used + used / 4}, {}}),
                    {used / 4, used - used / 10}))});
  if (!is_dear()) {
    add("long leases used up", "Holds that outlast the lock's own lease, and not the caller's.",
        {client("c", rivals(), 1,
                turns(2, mix_of({Leases::all, Tries::once, {2 * lease(), 3 * lease()}, {}}),
                      {part(2), 2 * lease() - part(5)}))});
  }
  add("waits that end", "Tries that wait, for less and for more time than the lock is another's.",
      {client("c", 2, 2,
              turns(3, mix_of({mixed(), Tries::waiting, {2 * lease(), 4 * lease()}, {1, lease()}}),
                    short_hold()))},
      unequal_waits({}))
      .redis = network_of_queues();
  const std::int64_t long_lease = std::max<std::int64_t>(4 * lease(), 120'000);
  DraftClient sleeping =
      client("c", is_dear() ? 2 : 3, threads(),
             turns(2, mix_of({Leases::all, Tries::none, {long_lease, 4 * long_lease}, {}}),
                   {1, std::min<std::int64_t>(short_hold().max_ms, 2'000)}));
  sleeping.start = {0, 1};
  sleeping.turns->think = {0, 2};
  add("leases for long", "Leases so long that a waiter whom nobody wakes is seen to sleep on.",
      {std::move(sleeping)});
}

void MutexFamilies::add_reentry() {
  if (!times_.counts_holds) return add_tries_inside();
  const bool may_hold_long = times_.renews && !times_.polls;
  TimeRange inner_hold =
      may_hold_long ? TimeRange{part(10), lease() + part(2)} : TimeRange{1, part(4)};
  TimeRange leased_hold{part(10), is_dear() ? part(4) : 2 * lease()};
  // Three of them are one hold, for which those in a queue are waited for.
  if (times_.patience_ms > 0) {
    for (TimeRange* const hold : {&inner_hold, &leased_hold}) {
      hold->max_ms = std::min(hold->max_ms, longest_hold() / 3);
    }
  }
  // Threads of one client share what renews for them.
  const DraftTurns renewed = turns(2, mix_of({Leases::none, Tries::once, {}, {}}), inner_hold, 3);
  add("taken again",
      "A lock that is taken again by who has it, used on after the inner release, and renewed.",
      {client("a", 1, threads(), renewed), client("b", rivals() - 1, 1, renewed)});
  add("taken again with leases", "Holds inside one another, each with a lease that outlasts all.",
      {client("c", 2, threads(),
              turns(2, mix_of({Leases::all, Tries::once, {16 * lease(), 32 * lease()}, {}}),
                    leased_hold, 3))},
      {Usage::unleased_reentry});
  // Where many may read, leases and the watchdog are not mixed.
  if (times_.renews && !is_read_write_) add_unleased_inside();
  add_longer_inside();
}

void MutexFamilies::add_longer_inside() {
  const Words& words = singles_.front();
  // All holds together are over before a queue that began with the first takes who waits for dead.
  const std::int64_t outer = is_dear() ? part(10) : part(times_.patience_ms > 0 ? 4 : 2);
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  // While one thread has it, another asks for the shorter lease, which is nothing to the first.
  DraftClient scripted;
  scripted.name = "a";
  scripted.threads = threads();
  scripted.rounds = times_.patience_ms > 0 ? 1 : 2;
  const TimeRange longer{4 * outer, 4 * outer};
  const std::size_t inner = 2;
  scripted.run = {taking(words, {outer, outer}),
                  "sleep " + text_of({outer / 4, outer / 2}),
                  taking(words, longer),
                  "sleep " + text_of({outer, 2 * outer}),
                  "write",
                  gives_back,
                  "sleep " + text_of({outer / 4, 3 * outer}),
                  gives_back};
  std::vector<DraftClient> clients = {scripted};
  if (words_.has(words.tries)) {
    // A script of its own may serve who does not wait.
    scripted.name = "t";
    scripted.threads = 1;
    scripted.rounds = 1;
    scripted.run[inner] =
        std::string(scenario::form_of(words.tries).word) + " " + lease_option(longer);
    clients.push_back(std::move(scripted));
  }
  if (words.waits == writing.waits && singles_.size() == 2) {
    // Who goes on reading has stopped writing before the lease for that is over. Once each: of a
    // round in which a call failed a writer's hold may be left, whose lease is what the next keeps.
    DraftClient reads_on;
    reads_on.name = "d";
    reads_on.count = 2;
    reads_on.run = {taking(words, {outer, outer}),
                    "sleep " + text_of({outer / 4, outer / 2}),
                    taking(reading, {4 * outer, 4 * outer}),
                    "sleep " + text_of({1, outer / 4}),
                    "write",
                    gives_back,
                    "sleep " + text_of({outer / 4, 3 * outer}),
                    std::string(scenario::form_of(reading.gives_back).word)};
    clients.push_back(std::move(reads_on));
  }
  // Who waits from the start sleeps until the longer lease is over: it comes at any time.
  DraftClient other =
      client("b", 1, threads(),
             turns(3, mix_of({Leases::all, Tries::once, {2 * outer, 4 * outer}, {}}), {1, outer}));
  other.start = {0, 4 * outer};
  clients.push_back(std::move(other));
  add("a longer lease inside", "Who has the lock takes it again for a longer lease, and needs it.",
      std::move(clients), {Usage::unleased_reentry});
}

void MutexFamilies::add_tries_inside() {
  const Words& words = singles_.front();
  if (!words_.has(words.tries)) return;
  const TimeRange asked{2 * lease(), 4 * lease()};
  const std::string briefly = "sleep " + text_of({part(60), part(10)});
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::string tries =
      std::string(scenario::form_of(words.tries).word) + " " + lease_option(asked);
  DraftClient scripted;
  scripted.name = "a";
  scripted.count = 2;
  scripted.rounds = 2;
  // The inner one is given back where it was granted.
  scripted.run = {taking(words, asked),
                  briefly,
                  tries,
                  gives_back,
                  tries + " " + wait_option({1, part(20)}),
                  gives_back,
                  "write",
                  gives_back,
                  briefly};
  add("tried by who has it", "Who has the lock tries for it once more, and is refused.",
      {std::move(scripted)});
}

void MutexFamilies::add_unleased_inside() {
  const Words& words = singles_.front();
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  // The hold inside leaves the lock's own lease, so who waits was told of a longer one. It sleeps
  // no longer past the end than it may, if the holder dies.
  const std::int64_t beyond = std::min<std::int64_t>(part(4), 8'000);
  const TimeRange asked{lease() + beyond, lease() + beyond};
  const std::string briefly = "sleep " + text_of({part(60), part(20)});
  DraftClient scripted;
  scripted.name = "a";
  scripted.run = {taking(words, asked),
                  briefly,
                  taking(words, {}),
                  briefly,
                  gives_back,
                  "sleep " + text_of({lease() - part(10), lease() + beyond / 2}),
                  "write",
                  gives_back};
  add("no lease inside one", "Who has the lock takes it again for a while, and uses up its lease.",
      {std::move(scripted),
       client("b", 1, threads(),
              turns(2, mix_of({Leases::all, Tries::once, asked, {}}), {1, 100}))},
      // What takes several parts in turn knows the lease that it took them with, and no other.
      times_.is_vote ? std::vector{Usage::leases_not_mixed} : std::vector<Usage>{});
}

/// Whoever waits is told of a lease that ends before its own wait does, and goes on waiting.
void MutexFamilies::add_waits_beyond_a_lease() {
  const Words& words = singles_.front();
  if (times_.patience_ms > 0 || is_dear() || !words_.has(words.tries)) return;
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::string tries(scenario::form_of(words.tries).word);
  DraftClient holding;
  holding.name = "a";
  holding.run = {taking(words, {}), "sleep " + text_of({lease() + part(5), 2 * lease()}),
                 gives_back};
  holding.start = {0, 1};
  DraftClient dying;
  dying.name = "b";
  dying.run = {taking(words, {part(10), part(5)}), "sleep " + text_of({1, part(20)}), "crash"};
  dying.start = {2 * lease(), 2 * lease() + part(3)};
  DraftClient waiting;
  waiting.name = "c";
  waiting.count = 2;
  waiting.rounds = 3;
  waiting.run = {tries + " " + wait_option({part(3), 3 * lease()}) + " " +
                     lease_option({4 * lease(), 4 * lease()}),
                 "sleep " + text_of({1, part(30)}), "write", gives_back,
                 "sleep " + text_of({1, part(2)})};
  waiting.start = {part(30), part(3)};
  add("waits beyond a lease", "Tries that wait for longer than the lease that they were told of.",
      {std::move(holding), std::move(dying), std::move(waiting)});
}

/// What a dead reader leaves behind ends with its own lease, whoever reads on.
void MutexFamilies::add_dead_readers() {
  if (!is_read_write_ || singles_.size() != 2) return;
  const auto reads = [&](std::string name, TimeRange lease, TimeRange hold, std::string end) {
    DraftClient reader;
    reader.name = std::move(name);
    reader.run = {taking(reading, lease), "sleep " + text_of(hold), std::move(end)};
    reader.start = {0, part(30)};
    return reader;
  };
  DraftClient writes;
  writes.name = "w";
  writes.count = 2;
  writes.run = {taking(writing, {}), "write",
                std::string(scenario::form_of(writing.gives_back).word)};
  writes.start = {part(30), part(3)};
  add("readers that die", "Some die as they read, with a lease shorter than those of others.",
      {reads("a", {part(10), part(3)}, {1, part(30)}, "crash"),
       reads("b", {4 * lease(), 12 * lease()}, {part(10), part(2)},
             std::string(scenario::form_of(reading.gives_back).word)),
       std::move(writes)});
}

/// The reply to a release comes when the next thread of the client has the lock.
void MutexFamilies::add_overtaking() {
  if (!times_.renews || times_.is_vote || times_.polls) return;
  // The last of a queue waits for all others.
  const int turns_each = times_.patience_ms > 0 ? 1 : 2;
  const auto holding = [&](std::string name, int threads) {
    return client(std::move(name), 1, threads,
                  turns(turns_each, mix_of({Leases::none, Tries::once, {}, {}}),
                        {lease() - part(10), lease() + part(5)}));
  };
  add("answers that overtake others", "A network in which each message takes its own time.",
      {holding("a", 3), holding("b", 1)})
      .redis = "latency = \"5ms..200ms\"";
}

void MutexFamilies::add_crowds() {
  const auto sharing = [&](std::string name, int threads) {
    const TimeRange leases{lease(), 4 * lease()};
    const TimeRange longer{4 * lease(), 8 * lease()};
    return client(std::move(name), 1, threads,
                  turns(3, mix_of({mixed(), Tries::once, leases, {}, longer}), short_hold()));
  };
  add("threads of one client", "What the threads of one process share.",
      {sharing("a", 3), sharing("b", 1)});
  add("many clients", "Four clients that wait at once, and come again.",
      {client("c", 4, 1,
              turns(3,
                    mix_of({is_read_write_ ? Leases::none : Leases::all,
                            Tries::none,
                            {2 * lease(), 8 * lease()},
                            {}}),
                    {1, std::min<std::int64_t>(short_hold().max_ms, 1'000)}))});
  if (is_read_write_ && singles_.size() == 2) {
    Mix writes;
    Mix reads;
    add_takes(writes, writing, {Leases::none, Tries::once, {}, {}}, 1);
    add_takes(reads, reading, {Leases::none, Tries::once, {}, {}}, 1);
    writes.emplace_back("write", 1);
    add("many readers", "Readers that come and go, and two who want to write.",
        {client("w", 2, 1, turns(3, std::move(writes), {1, part(30)})),
         client("r", 2, 2, turns(3, std::move(reads), short_hold(), 2))});
  }
  DraftTurns several = turns(3, mix_of({Leases::none, Tries::once, {}, {}}),
                             {1, is_dear() ? part(60) : part(10)}, times_.renews ? 2 : 1);
  // Names with a hash tag of their own: who puts braces around one asks for another key.
  several.locks = {"{shop}:orders", "{shop}:stock"};
  add("two locks", "Two locks, one after the other and one inside the other, in one order.",
      {client("c", 2, threads(), several)});
  if (!times_.counts_holds) add_one_inside_another();
}

/// Of a lock that nobody can take twice, another one can be taken inside it.
void MutexFamilies::add_one_inside_another() {
  const Words& words = singles_.front();
  const TimeRange asked{2 * lease(), 4 * lease()};
  const std::string outer = " name=orders";
  const std::string inner = " name=stock";
  const std::string briefly = "sleep " + text_of({1, part(60)});
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  DraftClient nesting;
  nesting.name = "a";
  nesting.count = 2;
  nesting.rounds = 2;
  nesting.run = {taking(words, asked) + outer, briefly};
  nesting.run.push_back(taking(words, asked) + inner);
  for (const std::string& step : {briefly, gives_back + inner, briefly})
    nesting.run.push_back(step);
  if (words_.has(StepKind::is_held_by_me)) nesting.run.push_back("is_held_by_me" + outer);
  for (const std::string& step : {"write" + outer, gives_back + outer, briefly}) {
    nesting.run.push_back(step);
  }
  add("one lock inside another", "Who has a lock takes another one, and gives that back first.",
      {std::move(nesting)});
}

std::string MutexFamilies::taking(const Words& words, TimeRange lease) const {
  const bool can_wait = words_.has(words.waits);
  std::string step(scenario::form_of(can_wait ? words.waits : words.tries).word);
  if (!can_wait) step += " " + wait_option({20 * this->lease(), 20 * this->lease()});
  if (lease.max_ms > 0) step += " " + lease_option(lease);
  return step;
}

void MutexFamilies::add_together() {
  const std::vector<std::string> names = {"orders", "stock", "people"};
  const TimeRange leases{lease(), 4 * lease()};
  const auto mixed_with = [&](Leases of, Tries tries, bool with_singles) {
    Mix mix;
    const MixOf what{of, tries, leases, {1, lease()}};
    add_takes(mix, together, what, 3);
    if (with_singles) {
      for (const Words& words : singles_) add_takes(mix, words, what, 1);
      words_.add_questions(mix, 1);
    }
    mix.emplace_back("write", 6);
    return mix;
  };
  const auto add_family = [&](std::string name, std::string purpose, Mix mix, TimeRange hold,
                              std::vector<Usage> breaks) {
    DraftTurns drawn = turns(3, std::move(mix), hold);
    drawn.locks = names;
    add(std::move(name), std::move(purpose), {client("c", 3, 1, std::move(drawn))},
        std::move(breaks));
  };
  add_family("all or none", "Several locks taken together, which others take alone.",
             mixed_with(Leases::none, Tries::once, true), short_hold(), {});
  add_family("all with leases", "Several locks taken together with a lease.",
             mixed_with(Leases::all, Tries::once, true), short_hold(), {});
  add_family("all, waiting", "Several locks waited for together, for a time.",
             mixed_with(Leases::some, Tries::waiting, true), short_hold(),
             unequal_waits({Usage::lease_beyond_wait}));
  if (times_.renews) {
    add_family("all, renewed", "Several locks held for longer than the watchdog's lease.",
               mixed_with(Leases::none, Tries::none, false), {part(10), 2 * lease()}, {});
  }
  add_together_for_long();
  add_together_with_one_taken();
  add_together_inside();
  const auto ordered = [&](std::string name, const char* order) {
    DraftClient scripted;
    scripted.name = std::move(name);
    scripted.rounds = 2;
    const std::string listed = fmt::format(" names={}", order);
    scripted.run = {taking(together, {}) + listed, "write", "sleep 1ms..1s",
                    std::string(scenario::form_of(together.gives_back).word) + listed,
                    "sleep 1ms..100ms"};
    return scripted;
  };
  add("different orders", "Two clients that name the same locks in different orders.",
      {ordered("a", "orders,stock"), ordered("b", "stock,orders")}, {Usage::one_order});
}

/// All are waited for together, and one of them is another's for most of a lease, and beyond it.
void MutexFamilies::add_together_with_one_taken() {
  const bool may_try_all = !singles_.empty() && times_.counts_holds && words_.has(together.tries);
  if (!may_try_all || !times_.renews || is_dear()) return;
  const Words& words = singles_.front();
  const std::string one = " name=stock";
  const std::string other = " name=orders";
  const std::string both = " names=orders,stock";
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const auto alone = [&](std::string name, const std::string& which, TimeRange hold,
                         TimeRange start) {
    DraftClient single;
    single.name = std::move(name);
    single.run = {taking(words, {}) + which, "sleep " + text_of(hold), gives_back + which};
    single.start = start;
    return single;
  };
  const auto all = [&](const std::string& options, TimeRange hold) {
    DraftClient several;
    several.name = "a";
    several.run = {std::string(scenario::form_of(together.tries).word) + " " + options + both,
                   "sleep " + text_of(hold), "write" + one,
                   std::string(scenario::form_of(together.gives_back).word) + both};
    several.start = {1, part(10)};
    return several;
  };
  const TimeRange beyond_a_lease{part(3), lease() + part(5)};
  DraftClient for_long = all(wait_option({2 * lease(), 2 * lease()}), {part(10), lease()});
  for_long.count = 2;
  add("one of them is another's", "All are waited for together, and one is taken for long.",
      {alone("b", one, beyond_a_lease, {0, 1}), std::move(for_long),
       alone("c", other, beyond_a_lease, {part(5), lease()})});
  // Who asks for the other meanwhile is told of the first lease, which is as long as the wait.
  DraftClient briefly_alone = alone("b", one, {part(5), part(3)}, {0, 1});
  briefly_alone.run.insert(briefly_alone.run.end() - 1, "write" + one);
  DraftClient meanwhile = alone("c", other, {1, part(20)}, {part(10), part(5)});
  meanwhile.count = 2;
  add("all for a moment", "All are waited for together, and held for a moment.",
      {std::move(briefly_alone),
       all(wait_option({part(2), lease()}) + " " + lease_option({part(60), part(25)}),
           {1, part(120)}),
       std::move(meanwhile)});
}

/// What is taken together in vain must leave the hold that was there before.
void MutexFamilies::add_together_inside() {
  if (singles_.empty() || !times_.counts_holds || !words_.has(together.tries)) return;
  const Words& words = singles_.front();
  const std::string one = " name=stock";
  const std::string both = " names=orders,stock";
  const std::string gives_back(scenario::form_of(words.gives_back).word);
  const std::string briefly = "sleep " + text_of({1, part(20)});
  DraftClient outer;
  outer.name = "a";
  outer.rounds = 2;
  outer.run = {
      taking(words, {}) + one,
      std::string(scenario::form_of(together.tries).word) + " " + wait_option({1, part(20)}) + both,
      briefly,
      std::string(scenario::form_of(together.gives_back).word) + both,
      briefly,
      "write" + one,
      gives_back + one};
  const std::string other_one = " name=orders";
  const std::string takes_all = taking(together, {});
  const std::string gives_all_back(scenario::form_of(together.gives_back).word);
  DraftClient other;
  other.name = "b";
  other.rounds = 3;
  other.run = {taking(words, {}) + other_one, briefly,       gives_back + other_one,
               takes_all + " names=stock",    "write" + one, gives_all_back + " names=stock"};
  // It has all of them already, taken together or one by one.
  DraftClient again;
  again.name = "c";
  again.rounds = 2;
  again.run = {takes_all + both,
               briefly,
               takes_all + both,
               gives_all_back + both,
               briefly,
               "write" + one,
               gives_all_back + both,
               briefly,
               taking(words, {}) + other_one,
               taking(words, {}) + one,
               std::string(scenario::form_of(together.tries).word) + both,
               gives_all_back + both,
               briefly,
               "write" + one,
               gives_back + one,
               gives_back + other_one};
  add("together inside one",
      "Who has one lock or all of them asks once more for all of them together.",
      {std::move(outer), std::move(other), std::move(again)});
}

void MutexFamilies::add_together_for_long() {
  const std::vector<std::string> names = {"orders", "stock", "people"};
  const auto of_leases = [&](const Words& words, TimeRange leases, TimeRange wait) {
    Mix mix;
    add_takes(mix, words, {Leases::all, Tries::waiting, leases, wait}, 1);
    mix.emplace_back("write", 2);
    return mix;
  };
  const auto drawn = [&](int count, Mix mix, TimeRange hold) {
    DraftTurns result = turns(count, std::move(mix), hold);
    result.locks = names;
    return result;
  };
  const TimeRange long_leases{2 * lease(), 3 * lease()};
  add("all for long",
      "Several locks held together, for most of the lease that their caller asked for.",
      {client("c", 2, 1,
              drawn(2, of_leases(together, long_leases, {1, part(4)}),
                    {part(2), 2 * lease() - part(5)}))});
  std::vector<DraftClient> clients;
  clients.push_back(client(
      "c", 2, 1,
      drawn(3, of_leases(together, {part(30), part(10)}, {part(15), part(5)}), {1, part(60)})));
  if (!singles_.empty()) {
    clients.push_back(client("d", 2, 1,
                             drawn(4, of_leases(singles_.front(), long_leases, {part(30), part(5)}),
                                   {part(30), part(6)})));
  }
  add("all, for less than the wait",
      "Several locks waited for together for longer than the lease that is asked for.",
      std::move(clients), {Usage::lease_beyond_wait});
}

void MutexFamilies::add_other_places() {
  const auto used_at = [&](std::string name, std::string_view redis, bool nested) {
    const Leases leases = nested ? Leases::none : mixed();
    add(std::move(name), "The lock's node is one of several.",
        {client("c", 2, 2,
                turns(2, mix_of({leases, Tries::once, {2 * lease(), 4 * lease()}, {}}),
                      short_hold(), nested && times_.renews ? 2 : 1))})
        .redis = redis;
  };
  if (times_.is_vote) return used_at("masters with replicas", "masters  = 3\nreplicas = 1", false);
  used_at("replicas", places::replicas, true);
  used_at("sentinel", places::sentinel, false);
  used_at("cluster", places::cluster, true);
}

void MutexFamilies::add_asked_once() {
  if (!times_.resends) return;
  const scenario::Options once = {{"retry_attempts", std::int64_t{0}}};
  const TimeRange leases{lease(), 4 * lease()};
  add("asked once", "Requests that are not sent again, so that one lost message is an error.",
      {client("c", 2, 2, turns(3, mix_of({mixed(), Tries::once, leases, {}}), short_hold()))})
      .options = once;
  if (!times_.renews) return;
  add("renewals asked once", "Renewals that are not sent again, so that some fail.",
      {client("c", rivals(), 1,
              turns(2, mix_of({Leases::none, Tries::none, {}, {}}),
                    {lease(), times_.polls ? lease() + part(3) : 2 * lease()}))})
      .options = once;
}

/// Between the request that draws a token and the one that takes the lock there is time for whole
/// holds of others, who draw a higher one. (At the end of the list, so that a search begins there.)
void MutexFamilies::add_late_tokens() {
  if (!times_.draws_tokens) return;
  const MixOf what{Leases::all, Tries::once, {lease(), 4 * lease()}, {}};
  DraftClient far = client("far", 1, 1, turns(3, mix_of(what), short_hold()));
  far.away = TimeRange{50, 200};
  add("a client far away", "Requests of one take so long that others have the lock in between.",
      {std::move(far), client("c", 2, 1, turns(6, mix_of(what), {1, 100}))});
}

std::vector<WorkloadDraft> mutex_workloads(const OfferedWords& words, const LockTimes& times) {
  return MutexFamilies(words, times).all();
}

}  // namespace lockstep::search
