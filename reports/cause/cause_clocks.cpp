// What clocks did that are wrong from the start: they run too fast or too slow, or show another
// time. What a fault does to a clock is told where it strikes (cause_overlap.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::int64_t million = 1'000'000;
/// A drift below this is that of an ordinary clock, and told only where it explains all.
constexpr std::int64_t noticeable_ppm = 10'000;
/// Within this a lease that was just long enough ended just in time.
constexpr sim::DurationNs tolerance_ns = 2 * sim::millisecond_ns;

std::int64_t drift_of(const CauseFacts& facts, std::string_view host) {
  for (const search::WrongClock& clock : facts.example().wrong_clocks) {
    if (clock.host == host) return clock.drift_ppm;
  }
  return 0;
}

/// "25 % too fast", "0.02 % too slow".
std::string speed_in_words(std::int64_t drift_ppm) {
  const std::int64_t size = drift_ppm < 0 ? -drift_ppm : drift_ppm;
  return fmt::format("{:g} % too {}", static_cast<double>(size) / 10'000,
                     drift_ppm < 0 ? "slow" : "fast");
}

/// What a clock that drifts so shows of a time.
sim::DurationNs shown(sim::DurationNs true_ns, std::int64_t drift_ppm) {
  // In two parts, so that a year at any drift fits.
  return true_ns + true_ns / million * drift_ppm + true_ns % million * drift_ppm / million;
}

/// The masters of a vote on which the owner wrote, else the node that ended the lease.
std::vector<std::string> servers_of(const CauseFacts& facts, const std::string& owner,
                                    const HoldPeriod& period) {
  if (!facts.is_quorum(owner)) return {facts.actor_of(facts.events()[*period.lost])};
  std::set<std::string> servers;
  for (EventIndex index = 0; index < *period.lost; ++index) {
    const Event& event = facts.events()[index];
    const bool is_its = event.kind == kind::command_executed && event.number("writes") > 0 &&
                        facts.is_for(event, owner);
    if (is_its) servers.insert(facts.actor_of(event));
  }
  return {servers.begin(), servers.end()};
}

/// ", by n1's clock, which runs 25 % too fast", ", by the clocks of n1 (40 % too fast) and n3 (…)".
std::string fast_in_words(const CauseFacts& facts, const std::vector<std::string>& fast) {
  if (fast.empty()) return {};
  if (fast.size() == 1) {
    return fmt::format(", by {}'s clock, which runs {}", brief(fast.front()),
                       speed_in_words(drift_of(facts, fast.front())));
  }
  std::string names;
  for (const std::string& server : fast) {
    names += names.empty() ? "" : &server == &fast.back() ? " and " : ", ";
    names += fmt::format("{} ({})", brief(server), speed_in_words(drift_of(facts, server)));
  }
  return fmt::format(", by the clocks of {}", names);
}

/// When the owner gave the lock up that it had lost, or heard of it.
sim::TimeNs believed_until(const CauseFacts& facts, const std::string& owner,
                           const HoldPeriod& period) {
  for (EventIndex index = *period.lost; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind == kind::belief_ended && facts.is_by(event, owner)) return event.at;
  }
  return facts.example().ended_at_ns;
}

}  // namespace

ClockBlame clocks_to_blame(const CauseFacts& facts, const std::string& owner,
                           const HoldPeriod& period) {
  ClockBlame blame;
  std::vector<std::string> fast;
  std::int64_t server_ppm = 0;
  for (const std::string& server : servers_of(facts, owner, period)) {
    const std::int64_t drift_ppm = drift_of(facts, server);
    if (drift_ppm <= 0) continue;
    server_ppm = fast.empty() ? drift_ppm : std::min(server_ppm, drift_ppm);
    fast.push_back(server);
  }
  const std::string process = facts.group_of(owner);
  const std::int64_t own_ppm = std::min<std::int64_t>(0, drift_of(facts, process));
  if (fast.empty() && own_ppm == 0) return blame;
  // With right clocks the lease would have lasted so long, and its owner been done so soon.
  const sim::TimeNs set_ns = facts.events()[*period.last_set].at;
  const sim::TimeNs lost_ns = facts.events()[*period.lost].at;
  const sim::DurationNs lease_ns = shown(lost_ns - set_ns, server_ppm);
  const sim::DurationNs done_ns = shown(believed_until(facts, owner, period) - set_ns, own_ppm);
  blame.explains = done_ns <= lease_ns + tolerance_ns;
  if (blame.explains || server_ppm >= noticeable_ppm) blame.words = fast_in_words(facts, fast);
  if (blame.explains || own_ppm <= -noticeable_ppm) {
    if (own_ppm != 0) {
      blame.words += fmt::format("{} {}'s own clock runs {}", blame.words.empty() ? "," : ", and",
                                 brief(process), speed_in_words(own_ppm));
    }
  }
  if (fast.size() == 1) blame.server = fast.front();
  blame.is_of_the_owner = fast.empty();
  return blame;
}

