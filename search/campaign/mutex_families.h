// The families of workloads of a lock that somebody holds: the class that makes them.
//
// mutex_workloads.cpp has those in which callers keep the rules and take their time,
// mutex_edges.cpp those that go to the end of a lease, or beyond it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/lock/usage.h"
#include "scenario/step_kind.h"
#include "search/campaign/lock_times.h"
#include "search/campaign/mutex_mix.h"
#include "search/campaign/offered_words.h"
#include "search/campaign/workload_draft.h"

namespace lockstep::search {

/// Makes the families of one lock.
class MutexFamilies {
 public:
  MutexFamilies(const OfferedWords& words, const LockTimes& times) : words_(words), times_(times) {
    for (const Words& each : {exclusive, writing, reading}) {
      if (words.has(each.waits) || words.has(each.tries)) singles_.push_back(each);
    }
    is_read_write_ =
        words.has(scenario::StepKind::read_lock) || words.has(scenario::StepKind::try_read_lock);
  }

  std::vector<WorkloadDraft> all() {
    if (words_.has(together.waits) || words_.has(together.tries)) add_together();
    if (!singles_.empty()) {
      add_common();
      add_reentry();
      add_crowds();
      add_overtaking();
      add_waits_beyond_a_lease();
      add_dead_readers();
      add_extension();
      add_validity();
      add_other_places();
      add_asked_once();
      add_left_beside();
      add_different_waits();
      add_coming_back();
      add_short_waits();
      add_dead_waiters();
      add_different_clocks();
      add_breaking();
      add_late_tokens();
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
  [[nodiscard]] std::vector<model::Usage> unequal_waits(std::vector<model::Usage> others) const {
    if (times_.patience_ms > 0) others.push_back(model::Usage::equal_waits);
    return others;
  }
  /// Whether waiting is dear to simulate.
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
    const scenario::StepKind waits = can_wait ? words.waits : words.tries;
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
    if (of.extension.max_ms > 0)
      words_.add(mix, scenario::StepKind::extend, 2, lease_option(of.extension));
    mix.emplace_back("write", 6);
    return mix;
  }

  /// Locks whose leases may be mixed are used so; of others each hold has one, or none.
  [[nodiscard]] Leases mixed() const { return is_read_write_ ? Leases::none : Leases::some; }

  WorkloadDraft& add(std::string name, std::string purpose, std::vector<DraftClient> clients,
                     std::vector<model::Usage> breaks = {}) {
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
  void add_longer_inside();
  void add_crowds();
  void add_overtaking();
  void add_waits_beyond_a_lease();
  void add_dead_readers();
  void add_one_inside_another();
  void add_extension();
  void add_validity();
  void add_shorter_extension();
  void add_late_extension();
  void add_together();
  void add_together_for_long();
  void add_together_with_one_taken();
  void add_together_inside();
  void add_other_places();
  void add_asked_once();
  void add_late_tokens();
  void add_tries_inside();
  void add_left_beside();
  void add_taken_anew();
  void add_different_waits();
  void add_coming_back();
  void add_short_waits();
  void add_dead_waiters();
  void add_different_clocks();
  void add_breaking();
  void add_oversleeping();
  void add_oversleeping_together();
  void add_outlived_watchdog();
  /// The step that takes it, however long that takes.
  [[nodiscard]] std::string taking(const Words& words, TimeRange lease) const;

  const OfferedWords& words_;
  const LockTimes& times_;
  std::vector<Words> singles_;
  bool is_read_write_ = false;
  std::vector<WorkloadDraft> drafts_;
};

}  // namespace lockstep::search
