// How permits came to be more or fewer than a semaphore says: event by event, what each owner took
// off its number, or added to those that are out, believed to have, and gave back.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "reports/trace/lock_state.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using checker::counted;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// What one owner took off a semaphore's number and has not yet believed in, and what it has
/// stopped believing in and not yet given back.
struct Account {
  std::int64_t taken = 0;
  std::int64_t to_give_back = 0;
  /// The request that gave back less than that.
  struct Partly {
    EventIndex at;
    std::int64_t back;
    std::int64_t of;
  };
  std::optional<Partly> partly = std::nullopt;
};

class PermitsExplainer {
 public:
  PermitsExplainer(const CauseFacts& facts, sim::TimeNs by_ns)
      : facts_(facts), by_ns_(by_ns), are_in_use_(knows_owners_of_permits(facts)) {}

  /// The first that does not add up.
  std::optional<Cause> tell() {
    for (index_ = 0; index_ < facts_.events().size() && !cause_; ++index_) {
      const Event& event = facts_.events()[index_];
      if (event.at > by_ns_) break;
      if (event.kind == kind::number_changed && are_in_use_) {
        numbers_[std::string(event.text("lock"))] = event.number("left");
      } else if (event.kind == kind::number_changed) {
        change(event);
      } else if (event.kind == kind::lock_changed) {
        change_owners(event);
      } else if (event.kind == kind::belief_began) {
        believe(event);
      } else if (event.kind == kind::step_completed && event.text("outcome") == "ok") {
        end_step(event);
      } else if (event.kind == kind::belief_ended && event.text("why") == "released") {
        const auto had = believed_.find(place_of(event));
        if (had != believed_.end()) account_of(event).to_give_back += std::exchange(had->second, 0);
      }
    }
    return std::move(cause_);
  }

 private:
  using Place = std::pair<std::string, std::string>;  // owner, lock

  Account& account_of(const Event& event) { return accounts_[place_of(event)]; }
  /// Of what a thread tells of itself.
  [[nodiscard]] Place place_of(const Event& event) const {
    return {facts_.owner_of(facts_.actor_of(event)), std::string(event.text("lock"))};
  }
  void change(const Event& event);
  void change_owners(const Event& event);
  void take(const Event& event, std::int64_t before);
  void believe(const Event& event);
  void end_step(const Event& event);
  void note_request_of(std::string_view who);
  template <typename... Values>
  void say(CauseKind cause_kind, std::string_view culprit, std::string_view label,
           fmt::format_string<Values...> format, Values&&... values) {
    Cause cause;
    cause.kind = cause_kind;
    cause.culprit = brief(culprit);
    cause.operation = brief(label);
    cause.at_ns = facts_.events()[index_].at;
    cause.says.push_back(fmt::format(format, std::forward<Values>(values)...));
    cause_ = std::move(cause);
  }

  const CauseFacts& facts_;
  sim::TimeNs by_ns_;
  const bool are_in_use_;  // it is known who has each
  EventIndex index_ = 0;
  std::map<std::string, std::int64_t, std::less<>> numbers_;  // by lock; -1: none
  std::map<Place, std::int64_t> out_;                         // of permits in use
  std::map<Place, Account> accounts_;
  std::map<Place, std::int64_t> believed_;
  std::optional<Cause> cause_;
};

void PermitsExplainer::change(const Event& event) {
  const std::string lock(event.text("lock"));
  const auto known = numbers_.find(lock);
  const std::int64_t before = known == numbers_.end() ? -1 : known->second;
  numbers_[lock] = event.number("left");
  if (!event.text("by").empty()) return take(event, before);
  const std::string fault = facts_.fault_at(index_);
  const std::string shard = facts_.group_of(facts_.actor_of(event));
  const bool is_of_a_node = facts_.change_of_a_node_at(event.at, shard) != nullptr;
  if (before < 0 || event.number("left") >= 0 || fault.empty() || is_of_a_node) return;
  say(CauseKind::erased, {}, {},
      "The number of \"{}\" was deleted on {} at {}, when it stood at {} (the fault: {}).",
      brief(lock), facts_.actor_of(event), milliseconds(event.at), before, fault);
  if (cause_) cause_->server = facts_.actor_of(event);
}

/// A script added permits to those that are out, or removed some. Where they were too many it is
/// told after the number of those that are left.
void PermitsExplainer::change_owners(const Event& event) {
  const std::string lock(event.text("lock"));
  const std::string by = brief(event.text("by"));
  const Place place{by, lock};
  const std::int64_t had = out_[place];
  std::erase_if(out_, [&lock](const auto& each) { return each.first.second == lock; });
  std::int64_t out = 0;
  for (const Holder& holder : holders_from(event.text("holders"))) {
    out_[{brief(holder.owner), lock}] += holder.count;
    out += holder.count;
  }
  const std::int64_t has = out_[place];
  if (by.empty() || has == had) return;
  Account& account = accounts_[place];
  if (has < had) {
    const std::int64_t back = had - has;
    // Of what had ended by itself nothing is left to give back.
    if (back < account.to_give_back && has > 0) {
      account.partly = {index_, back, account.to_give_back};
    }
    account.taken -=
        std::min(account.taken, std::max<std::int64_t>(0, back - account.to_give_back));
    account.to_give_back = std::max<std::int64_t>(0, account.to_give_back - back);
    return;
  }
  account.taken += has - had;
  // A first change to -1 is not told.
  const std::int64_t left = numbers_.try_emplace(lock, -1).first->second;
  if (left >= 0) return;
  const Event* const command = facts_.command_at(index_);
  const std::string label(command == nullptr ? std::string_view("acquire")
                                             : command->text("label"));
  const std::string node = facts_.actor_of(event);
  const std::int64_t before = out - (has - had);
  say(CauseKind::count_wrong, by, label,
      "{}'s {}, executed on {} at {}, took {} of \"{}\", though {} of the {} that there are {} "
      "out.",
      by, brief(label), node, milliseconds(event.at), counted(has - had, "permit"), brief(lock),
      before, out + left, before == 1 ? "was" : "were");
  cause_->server = node;
}

