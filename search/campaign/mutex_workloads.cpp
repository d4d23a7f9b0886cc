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
#include "search/campaign/mutex_mix.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {
namespace {

using model::Usage;
using scenario::StepKind;

/// Makes the families of one lock.
class Families {
 public:
  Families(const OfferedWords& words, const LockTimes& times) : words_(words), times_(times) {
    for (const Words& each : {exclusive, writing, reading}) {
      if (words.has(each.waits) || words.has(each.tries)) singles_.push_back(each);
    }
    is_read_write_ = words.has(StepKind::read_lock) || words.has(StepKind::try_read_lock);
  }

  std::vector<WorkloadDraft> all() {
    if (words_.has(together.waits) || words_.has(together.tries)) add_together();
    if (!singles_.empty()) {
      add_common();
      add_reentry();
      add_crowds();
      add_extension();
      add_validity();
      add_other_places();
      add_asked_once();
      add_breaking();
    }
    return std::move(drafts_);
  }

 private:
  [[nodiscard]] std::int64_t lease() const { return times_.lease_ms; }
  /// A part of the lock's lease, which is at least some milliseconds.
  [[nodiscard]] std::int64_t part(std::int64_t divisor) const {
    return std::max<std::int64_t>(lease() / divisor, 3);
  }
  /// How long a hold lasts where nothing depends on it: waiters that ask again make it dear.
  [[nodiscard]] TimeRange short_hold() const { return {1, is_dear() ? part(60) : part(8)}; }
  /// Those in a queue are waited for only so long, all together.
  [[nodiscard]] std::int64_t longest_hold() const {
    if (times_.patience_ms <= lease()) return 2 * lease() + part(2);
    return std::max(times_.patience_ms / 6, lease() + part(10));
  }
  /// Who waits for longer than others is a matter of locks that have a queue alone.
  [[nodiscard]] std::vector<Usage> unequal_waits(std::vector<Usage> others) const {
    if (times_.patience_ms > 0) others.push_back(Usage::equal_waits);
    return others;
  }
  [[nodiscard]] bool is_dear() const { return times_.polls || times_.is_vote; }
  [[nodiscard]] int threads() const { return is_dear() ? 1 : 2; }
  /// Clients of one thread each that want one lock: in a queue stand two only where a third has it.
  [[nodiscard]] int rivals() const { return times_.patience_ms > 0 ? 3 : 2; }

  [[nodiscard]] static std::string lease_option(TimeRange range) {
    return "lease=" + text_of(range);
  }
  [[nodiscard]] static std::string wait_option(TimeRange range) { return "wait=" + text_of(range); }

  /// Who dies with a lease that is longer than a place in the queue lasts takes the places away,
  /// too.
  [[nodiscard]] TimeRange within_patience(TimeRange lease) const {
    if (times_.patience_ms == 0) return lease;
    const std::int64_t most = times_.patience_ms / 5 * 4;
    return {std::min(lease.min_ms, most), std::min(lease.max_ms, most)};
  }

  void add_takes(Mix& mix, const Words& words, const MixOf& of, int weight) const {
    const std::string lease = lease_option(within_patience(of.lease));
    const std::string wait = wait_option(of.wait);
    // A lock that nobody can wait for is tried for as long as it may take.
    const bool can_wait = words_.has(words.waits);
    const StepKind waits = can_wait ? words.waits : words.tries;
    const std::string patience =
        can_wait ? "" : wait_option({20 * this->lease(), 20 * this->lease()});
    const auto both = [](const std::string& one, const std::string& other) {
      return one.empty() || other.empty() ? one + other : one + " " + other;
    };
    if (of.leases != Leases::all) {
      words_.add(mix, waits, 3 * weight, patience);
      if (of.tries == Tries::waiting) words_.add(mix, words.tries, 3 * weight, wait);
      // Some outwait a lease that nobody renews any more.
      if (of.tries == Tries::waiting && !is_dear()) {
        words_.add(mix, words.tries, weight, wait_option({this->lease(), 2 * this->lease()}));
      }
      if (of.tries != Tries::none) words_.add(mix, words.tries, weight);
    }
    if (of.leases != Leases::none) {
      words_.add(mix, waits, 3 * weight, both(patience, lease));
      if (of.tries == Tries::waiting) words_.add(mix, words.tries, 3 * weight, both(wait, lease));
      if (of.tries != Tries::none) words_.add(mix, words.tries, weight, lease);
    }
  }

  [[nodiscard]] Mix mix_of(const MixOf& of) const {
    Mix mix;
    for (const Words& words : singles_) add_takes(mix, words, of, 2);
    words_.add_questions(mix, 1);
    if (of.extension.max_ms > 0) words_.add(mix, StepKind::extend, 2, lease_option(of.extension));
    mix.emplace_back("write", 6);
    return mix;
  }

  /// Locks whose leases may be mixed are used so; of others each hold has one, or none.
  [[nodiscard]] Leases mixed() const { return is_read_write_ ? Leases::none : Leases::some; }

  WorkloadDraft& add(std::string name, std::string purpose, std::vector<DraftClient> clients,
                     std::vector<Usage> breaks = {}) {
    drafts_.push_back(
        {std::move(name), std::move(purpose), std::move(clients), std::move(breaks), {}});
    return drafts_.back();
  }

  [[nodiscard]] static DraftClient client(std::string name, int count, int threads,
                                          DraftTurns turns) {
    DraftClient client;
    client.name = std::move(name);
    client.count = count;
    client.threads = threads;
    client.turns = std::move(turns);
    return client;
  }

