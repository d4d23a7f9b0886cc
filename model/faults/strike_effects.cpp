#include "model/faults/strike_effects.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <vector>

#include "checker/check.h"
#include "checker/observations.h"
#include "model/client/client.h"
#include "model/faults/effects/strike_rivals.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"

namespace lockstep::model {
namespace {

using scenario::TargetKind;

TargetKind target_kind(const StrikeSpan& span) { return scenario::form_of(span.kind).target.kind; }

/// The lock's master was replaced, or something struck it that may have others replace it: then
/// whoever may take over counts, and whoever decides that.
bool concerns_failover(const StrikeFacts& facts, std::span<const StrikeSpan> spans) {
  const bool has_failover =
      std::any_of(facts.takeovers.begin(), facts.takeovers.end(), [](const Takeover& takeover) {
        return takeover.of_lock && takeover.kind != TakeoverKind::restart;
      });
  return has_failover || std::any_of(spans.begin(), spans.end(), [&facts](const StrikeSpan& span) {
           return span.clients == 0 && !is_of_link(span) &&
                  (span.servers & facts.in_use.masters) != 0;
         });
}

/// Whether it strikes hosts that the lock uses; what stands between hosts, two of them.
bool strikes_what_is_used(const StrikeFacts& facts, const StrikeSpan& span) {
  const std::uint64_t used = span.servers & facts.in_use.all;
  const int ends =
      std::popcount(span.clients) + std::popcount(used) + static_cast<int>(span.is_of_resource);
  const TargetKind kind = target_kind(span);
  const bool is_between =
      is_of_link(span) || kind == TargetKind::groups || kind == TargetKind::ring;
  return ends >= (is_between ? 2 : 1);
}

/// Since when it may have two meet: what keeps replicas behind, since the failover.
sim::TimeNs works_since(const StrikeFacts& facts, const StrikeSpan& span) {
  const bool is_of_replicas = span.clients == 0 && !span.is_of_resource &&
                              (target_kind(span) == TargetKind::replica || is_of_link(span));
  if (!is_of_replicas) return span.from_ns;
  const auto next = std::find_if(facts.takeovers.begin(), facts.takeovers.end(),
                                 [&span](const Takeover& takeover) {
                                   return takeover.of_lock && takeover.at_ns >= span.from_ns;
                                 });
  return next == facts.takeovers.end() ? span.from_ns : next->at_ns;
}

/// Who writes nothing while it stands still, or after, loses nobody's update.
bool stops_no_writer(const StrikeQuestion& question) {
  if (!question.is_stop_of_clients()) return false;
  const auto& accesses = question.facts.run.observations.accesses;
  return std::none_of(accesses.begin(), accesses.end(), [&](const checker::Access& access) {
    return access.kind != checker::AccessKind::read && question.concerns(access.owner) &&
           access.at.at_ns >= question.span.from_ns;
  });
}

}  // namespace

bool is_of_link(const StrikeSpan& span) {
  const TargetKind kind = target_kind(span);
  return kind == TargetKind::pair || kind == TargetKind::directed_pair ||
         kind == TargetKind::message;
}

std::optional<sim::TimeNs> last_time_of_two_writers(const checker::Observations& observations) {
  const auto& accesses = observations.accesses;
  std::vector<const checker::Access*> last_writes;  // one for each resource: there are few
  for (auto each = accesses.rbegin(); each != accesses.rend(); ++each) {
    if (each->kind == checker::AccessKind::refused_write) return each->at.at_ns;
    if (each->kind != checker::AccessKind::write) continue;
    const auto last = std::find_if(
        last_writes.begin(), last_writes.end(),
        [&](const checker::Access* write) { return write->resource == each->resource; });
    if (last == last_writes.end()) {
      last_writes.push_back(&*each);
    } else if ((*last)->owner != each->owner) {
      return each->at.at_ns;
    }
  }
  return std::nullopt;
}

std::uint64_t StrikeEffects::bit_of(std::size_t place) {
  return std::uint64_t{1} << std::min<std::size_t>(place, 63);
}

const std::vector<Mattered>& StrikeEffects::judge(const StrikeFacts& facts,
                                                  std::span<const StrikeSpan> spans,
                                                  std::size_t fault_count) {
  mattered_.assign(fault_count, Mattered::no);
  if (spans.empty()) return mattered_;
  bits_of_owner_.assign(facts.run.names.size(), 0);
  for (std::size_t client = 0; client < facts.clients.size(); ++client) {
    for (std::size_t thread = 0; thread < facts.clients[client]->thread_count(); ++thread) {
      const checker::NameId owner = facts.clients[client]->owner(thread);
      bits_of_owner_[static_cast<std::size_t>(owner)] = bit_of(client);
    }
  }
  const bool all_count = concerns_failover(facts, spans);
  const std::optional<sim::TimeNs> two_write = last_time_of_two_writers(facts.run.observations);
  for (const StrikeSpan& span : spans) {
    Mattered& known = mattered_[span.fault];
    const sim::TimeNs works_ns = works_since(facts, span);
    const StrikeQuestion question{facts, span, spans, bits_of_owner_, waited_until_};
    const bool two_write_since = two_write && works_ns <= *two_write && !stops_no_writer(question);
    const Mattered most = two_write_since ? Mattered::to_writers : Mattered::to_holders;
    if (known >= most) continue;
    if (!all_count && !strikes_what_is_used(facts, span)) continue;
    Mattered found = mattered(question);
    if (found == Mattered::to_holders) {
      const sim::TimeNs seen_ns = works_ns + strikes::unnoticed_for(question);
      found = strikes::two_might_have_it(question, seen_ns) ? most : Mattered::to_rivals;
    }
    known = std::max(known, found);
  }
  return mattered_;
}

bool StrikeQuestion::concerns(checker::NameId owner) const {
  if (span.clients == 0) return true;
  const auto place = static_cast<std::size_t>(owner);
  return place < bits_of_owner.size() && (bits_of_owner[place] & span.clients) != 0;
}

bool StrikeQuestion::is_stop_of_clients() const {
  return concerns_clients() && span.kind == scenario::FaultKind::pause;
}

bool StrikeQuestion::holds_requests_back() const {
  using scenario::FaultKind;
  return span.kind == FaultKind::pause || span.kind == FaultKind::cut ||
         span.kind == FaultKind::isolate || span.kind == FaultKind::partition;
}

bool StrikeQuestion::meets(const checker::Moment& from, const checker::Moment& until) const {
  return from.at_ns <= span.until_ns && span.from_ns <= until.at_ns;
}

bool StrikeQuestion::is_clock_far_off() const {
  bool is_read = !concerns_clients() || !span.is_wall_only;
  for (std::size_t i = 0; i < facts.clients.size() && !is_read; ++i) {
    const bool is_struck = (span.clients & StrikeEffects::bit_of(i)) != 0;
    is_read = is_struck && facts.clients[i]->wall_clock_was_read();
  }
  if (!is_read) return false;
  const sim::TimeNs ended_ns = facts.run.observations.ended.at_ns;
  const sim::DurationNs lasted_ns = std::min(span.until_ns, ended_ns) - span.from_ns;
  sim::DurationNs off_ns = std::abs(span.by_ns);
  if (span.kind == scenario::FaultKind::clock_freeze) off_ns = lasted_ns;
  if (span.kind == scenario::FaultKind::clock_drift) {
    const sim::DurationNs lease_ns = facts.longest_lease_ns;
    const sim::DurationNs for_ns = lease_ns > 0 ? std::min(lasted_ns, lease_ns) : lasted_ns;
    constexpr std::int64_t million = 1'000'000;
    off_ns = for_ns / million * std::abs(span.drift_ppm);
  }
  // Redis counts whole milliseconds.
  return off_ns > std::max<sim::DurationNs>(facts.run.slowest_hop_ns, sim::millisecond_ns);
}

ClockShift StrikeQuestion::clock_shift() const {
  using scenario::FaultKind;
  ClockShift shift;
  shift.is_at_once = span.kind == FaultKind::clock_step || span.kind == FaultKind::clock_leap;
  shift.stands_still = span.kind == FaultKind::clock_freeze;
  if (span.kind == FaultKind::clock_step) {
    shift.earlier_ns = std::max<sim::DurationNs>(span.by_ns, 0);
    shift.is_later = span.by_ns < 0;
  } else if (span.kind == FaultKind::clock_drift) {
    constexpr std::int64_t million = 1'000'000;
    const std::int64_t faster_ppm = std::max<std::int64_t>(span.drift_ppm, 0);
    shift.earlier_ns = facts.longest_lease_ns / million * faster_ppm;
    shift.is_later = span.drift_ppm < 0;
  } else {
    if (span.kind == FaultKind::clock_strobe) shift.earlier_ns = std::abs(span.by_ns);
    shift.is_later = true;
  }
  return shift;
}

sim::TimeNs StrikeQuestion::since(const checker::Moment& from) const {
  return std::max(from.at_ns, span.from_ns);
}

}  // namespace lockstep::model
