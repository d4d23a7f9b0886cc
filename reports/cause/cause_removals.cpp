// Holds that a request took away: another owner's, or its own by mistake.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/cause/loss_teller.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// How a request ended a hold.
class RemovalExplainer : private LossTeller {
 public:
  using LossTeller::LossTeller;

  Cause tell() {
    explain();
    return std::move(cause_);
  }

 private:
  void explain();
  [[nodiscard]] std::string why_so_late(const std::string& by) const;
  [[nodiscard]] bool has_lost_reply(std::string_view label, sim::TimeNs from_ns) const;
};

void RemovalExplainer::explain() {
  const Event* const command = facts_.command_at(*hold_period_.lost);
  const std::string by(event_.text("by"));
  const std::string what =
      command == nullptr ? brief(event_.text("cause")) : brief(command->text("label"));
  const std::string node = facts_.actor_of(command == nullptr ? event_ : *command);
  cause_.kind = CauseKind::removed;
  cause_.culprit = brief(by);
  cause_.operation = what;
  cause_.server = node;
  if (by == owner_) {
    std::string sentence = fmt::format(
        "{}'s own {}, executed on {} at {}{}, gave up its last hold while it still believed that "
        "it had the lock{}",
        who_, what, node, when_, given_up_asking(facts_, owner_, what, *hold_period_.lost),
        attempt_undone(facts_, owner_, what, *hold_period_.lost));
    const sim::TimeNs taken_ns = facts_.events()[hold_period_.taken].at;
    const std::string disruptions =
        facts_.disruptions(owner_, taken_ns, event_.at, event_.text("lock"));
    const bool was_unheard = has_lost_reply(what, taken_ns);
    if (!disruptions.empty()) {
      sentence +=
          fmt::format("; before that {}{}", disruptions, was_unheard ? ", and it asked again" : "");
    }
    const std::string takings = unlike_takings(facts_, owner_, *hold_period_.lost);
    if (!takings.empty()) sentence += fmt::format("; it had taken it {}", takings);
    const std::optional<Cause> uncounted = explain_uncounted(facts_, owner_, event_.at);
    if (uncounted && uncounted->at_ns >= taken_ns) cause_.says.push_back(uncounted->says.front());
    if (was_unheard) cause_.kind = CauseKind::executed_twice;
    return cause_.says.push_back(sentence + ".");
  }
  say("{}'s {}, executed on {} at {}, took the lock from {}{}{}{}.", brief(by), what, node, when_,
      who_, command == nullptr ? std::string() : lateness_of(facts_, *command), why_so_late(by),
      own_lease_over(facts_, owner_, hold_period_));
}

/// Whether its owner never heard of such a request of its own that was executed before.
bool RemovalExplainer::has_lost_reply(std::string_view label, sim::TimeNs from_ns) const {
  const auto& all = facts_.messages().all();
  return std::any_of(all.begin(), all.end(), [&](const TraceMessage& message) {
    const sim::TimeNs sent_ns = facts_.events()[message.sent].at;
    return facts_.is_of(message.on_behalf_of, owner_) && message.fate == Fate::lost &&
           replied_label(message.label) == label && sent_ns >= from_ns && sent_ns < event_.at;
  });
}

/// "; a/1's own hold had ended at 2 ms, while a was paused from 1 ms to 3 ms": of who gave back
/// what was its own no more. Empty: it never was, or it takes the lock.
std::string RemovalExplainer::why_so_late(const std::string& by) const {
  if (event_.text("cause") == "acquire") return {};
  const std::vector<HoldPeriod> own =
      facts_.hold_periods(by, event_.text("lock"), *hold_period_.lost);
  if (own.empty() || !own.back().lost) return {};
  const Event& ended = facts_.events()[*own.back().lost];
  if (ended.text("by") == by) return {};
  const std::string process = facts_.group_of(by);
  const std::string pause = facts_.pause_at(process, ended.at);
  return fmt::format("; {}'s own hold had ended at {}{}", brief(by), milliseconds(ended.at),
                     pause.empty()
                         ? std::string()
                         : fmt::format(", while {} was paused {}", brief(process), pause));
}

}  // namespace

Cause explain_removal(const CauseFacts& facts, const std::string& owner, const HoldPeriod& lost) {
  return RemovalExplainer(facts, owner, lost).tell();
}

}  // namespace lockstep::reports
