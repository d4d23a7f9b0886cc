// How a later grant came to have no higher token; and how a write came to the resource that its
// writer had no lock for any more: also where nobody believed in the lock when another had it, as
// of a validity that was over by then.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace kind = model::trace_kind;
using Event = CauseFacts::Event;
using checker::milliseconds;

/// "… with token 4 …" → 4.
std::optional<std::int64_t> token_in(std::string_view what) {
  constexpr std::string_view word = "with token ";
  const std::size_t at = what.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t token = 0;
  const char* const end = what.data() + what.size();
  const auto [rest, error] = std::from_chars(what.data() + at + word.size(), end, token);
  return error == std::errc() ? std::optional(token) : std::nullopt;
}

/// Whether one of the numbers in a reply is this one.
bool has_number(std::string_view reply, std::int64_t number) {
  constexpr std::string_view digits = "-0123456789";
  while (true) {
    const std::size_t from = reply.find_first_of(digits);
    if (from == std::string_view::npos) return false;
    reply.remove_prefix(from);
    const std::size_t length = std::min(reply.find_first_not_of(digits), reply.size());
    std::int64_t found = 0;
    const auto [rest, error] = std::from_chars(reply.data(), reply.data() + length, found);
    if (error == std::errc() && rest == reply.data() + length && found == number) return true;
    reply.remove_prefix(length);
  }
}

/// What two draws of a lock's tokens name both, and what has the name of the lock, their first key,
/// in it: "tokens:{lock}".
std::vector<std::string_view> counters_in(std::string_view earlier, std::string_view later) {
  std::vector<std::string_view> counters;
  const std::vector<std::string_view> words = words_of(later);
  for (const std::string_view word : words) {
    const bool is_its = word != words.front() && word.find(words.front()) != std::string_view::npos;
    if (is_its && has_word(earlier, word)) counters.push_back(word);
  }
  return counters;
}

class FencingExplainer {
 public:
  FencingExplainer(const CauseFacts& facts, const checker::Evidence& earlier,
                   const checker::Evidence& later)
      : facts_(facts),
        earlier_(token_of(earlier)),
        later_(token_of(later)),
        later_from_ns_(later.from.at_ns),
        later_granted_ns_(later.until.value_or(later.from).at_ns) {}

  std::optional<Cause> tell() {
    if (later_.drawn == nullptr && !find_older_draw()) return std::nullopt;
    if (earlier_.drawn == nullptr) return std::nullopt;
    cause_.victim = brief(later_.owner);
    note_command(cause_, facts_, *later_.drawn);
    cause_.before = std::to_string(earlier_.token);
    cause_.after = std::to_string(later_.token);
    if (!explain_older_draw() && !explain_erased_counter() && !explain_changed_counter() &&
        !explain_lost_counter() && !explain_early_draw()) {
      cause_.kind = CauseKind::count_wrong;
      say("{}; {}.", in_words(earlier_), in_words(later_));
    }
    tell_of_the_resource();
    return std::move(cause_);
  }

 private:
  /// A grant's token.
  struct Token {
    std::string owner;
    std::int64_t token = 0;
    const Event* drawn = nullptr;  // the command that issued it; null if the trace lacks it
  };

  template <typename... Values>
  void say(fmt::format_string<Values...> format, Values&&... values) {
    cause_.says.push_back(fmt::format(format, std::forward<Values>(values)...));
  }
  [[nodiscard]] Token token_of(const checker::Evidence& grant) const;
  [[nodiscard]] std::string in_words(const Token& token) const;
  [[nodiscard]] const Event* taken_since(const Token& token) const;
  bool find_older_draw();
  bool explain_older_draw();
  bool explain_erased_counter();
  bool explain_changed_counter();
  bool explain_lost_counter();
  bool explain_early_draw();
  void tell_of_the_resource();

  const CauseFacts& facts_;
  Token earlier_;
  Token later_;
  sim::TimeNs later_from_ns_;
  sim::TimeNs later_granted_ns_;
  const Event* given_ = nullptr;  // what the later grant was given in place of its token
  Cause cause_;
};

FencingExplainer::Token FencingExplainer::token_of(const checker::Evidence& grant) const {
  Token token{facts_.example().judged->names.text(grant.who), token_in(grant.what).value_or(0),
              nullptr};
  const checker::Moment granted = grant.until.value_or(grant.from);
  for (const Event& event : facts_.events()) {
    if (event.at > granted.at_ns) break;
    const bool is_its = event.kind == kind::command_executed && event.at >= grant.from.at_ns &&
                        facts_.is_for(event, token.owner) && event.number("writes") > 0;
    if (is_its && has_number(event.text("reply"), token.token)) token.drawn = &event;
  }
  return token;
}

