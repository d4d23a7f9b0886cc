// Explains why a property broke, as data and in words, from the faults that struck and from the
// trace.
//
// It reads one run. Where it is known which faults a violation needs, which takes runs without them
// (search/runs/needed_faults.h), causes that are also those of the run without the others come
// first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::search {
struct RunRecord;
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

/// What befell a hold, a wait, a permit or a token. docs/checker.md says what each means.
enum class CauseKind : std::uint8_t {
  lease_ended,
  lease_shortened,
  clock,
  removed,
  erased,
  lost_by_server,
  old_master,
  believed_refused,
  unknown_grant,
  granted_beside,
  executed_twice,
  late_reply,
  split_vote,
  message_lost,
  never_woken,
  late_return,
  woken_one_lost,
  left_behind,
  held,
  waits_for_itself,
  place_lost,
  overtaken,
  count_wrong,
  answer_untrue,
  unknown,  ///< what is known of the run, without a guess
};

/// "lease-ended": the word in machine formats.
[[nodiscard]] std::string_view to_string(CauseKind kind);

/// Who went wrong, when and how: of a client that took for its own what it had lost already, or was
/// about to lose. Text is sanitized.
struct Mistake {
  std::string who;  ///< a thread
  sim::TimeNs at_ns = 0;
  std::string what;  ///< "counts its validity from the reply"

  friend bool operator==(const Mistake&, const Mistake&) = default;
};

/// One cause. Text is sanitized; empty where there is no such thing, or nobody knows.
struct Cause {
  CauseKind kind = CauseKind::unknown;
  std::string victim;     ///< whose hold, wait or permit suffered: a thread
  std::string culprit;    ///< who did the decisive operation: a thread
  std::string operation;  ///< its name in the trace: "release"
  std::string server;     ///< where it happened
  sim::TimeNs at_ns = 0;  ///< when: true time
  std::string before;     ///< what was changed, and into what: "30,000 ms" of a lease
  std::string after;
  std::vector<std::string> says;  ///< the same in sentences, for a person; never empty
  /// Whether the run was made again in such a way that this went, or came at another time, and the
  /// violation went with it; and never in such a way that this stayed and the violation went.
  bool is_tested = false;
  /// Where it is at another moment than `at_ns`, at which the hold ended: what a picture points at.
  std::optional<Mistake> mistake = std::nullopt;

  friend bool operator==(const Cause&, const Cause&) = default;
};

/// Of all that broke in the example, of what the scenario asks for first; empty where nothing broke
/// or nothing is known. What is none where those faults strike alone that the violation needs is
/// left out where others are.
[[nodiscard]] std::vector<Cause> causes_of(const search::ScenarioOutcome& outcome);
/// Of one property: what else broke in that run may have another cause.
[[nodiscard]] std::vector<Cause> causes_of(const search::RunRecord& example,
                                           checker::Property property);

/// Of all causes, in order.
[[nodiscard]] std::vector<std::string> sentences_of(const std::vector<Cause>& causes);

/// The sentences of what the trace alone shows, so that they are the same where nothing else of the
/// run is left: without the tests.
[[nodiscard]] std::vector<std::string> explain(const search::RunRecord& example);
[[nodiscard]] std::vector<std::string> explain(const search::RunRecord& example,
                                               checker::Property property);

/// "1 of the 3 permits of "lock" died with a at 1,101 ms; nobody gives it back.": of a semaphore,
/// whatever the verdicts. Of those that the library itself takes back nothing is left to tell.
[[nodiscard]] std::vector<std::string> permits_of_the_dead(const search::RunRecord& example);

/// A fault that struck.
struct StruckFault {
  sim::TimeNs at_ns;
  std::string what;  ///< "pause a for 15s when a acquired"; sanitized text
};
[[nodiscard]] std::vector<StruckFault> struck_faults(const search::RunRecord& example);

}  // namespace lockstep::reports
