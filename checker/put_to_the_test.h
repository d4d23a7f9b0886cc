// When a run puts a property to the test: when what the property forbids could have happened.
//
// A property may hold because nobody ever came near to breaking it: one thread that has a lock for
// itself excludes nobody. Such a pass is empty. Here is said, property by property, what has to
// have happened in a run for "holds" to mean something. What the faults of a run had to do with it
// is not asked: the checker knows of none.
//
// Each answer takes a walk over the observations, O(n log n) at most, which ends where it finds
// what it looks for; what several properties ask is looked for once. Nothing is allocated once
// warm.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "checker/check.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

struct Availability;
struct Belief;
struct Grant;
struct Wait;

/// "a thread asked for the lock while another had it": one clause.
[[nodiscard]] std::string_view what_puts_to_the_test(Property property);

class PutToTheTest {
 public:
  /// Another run, which outlives the questions.
  void start(const Run& run);
  /// Whether that clause is true of the run.
  [[nodiscard]] bool is(Property property);

 private:
  /// Somebody's wish for a lock, or belief to have it, that reaches until then.
  struct Reach {
    NameId owner = no_name;
    Moment until;
  };
  /// The reach that goes furthest, and the furthest of another owner.
  struct FurthestTwo {
    Reach first;
    Reach second;

    void add(NameId owner, const Moment& until);
    [[nodiscard]] bool is_another_beyond(NameId owner, const Moment& from) const;
  };
  struct Furthest {
    FurthestTwo of_all;
    FurthestTwo of_exclusive;

    void add(NameId owner, HoldMode mode, const Moment& until);
    [[nodiscard]] bool excludes(NameId owner, HoldMode mode, const Moment& from) const;
  };
  struct LockInUse {
    Furthest waits;
    Furthest beliefs;
  };

  enum class Sleep : std::uint8_t {
    none,         ///< what it waits for was always there
    without_end,  ///< … was not there, and did not come to be
    could_end,    ///< … came to be there while it waited
  };

  [[nodiscard]] bool is_contended();
  [[nodiscard]] bool find_contention();
  [[nodiscard]] bool was_overtaken() const;
  [[nodiscard]] bool is_reentry(const Grant& grant) const;
  [[nodiscard]] bool has_slept();
  [[nodiscard]] bool has_slept_on();
  [[nodiscard]] bool has_been_kept();
  [[nodiscard]] bool has_asked_for_too_much();
  void find_sleepers();
  [[nodiscard]] Sleep sleep_of(const Wait& wait) const;
  [[nodiscard]] bool has_come_after_another();
  [[nodiscard]] bool has_doubtful_grant();
  [[nodiscard]] bool two_owners_acquired();
  [[nodiscard]] bool two_owners_wrote();
  [[nodiscard]] bool two_owners_got_tokens();
  [[nodiscard]] bool two_stood_in_queue();
  [[nodiscard]] bool has_counted() const;
  [[nodiscard]] bool was_in_use() const;
  [[nodiscard]] bool has_told() const;
  /// Notes the owner; whether that name had another one before.
  [[nodiscard]] bool is_second_owner(NameId of, NameId owner);

  const Run* run_ = nullptr;
  std::optional<bool> is_contended_;
  struct Sleepers {
    bool any = false;           ///< somebody wanted what was not there
    bool any_to_serve = false;  ///< … came to be there, and the last fault was over by the end
  };
  std::optional<Sleepers> sleepers_;

  /// Who has given a lock back, or lost it.
  struct Left {
    NameId by = no_name;
    bool by_several = false;
  };

  std::vector<LockInUse> locks_;                     // by the lock's NameId
  std::vector<Moment> believed_until_;               // by the lock's NameId
  std::vector<Left> left_;                           // by the lock's NameId
  std::vector<const Belief*> beliefs_;               // by from
  std::vector<const Wait*> waits_;                   // by from
  std::vector<const Availability*> availabilities_;  // by lock, then time
  std::vector<NameId> owners_;                       // by name: the first owner that came
  std::vector<std::uint32_t> queue_lengths_;         // by lock
  PairTable<bool> places_;                           // whether that owner stands in that queue
};

}  // namespace lockstep::checker
