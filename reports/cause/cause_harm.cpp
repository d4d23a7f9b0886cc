// How a write came to the resource that its writer had no lock for any more: also where nobody
// believed in the lock when another had it, as of a validity that was over by then.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// What a thread wrote at that instant; null: nothing.
const Event* write_at(const CauseFacts& facts, const std::string& who, sim::TimeNs at_ns) {
  for (const Event& event : facts.events()) {
    if (event.at > at_ns) break;
    const bool is_it = event.at == at_ns && event.kind == kind::resource_written &&
                       facts.is_of(event.text("by"), who);
    if (is_it) return &event;
  }
  return nullptr;
}

/// The request that brought it; null: unknown.
const TraceMessage* request_of(const CauseFacts& facts, const std::string& who,
                               const Event& written) {
  for (const TraceMessage& message : facts.messages().all()) {
    const bool is_it = facts.is_of(message.on_behalf_of, who) && message.fate != Fate::lost &&
                       message.fate != Fate::under_way && replied_label(message.label).empty() &&
                       facts.events()[message.ended].at == written.at;
    if (is_it) return &message;
  }
  return nullptr;
}

}  // namespace

std::optional<Cause> explain_late_write(const CauseFacts& facts, const checker::Verdict& verdict) {
  for (auto evidence = verdict.evidence.rbegin(); evidence != verdict.evidence.rend(); ++evidence) {
    if (evidence->who == checker::no_name) continue;
    const std::string& who = facts.names().text(evidence->who);
    const checker::Moment& at = evidence->until.value_or(evidence->from);
    const Event* const written = write_at(facts, who, at.at_ns);
    if (written == nullptr) continue;
    const EventIndex index = static_cast<EventIndex>(written - facts.events().data());
    const std::vector<HoldPeriod> periods = facts.hold_periods(who, {}, index);
    if (periods.empty() || !periods.back().lost) continue;
    std::optional<Cause> cause = explain_loss(facts, who, index);
    if (!cause || cause->at_ns < facts.events()[periods.back().taken].at) continue;
    cause->says.push_back(fmt::format("{}'s write reached the resource at {}: {} later.",
                                      brief(who), milliseconds(written->at),
                                      milliseconds(written->at - cause->at_ns)));
    return cause;
  }
  return std::nullopt;
}

std::string why_older_token_was_accepted(const CauseFacts& facts, const checker::Verdict& verdict) {
  if (verdict.evidence.size() < 2) return {};
  const checker::Evidence& first = verdict.evidence.front();
  const checker::Evidence& second = verdict.evidence.back();
  const checker::Names& names = facts.names();
  const std::string& earlier = names.text(first.who);
  const std::string& later = names.text(second.who);
  const Event* const accepted = write_at(facts, earlier, first.from.at_ns);
  const Event* const lost = write_at(facts, later, second.until.value_or(second.from).at_ns);
  if (accepted == nullptr || lost == nullptr) return {};
  const std::int64_t token = accepted->number("token");
  const TraceMessage* const request = request_of(facts, later, *lost);
  if (token < 0 || lost->number("token") <= token || request == nullptr) return {};
  return fmt::format(
      "The resource accepted {}'s write with token {} at {}: it had seen no higher one, as {}'s "
      "write with token {}, sent at {}, came at {}.",
      brief(earlier), token, milliseconds(accepted->at), brief(later), lost->number("token"),
      milliseconds(facts.events()[request->sent].at), milliseconds(lost->at));
}

}  // namespace lockstep::reports
