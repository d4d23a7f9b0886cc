// Watches the places of waiters in a first-come, first-served lock's queue, and reports each
// change.
//
// The queue is a list of owners and a sorted set with the wall clock reading, of each owner's own
// client, until which it keeps its place. Read on the node that counts, after every script there.
// Who was taken out and put back by one script has not left: it is still where it first entered.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/observers/lock_state.h"
#include "model/recorder.h"

namespace lockstep::model {

class QueueObserver {
 public:
  QueueObserver(sim::EventQueue& queue, sim::Trace& trace, Recorder& recorder,
                const LockPackage& package, LockStateReader& reader)
      : queue_(queue), trace_(trace), recorder_(recorder), package_(package), reader_(reader) {}

  /// The locks whose queues are watched, by index from here on; none where the lock has no queue.
  void watch(std::span<const std::string> lock_names);
  void start_run();

  /// A script ran for somebody: its place, if it has one, is fresh.
  void on_executed(std::size_t lock, const RedisNode& node, checker::NameId by);
  /// Something may have changed, by somebody or by itself.
  void on_changed(std::size_t lock, const RedisNode& node, checker::NameId by);
  /// Another node counts: places that it does not know are lost.
  void on_failover(std::size_t lock, const RedisNode& node);
  /// Everybody is done, and nobody crashed: whoever stands in a queue, or has a deadline there, was
  /// left behind.
  void report_left(std::size_t lock, const RedisNode& node);
  void digest_into(sim::Digest& digest) const;

 private:
  struct Place {
    checker::NameId owner;
    std::string text;  ///< the owner as the list has it
  };
  struct Watched {
    checker::NameId name;
    std::string lock_key;
    std::string queue_key;
    std::string deadlines_key;
    std::vector<Place> places;  // as known
  };

  void read_places(const Watched& watched, const RedisNode& node);
  void compare(Watched& watched, const RedisNode& node, checker::QueueEventKind gone,
               checker::NameId by);
  void add(const Watched& watched, checker::QueueEventKind kind, const Place& place,
           const RedisNode& node, checker::NameId by);
  [[nodiscard]] sim::TimeNs announced_deadline(const Watched& watched, const RedisNode& node) const;
  [[nodiscard]] sim::TimeNs deadline_of(const Watched& watched, const Place& place,
                                        const RedisNode& node) const;
  void emit(const Watched& watched, const RedisNode& node, checker::NameId by);

  sim::EventQueue& queue_;
  sim::Trace& trace_;
  Recorder& recorder_;
  const LockPackage& package_;
  LockStateReader& reader_;
  std::vector<Watched> watched_;
  std::vector<Place> found_;  // memory for read_places
};

}  // namespace lockstep::model