  [[nodiscard]] DraftTurns turns(int count, Mix mix, TimeRange hold, int nesting = 1) const {
    DraftTurns turns;
    turns.turns = count;
    turns.mix = std::move(mix);
    turns.think = {1, std::min<std::int64_t>(part(30), 1000)};
    turns.hold = hold;
    turns.nesting = times_.counts_holds ? nesting : 1;
    return turns;
  }

  /// A waiter behind a dead head may ask on and on: longer ways make fewer events of that.
  [[nodiscard]] std::string network_of_queues() const {
    return times_.patience_ms > 0 ? "latency = \"5ms..20ms\"" : "";
  }

  void add_common();
  void add_reentry();
  void add_unleased_inside();
  void add_crowds();
  void add_extension();
  void add_validity();
  void add_shorter_extension();
  void add_together();
  void add_together_for_long();
  void add_other_places();
  void add_asked_once();
  void add_tries_inside();
  void add_breaking();
  void add_oversleeping();
  [[nodiscard]] std::string taking(const Words& words, TimeRange lease) const;

  const OfferedWords& words_;
  const LockTimes& times_;
  std::vector<Words> singles_;
  bool is_read_write_ = false;
  std::vector<WorkloadDraft> drafts_;
};

void Families::add_common() {
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

void Families::add_reentry() {
  if (!times_.counts_holds) return add_tries_inside();
  TimeRange inner_hold =
      times_.renews && !is_dear() ? TimeRange{part(10), lease() + part(2)} : TimeRange{1, part(4)};
  // Three of them are one hold, for which those in a queue are waited for.
  if (times_.patience_ms > 0) inner_hold.max_ms = std::min(inner_hold.max_ms, longest_hold() / 3);
  add("taken again",
      "A lock that is taken again by who has it, used on after the inner release, and renewed.",
      {client("c", rivals(), 1,
              turns(2, mix_of({Leases::none, Tries::once, {}, {}}), inner_hold, 3))});
  add("taken again with leases", "Holds inside one another, each with a lease that outlasts all.",
      {client("c", 2, threads(),
              turns(2, mix_of({Leases::all, Tries::once, {8 * lease(), 16 * lease()}, {}}),
                    {part(10), is_dear() ? part(4) : 2 * lease()}, 3))},
      {Usage::unleased_reentry});
  if (is_read_write_) return;  // its leases outlast all that is done under it
  if (times_.renews) add_unleased_inside();
  DraftClient scripted;
  scripted.name = "a";
  scripted.rounds = 2;
  const std::int64_t outer = is_dear() ? part(10) : part(2);
  const std::string gives_back(scenario::form_of(singles_.front().gives_back).word);
  scripted.run = {taking(singles_.front(), {outer, outer}),
                  "sleep " + text_of({outer / 4, outer / 2}),
                  taking(singles_.front(), {4 * outer, 4 * outer}),
                  "sleep " + text_of({outer, 2 * outer}),
                  "write",
                  gives_back,
                  "sleep " + text_of({outer / 4, 3 * outer}),
                  gives_back};
  add("a longer lease inside", "Who has the lock takes it again for a longer lease, and needs it.",
      {std::move(scripted),
       client(
           "b", 1, threads(),
           turns(3, mix_of({Leases::all, Tries::once, {2 * outer, 4 * outer}, {}}), {1, outer}))},
      {Usage::unleased_reentry});
}

void Families::add_tries_inside() {
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

void Families::add_unleased_inside() {
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

void Families::add_crowds() {
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
  several.locks = {"orders", "stock"};
  add("two locks", "Two locks, one after the other and one inside the other, in one order.",
      {client("c", 2, threads(), several)});
}

/// The step that takes it, however long that takes.
std::string Families::taking(const Words& words, TimeRange lease) const {
  const bool can_wait = words_.has(words.waits);
  std::string step(scenario::form_of(can_wait ? words.waits : words.tries).word);
  if (!can_wait) step += " " + wait_option({20 * this->lease(), 20 * this->lease()});
  if (lease.max_ms > 0) step += " " + lease_option(lease);
  return step;
}

void Families::add_extension() {
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
void Families::add_validity() {
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
  if (words_.has(StepKind::extend)) add_shorter_extension();
}

void Families::add_shorter_extension() {
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

void Families::add_together() {
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

void Families::add_together_for_long() {
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

void Families::add_other_places() {
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

void Families::add_asked_once() {
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

void Families::add_breaking() {
  const TimeRange leases{lease(), 4 * lease()};
  if (is_read_write_) {
    add("leases and the watchdog", "Holds with a lease of the caller's, and holds without.",
        {client("c", 2, 2,
                turns(3, mix_of({Leases::some, Tries::once, leases, {}}), short_hold(), 2))},
        {Usage::leases_not_mixed, Usage::unleased_reentry});
  }
  add_oversleeping();
  if (words_.has(StepKind::force_unlock)) {
    Mix forcing = mix_of({mixed(), Tries::once, leases, {}});
    words_.add(forcing, StepKind::force_unlock, 4);
    add("forced releases", "Now and then somebody frees the lock, whoever has it.",
        {client("c", 2, 2, turns(3, std::move(forcing), short_hold()))}, {Usage::nobody_forces});
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

void Families::add_oversleeping() {
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

}  // namespace

std::vector<WorkloadDraft> mutex_workloads(const OfferedWords& words, const LockTimes& times) {
  return Families(words, times).all();
}

}  // namespace lockstep::search
