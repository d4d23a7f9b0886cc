// A run told by hand, for tests: names by text, times in milliseconds, orders that follow the
// times.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/check.h"
#include "checker/history.h"
#include "checker/liveness_bounds.h"
#include "checker/observations.h"
#include "checker/verdict.h"

namespace lockstep::checker::testing {

inline constexpr TimeNs ns_per_ms = 1'000'000;

/// The moment `tie` events after the first of that millisecond. REQUIRES: tie < 1000.
constexpr Moment at_ms(std::int64_t ms, std::uint64_t tie = 0) {
  return {ms * ns_per_ms, static_cast<std::uint64_t>(ms) * 1000 + tie};
}

struct RunBuilder {
  Names names;
  History history;
  Observations observations;
  std::int64_t declared_drift_ppm = 0;
  Reentry reentry = Reentry::counted;
  Refusal refusal = Refusal::truthful;
  Service service = Service::anybody;
  LivenessBounds liveness;
  std::int64_t slowest_hop_ns = 0;

  NameId id(std::string_view name) { return names.intern(name); }

  /// Adds operations on one lock, separated by ';' or line ends, each
  ///   owner kind invoked-ms completed-ms outcome [lease-ms]
  /// with '-' for no completion, and a tie as in "5.2" (the second event after the first at 5 ms).
  /// Kinds: acquire renew release force.
  void tell(std::string_view operations, std::string_view lock = "orders");

  void believe(std::string_view owner, Moment from, Moment until,
               BeliefEnd end = BeliefEnd::released, std::string_view lock = "orders");
  void believe_shared(std::string_view owner, Moment from, Moment until,
                      std::string_view lock = "orders");
  void believe_permits(std::string_view owner, std::int64_t permits, Moment from, Moment until,
                       BeliefEnd end = BeliefEnd::released, std::string_view lock = "orders");
  void access(AccessKind kind, std::string_view owner, std::int64_t ms, std::int64_t version_seen,
              std::int64_t version_after, std::optional<std::int64_t> token = std::nullopt,
              std::string_view resource = "account");
  /// The last access was by that thread, of an owner that has several.
  void by_thread(std::string_view thread) { observations.accesses.back().thread = id(thread); }
  /// `by` empty: nobody's doing.
  void change(std::string_view owner, std::string_view by, std::int64_t ms, std::int64_t before,
              std::int64_t after, ChangeCause cause, std::string_view lock = "orders");
  void count(std::string_view owner, std::int64_t ms, std::int64_t believed_count,
             std::int64_t true_count, std::string_view lock = "orders");

  /// A grant with a fencing token, asked for and returned at these times.
  void fenced(std::string_view owner, std::int64_t token, std::int64_t invoked_ms,
              std::int64_t returned_ms, std::string_view lock = "orders");
  void wait(std::string_view owner, std::int64_t from_ms, std::int64_t until_ms,
            WaitEnd end = WaitEnd::granted, std::string_view lock = "orders",
            HoldMode mode = HoldMode::exclusive, std::int64_t permits = 1);
  /// Of the last wait: for how long it is ready to wait.
  void limit(std::int64_t ms) { observations.waits.back().limit_ns = ms * ns_per_ms; }
  void request(std::string_view owner, std::uint32_t client, std::int64_t ms);
  void call_given_up(std::string_view owner, std::int64_t ms);
  void stop(std::string_view owner, std::int64_t from_ms, std::int64_t until_ms);
  void available(std::int64_t ms, std::int64_t exclusive, std::int64_t shared,
                 std::string_view lock = "orders");
  /// How many permits are left, or how often the latch is to be counted down yet.
  void number(std::int64_t ms, std::int64_t number, std::string_view lock = "orders");
  /// When the lease of the lock, or of one owner, ends from then on; 0: there is none; negative: no
  /// TTL. `by` empty: nobody's doing.
  void lease(std::int64_t ms, std::int64_t ends_ms, std::string_view owner = {},
             std::string_view lock = "orders", std::string_view by = {}, bool by_holder = true);
  /// To be refined by who gets it.
  Answer& answer(CallKind call, std::string_view owner, std::int64_t invoked_ms,
                 std::int64_t returned_ms, bool yes,
                 std::optional<std::int64_t> number = std::nullopt);
  /// `by` empty: nobody's doing. A negative deadline is none.
  void queue(QueueEventKind kind, std::string_view owner, std::int64_t ms, std::string_view by,
             std::int64_t deadline_ms = -1, std::string_view lock = "orders");
  void set_permits(std::int64_t ms, std::int64_t permits, std::string_view lock = "orders");
  void permits_left(std::int64_t ms, std::int64_t permits, std::string_view lock = "orders");
  void latch(LatchEventKind kind, std::string_view owner, std::int64_t invoked_ms,
             std::int64_t returned_ms, std::int64_t count = 0, std::string_view lock = "start");
  /// The run's last moment, and whether it came to rest there.
  void end(std::int64_t ms, bool came_to_rest = true);

  [[nodiscard]] Run run() const {
    return {.names = names,
            .history = history,
            .observations = observations,
            .declared_drift_ppm = declared_drift_ppm,
            .reentry = reentry,
            .refusal = refusal,
            .liveness = liveness,
            .slowest_hop_ns = slowest_hop_ns,
            .service = service};
  }
  /// A copy of the verdict on one property, by a checker of its own.
  [[nodiscard]] Verdict judge(Property property, Limits limits = {}) const;
};

/// The verdict's evidence, one text after the other, for comparison as a whole.
std::vector<std::string> texts(const std::vector<Evidence>& evidence);

}  // namespace lockstep::checker::testing
