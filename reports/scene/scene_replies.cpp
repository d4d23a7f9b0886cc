#include "reports/scene/scene_replies.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "checker/text.h"
#include "reports/text.h"
#include "sim/time.h"

namespace lockstep::reports {
namespace {

/// A node's clock counts whole milliseconds, and the reply is as old as the script that made it.
constexpr std::int64_t lease_tolerance_ms = 2;

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string refusal_in_words(const Answer& answer) {
  std::string words = "refused";
  const auto number = whole_number(answer.raw);
  const bool is_what_is_left = number && answer.others_left_ms >= 0 &&
                               std::abs(*number - answer.others_left_ms) <= lease_tolerance_ms;
  if (is_what_is_left) {
    words += ", " + checker::milliseconds(*number * sim::millisecond_ns) + " left";
  }
  if (answer.has_queued) words += ", queued";
  return words;
}

}  // namespace

void CommandRoles::learn(std::string_view label, CommandEffect effect, std::string_view raw) {
  Seen& seen = seen_[std::string(label)];
  if (effect == CommandEffect::granted) seen.replies_of_grants.emplace(raw);
  seen.asks = seen.asks || effect == CommandEffect::granted;
  seen.gives_back = seen.gives_back || effect == CommandEffect::released;
  seen.renews = seen.renews || effect == CommandEffect::renewed ||
                effect == CommandEffect::set_anothers_lease;
}

CommandRole CommandRoles::of(std::string_view label) const {
  const auto found = seen_.find(label);
  if (found == seen_.end()) return CommandRole::unknown;
  const Seen& seen = found->second;
  if (seen.asks && seen.gives_back) return CommandRole::unknown;
  if (seen.asks) return CommandRole::asks;  // asking for what one has may renew it
  if (seen.gives_back) return CommandRole::gives_back;
  return seen.renews ? CommandRole::renews : CommandRole::unknown;
}

bool CommandRoles::is_reply_of_grants(std::string_view label, std::string_view raw) const {
  const auto found = seen_.find(label);
  return found != seen_.end() && found->second.replies_of_grants.contains(raw);
}

bool is_made_good(const Answer& answer) {
  const std::string_view raw = answer.raw;
  return raw.starts_with("error: NOSCRIPT") || raw.starts_with("error: MOVED") ||
         raw.starts_with("error: ASK");
}

/// Who had it may be refused too: what it was granted, and did not hear of, still stands.
bool is_refused_attempt(const Answer& answer, CommandRole role) {
  if (role != CommandRole::asks || !was_ineffective(answer) || is_error(answer)) return false;
  return !answer.had_it || !answer.is_reply_of_grants;
}

std::string lease_set_by_another(std::string_view by, std::string_view owner, bool is_shorter) {
  return fmt::format("{} {} {}'s lease", brief(by), is_shorter ? "cuts" : "sets", brief(owner));
}

std::optional<std::string> reply_in_words(const Answer& answer, CommandRole role) {
  switch (answer.effect) {
    case CommandEffect::granted:
      return "granted";
    case CommandEffect::granted_again:
      return "granted again";
    case CommandEffect::renewed:
      return "renewed";
    case CommandEffect::released:
      return "released";
    case CommandEffect::released_once:
      return "released once";
    case CommandEffect::took_away:
      return "freed " + brief(answer.taken_from) + "'s";
    case CommandEffect::set_anothers_lease:
      return "set " + brief(answer.taken_from) + "'s lease";
    case CommandEffect::counted:
      if (answer.left < 0) return std::nullopt;
      return fmt::format("{} left", answer.left);
    case CommandEffect::none:
      break;
  }
  if (is_error(answer)) return std::nullopt;
  // On a copy that counts no more, or at a node of a quorum where its owner had it.
  const bool is_granted = answer.is_reply_of_grants && answer.has_written && !answer.has_queued;
  if (role == CommandRole::asks && is_granted) return "granted";
  if (is_refused_attempt(answer, role)) return refusal_in_words(answer);
  const bool is_ineffective = was_ineffective(answer) && !answer.had_it;
  const bool needs_it = role == CommandRole::gives_back || role == CommandRole::renews;
  if (needs_it && is_ineffective) return "not held";
  if (answer.command == "PUBLISH") {
    if (const auto number = whole_number(answer.raw)) return fmt::format("{} told", *number);
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