/// "n1 gave a/1 token 4 at 1 ms".
std::string FencingExplainer::in_words(const Token& token) const {
  return fmt::format("{} gave {} token {} at {}", facts_.actor_of(*token.drawn), brief(token.owner),
                     token.token, milliseconds(token.drawn->at));
}

/// A token that its owner had from an earlier draw, and what this grant was answered.
bool FencingExplainer::find_older_draw() {
  for (const Event& event : facts_.events()) {
    if (event.at > later_granted_ns_) break;
    const bool is_its = event.kind == kind::command_executed && event.number("writes") > 0 &&
                        facts_.is_for(event, later_.owner);
    if (!is_its) continue;
    if (event.at >= later_from_ns_) {
      given_ = &event;
    } else if (has_number(event.text("reply"), later_.token)) {
      later_.drawn = &event;
    }
  }
  return given_ != nullptr && later_.drawn != nullptr;
}

bool FencingExplainer::explain_older_draw() {
  if (given_ == nullptr) return false;
  cause_.kind = CauseKind::count_wrong;
  cause_.operation = brief(given_->text("label"));
  cause_.server = facts_.actor_of(*given_);
  cause_.at_ns = given_->at;
  cause_.before = brief(given_->text("reply"));
  cause_.after = std::to_string(later_.token);
  say("{} took the lock for its own at {} with token {}, which is from its {} at {}; the reply to "
      "its {}, executed on {} at {}, was {}.",
      brief(later_.owner), milliseconds(later_granted_ns_), later_.token,
      brief(later_.drawn->text("label")), milliseconds(later_.drawn->at), cause_.operation,
      cause_.server, milliseconds(given_->at), cause_.before);
  return true;
}

/// Where the counter was deleted in between: with all data, or by its name.
bool FencingExplainer::explain_erased_counter() {
  const std::string server = facts_.actor_of(*later_.drawn);
  if (facts_.actor_of(*earlier_.drawn) != server) return false;
  for (const Event& event : facts_.events()) {
    const bool is_between = event.at >= earlier_.drawn->at && event.at <= later_.drawn->at;
    if (event.kind != kind::fault_struck || !is_between || event.text("target") != server) continue;
    const std::string_view what = event.text("what");
    const bool is_flush = what.starts_with("flush all");
    // "delete 'counter' of 'lock' on n1": another key than the lock's own.
    const bool is_by_name = (what.starts_with("delete ") || what.starts_with("evict ")) &&
                            what.find("' of '") != std::string_view::npos;
    if (!is_flush && !is_by_name) continue;
    cause_.kind = CauseKind::erased;
    cause_.culprit.clear();
    cause_.operation.clear();
    cause_.server = server;
    cause_.at_ns = event.at;
    say("The tokens' counter was deleted on {} at {} (the fault: {}): {}, and {}.", server,
        milliseconds(event.at), brief(what, 200), in_words(earlier_), in_words(later_));
    return true;
  }
  return false;
}

/// Where a client's command named the counter in between and wrote, and drew no token.
bool FencingExplainer::explain_changed_counter() {
  const std::string server = facts_.actor_of(*later_.drawn);
  if (later_.drawn <= earlier_.drawn || facts_.actor_of(*earlier_.drawn) != server) return false;
  const std::vector<std::string_view> counters =
      counters_in(earlier_.drawn->text("arguments"), later_.drawn->text("arguments"));
  for (const Event* event = later_.drawn - 1; event > earlier_.drawn; --event) {
    const bool is_write = event->kind == kind::command_executed && event->number("writes") > 0 &&
                          facts_.actor_of(*event) == server;
    if (!is_write || event->text("label") == later_.drawn->text("label")) continue;
    const std::string_view arguments = event->text("arguments");
    const bool names_it =
        std::any_of(counters.begin(), counters.end(),
                    [&](std::string_view counter) { return has_word(arguments, counter); });
    if (!names_it) continue;
    cause_.kind = CauseKind::erased;
    note_command(cause_, facts_, *event);
    say("{}'s {}, executed on {} at {}, changed the tokens' counter: {}, and {}.", cause_.culprit,
        cause_.operation, server, milliseconds(event->at), in_words(earlier_), in_words(later_));
    return true;
  }
  return false;
}