/// A script took some off, or gave some back.
void PermitsExplainer::take(const Event& event, std::int64_t before) {
  const std::int64_t left = event.number("left");
  if (before < 0 || left < 0) return;  // it was made, or deleted
  const std::string by = brief(event.text("by"));
  Account& account = accounts_[{by, std::string(event.text("lock"))}];
  if (left < before) {
    account.taken += before - left;
    return;
  }
  const std::int64_t back = left - before;
  // What it took and does not believe to have it may give back: a request that came too late.
  const std::int64_t known = account.to_give_back + account.taken;
  if (back > known) {
    const Event* const command = facts_.command_at(index_);
    const std::string label(command == nullptr ? std::string_view("release")
                                               : command->text("label"));
    const std::string node = facts_.actor_of(event);
    say(CauseKind::count_wrong, by, label,
        "{}'s {}, executed on {} at {}, gave {} of \"{}\" back, though {} had {}.", by,
        brief(label), node, milliseconds(event.at), counted(back, "permit"),
        brief(event.text("lock")), by, known == 0 ? std::string("none") : std::to_string(known));
    cause_->server = node;
    return;
  }
  if (back < account.to_give_back) account.partly = {index_, back, account.to_give_back};
  account.taken -= std::max<std::int64_t>(0, back - account.to_give_back);
  account.to_give_back = std::max<std::int64_t>(0, account.to_give_back - back);
}

void PermitsExplainer::believe(const Event& event) {
  const std::string who = place_of(event).first;
  const std::int64_t permits = event.number("permits", 1);
  Account& account = account_of(event);
  believed_[place_of(event)] += permits;
  // Who gives back a part keeps the others.
  const std::int64_t kept =
      std::clamp<std::int64_t>(permits - account.taken, 0, account.to_give_back);
  account.to_give_back -= kept;
  account.taken += kept;
  if (account.taken < permits) {
    const bool has_none = account.taken == 0;
    const std::string own = has_none ? "none" : fmt::format("only {}", account.taken);
    say(has_none ? CauseKind::believed_refused : CauseKind::count_wrong, who, {},
        "{} took {} of \"{}\" for its own at {}, but {}.", who, counted(permits, "permit"),
        brief(event.text("lock")), milliseconds(event.at),
        are_in_use_ ? fmt::format("{} of those that were out {} added for it", own,
                                  account.taken > 1 ? "were" : "was")
                    : fmt::format("{} had been taken off the number for it", own));
    // Whether one is over may go by it.
    if (are_in_use_) {
      cause_->says.push_back(wall_clock_in_words(facts_, facts_.group_of(who), event.at));
    }
    return note_request_of(who);
  }
  account.taken -= permits;
}

/// A step that gave back, and is done: in one request, or in several.
void PermitsExplainer::end_step(const Event& event) {
  for (auto& [place, account] : accounts_) {
    if (place.first != place_of(event).first || !account.partly) continue;
    const Account::Partly partly = *std::exchange(account.partly, std::nullopt);
    if (account.to_give_back == 0) continue;
    const Event* const command = facts_.command_at(partly.at);
    if (command == nullptr) continue;
    const std::string label(command->text("label"));
    say(CauseKind::count_wrong, place.first, label,
        "{}'s {}, executed on {} at {}, gave {} of \"{}\" back, of the {} that it gave up.",
        brief(place.first), brief(label), facts_.actor_of(*command), milliseconds(command->at),
        counted(partly.back, "permit"), brief(place.second), partly.of);
    cause_->server = facts_.actor_of(*command);
    cause_->at_ns = command->at;
    return;
  }
}

/// The request by which a thread took what it believes in now: the last that wrote.
void PermitsExplainer::note_request_of(std::string_view who) {
  for (EventIndex index = index_; index-- > 0;) {
    const Event& event = facts_.events()[index];
    const bool is_its = event.kind == kind::command_executed && event.number("writes") > 0 &&
                        facts_.is_for(event, who);
    if (!is_its) continue;
    cause_->operation = brief(event.text("label"));
    cause_->server = facts_.actor_of(event);
    return;
  }
}

}  // namespace

bool knows_owners_of_permits(const CauseFacts& facts) {
  return std::any_of(facts.events().begin(), facts.events().end(),
                     [](const Event& event) { return event.kind == kind::lock_changed; });
}

std::optional<Cause> explain_permits(const CauseFacts& facts, sim::TimeNs by_ns) {
  return PermitsExplainer(facts, by_ns).tell();
}

}  // namespace lockstep::reports