sim::DurationNs wall_clock_ahead_ns(const CauseFacts& facts, std::string_view host,
                                    sim::TimeNs at_ns) {
  sim::DurationNs ahead_ns = 0;
  std::int64_t drift_ppm = 0;
  for (const search::WrongClock& clock : facts.example().wrong_clocks) {
    if (clock.host != host) continue;
    ahead_ns = clock.wall_offset_ns;
    drift_ppm = clock.drift_ppm;
  }
  sim::TimeNs since_ns = 0;
  for (const Event& event : facts.events()) {
    if (event.at > at_ns) break;
    if (event.kind != kind::clock_changed || facts.actor_of(event) != host) continue;
    ahead_ns += shown(event.at - since_ns, drift_ppm) - (event.at - since_ns);
    since_ns = event.at;
    if (const std::int64_t by_ns = event.number("by_ns"); by_ns != 0) {
      ahead_ns += by_ns;
    } else {
      drift_ppm = event.number("drift_ppm");
    }
  }
  return ahead_ns + shown(at_ns - since_ns, drift_ppm) - (at_ns - since_ns);
}

std::string wall_clock_in_words(const CauseFacts& facts, std::string_view host, sim::TimeNs at_ns) {
  constexpr sim::DurationNs told_from_ns = 100 * sim::millisecond_ns;
  const sim::DurationNs ahead_ns = wall_clock_ahead_ns(facts, host, at_ns);
  if (ahead_ns < told_from_ns && -ahead_ns < told_from_ns) return {};
  return fmt::format("{}'s wall clock was {} {} then.", brief(host),
                     milliseconds(ahead_ns < 0 ? -ahead_ns : ahead_ns),
                     ahead_ns < 0 ? "behind" : "ahead");
}

std::optional<Cause> explain_told_validity(const CauseFacts& facts,
                                           const checker::Evidence& granted) {
  const std::string& owner = facts.example().judged->names.text(granted.who);
  const sim::TimeNs at_ns = granted.until.value_or(granted.from).at_ns;
  std::vector<std::string> fast;
  const Event* set = nullptr;
  for (const Event& event : facts.events()) {
    if (event.at > at_ns) break;
    const bool is_its = event.kind == kind::command_executed && facts.is_for(event, owner) &&
                        event.number("writes") > 0;
    if (!is_its) continue;
    const std::string server = facts.actor_of(event);
    if (drift_of(facts, server) <= 0) continue;
    set = &event;
    if (std::find(fast.begin(), fast.end(), server) == fast.end()) fast.push_back(server);
  }
  if (set == nullptr) return std::nullopt;
  Cause cause;
  cause.kind = CauseKind::clock;
  cause.victim = brief(owner);
  cause.operation = brief(set->text("label"));
  if (fast.size() == 1) cause.server = fast.front();
  cause.at_ns = set->at;
  cause.says.push_back(
      fmt::format("{}'s {}, executed on {} at {}, set a lease that ends sooner than "
                  "{} reckons{}.",
                  cause.victim, cause.operation, facts.actor_of(*set), milliseconds(set->at),
                  cause.victim, fast_in_words(facts, fast)));
  return cause;
}

void add_wall_clocks(const CauseFacts& facts, std::vector<Cause>& causes) {
  for (Cause& cause : causes) {
    const bool may_go_by_it =
        cause.kind == CauseKind::removed || cause.kind == CauseKind::place_lost;
    if (!may_go_by_it || cause.culprit.empty() || cause.operation.empty()) continue;
    const std::string ahead =
        wall_clock_in_words(facts, facts.group_of(cause.culprit), cause.at_ns);
    if (ahead.empty()) continue;
    cause.says.push_back(ahead);
    const std::string other = wall_clock_in_words(facts, facts.group_of(cause.victim), cause.at_ns);
    if (!other.empty() && other != ahead) cause.says.push_back(other);
  }
}

}  // namespace lockstep::reports