/// Where another server began to count in between, which had not seen the last counts.
bool FencingExplainer::explain_lost_counter() {
  const Event* const successor = facts_.successor_from(earlier_.drawn->at);
  if (successor == nullptr || successor->at > later_.drawn->at) return false;
  if (facts_.actor_of(*successor) != facts_.actor_of(*later_.drawn)) return false;
  cause_.kind = CauseKind::lost_by_server;
  cause_.server = facts_.actor_of(*successor);
  cause_.at_ns = successor->at;
  const bool is_promoted = successor->kind == kind::node_promoted;
  say("{} {} at {} without the last counts of the tokens: {}, and {}.", cause_.server,
      is_promoted ? "became master" : "came back", milliseconds(successor->at), in_words(earlier_),
      in_words(later_));
  return true;
}

/// When the owner took the lock after it had drawn the token; null: it drew it with the lock.
const Event* FencingExplainer::taken_since(const Token& token) const {
  for (auto index = static_cast<EventIndex>(token.drawn - facts_.events().data());
       index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    const bool is_its = event.kind == kind::lock_changed && event.text("cause") == "acquire" &&
                        event.text("by") == token.owner;
    if (!is_its) continue;
    return facts_.command_at(index) == token.drawn ? nullptr : &event;
  }
  return nullptr;
}

/// Where it was drawn first and the lock taken afterwards, with another's in between.
bool FencingExplainer::explain_early_draw() {
  const Event* const taken = taken_since(later_);
  const bool is_drawn_first = later_.drawn->at <= earlier_.drawn->at;
  if (taken == nullptr || !is_drawn_first) return false;
  cause_.kind = CauseKind::overtaken;
  say("{} drew token {} at {} (its {}, executed on {}) before it had the lock, which it got at {}; "
      "{} drew the higher token {} at {} and was served first.",
      brief(later_.owner), later_.token, milliseconds(later_.drawn->at), cause_.operation,
      facts_.actor_of(*later_.drawn), milliseconds(taken->at), brief(earlier_.owner),
      earlier_.token, milliseconds(earlier_.drawn->at));
  return true;
}

/// How the resource treated the two tokens: which it accepted, and which it refused.
void FencingExplainer::tell_of_the_resource() {
  const Event* accepted = nullptr;  // of one who had no lock any more
  const Event* refused = nullptr;   // of one who had it
  for (EventIndex index = 0; index < facts_.events().size(); ++index) {
    const Event& event = facts_.events()[index];
    const std::string by = facts_.owner_of(event.text("by"));
    const bool is_of_these = by == earlier_.owner || by == later_.owner;
    const bool is_write = event.kind == kind::resource_written;
    if ((!is_write && event.kind != kind::resource_refused) || !is_of_these) continue;
    if (event.at < later_.drawn->at) continue;
    const Event* const state = facts_.state_before(index, {});
    const std::vector<Holder> holders =
        state == nullptr ? std::vector<Holder>() : holders_from(state->text("holders"));
    if (is_write && !holders.empty() && !holds(holders, by)) accepted = &event;
    if (!is_write && holds(holders, by)) refused = &event;
  }
  if (accepted != nullptr) {
    say("The resource accepted {}'s write with token {} at {}, though {} had no lock any more.",
        brief(accepted->text("by")), accepted->number("token"), milliseconds(accepted->at),
        brief(accepted->text("by")));
  }
  const auto& verdicts = facts_.example().verdicts;
  const bool is_harmless =
      std::any_of(verdicts.begin(), verdicts.end(), [](const checker::Verdict& verdict) {
        return verdict.property == checker::Property::harm &&
               verdict.kind == checker::VerdictKind::holds;
      });
  if (refused == nullptr) return;
  say("{} refused {}'s write with token {} at {}, though {} had the lock: it had seen token {}.",
      accepted == nullptr ? "The resource" : "It", brief(refused->text("by")),
      refused->number("token"), milliseconds(refused->at), brief(refused->text("by")),
      refused->number("highest_token"));
  if (is_harmless) say("No update was lost by that, so harm holds.");
}

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

std::optional<Cause> explain_fencing(const CauseFacts& facts, const checker::Evidence& earlier,
                                     const checker::Evidence& later) {
  return FencingExplainer(facts, earlier, later).tell();
}

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
