#include <string_view>

#include "reports/cause/cause.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {

std::string_view to_string(CauseKind kind) {
  switch (kind) {
    case CauseKind::lease_ended:
      return "lease-ended";
    case CauseKind::lease_shortened:
      return "lease-shortened";
    case CauseKind::clock:
      return "clock";
    case CauseKind::removed:
      return "removed";
    case CauseKind::erased:
      return "erased";
    case CauseKind::lost_by_server:
      return "lost-by-server";
    case CauseKind::old_master:
      return "old-master";
    case CauseKind::believed_refused:
      return "believed-refused";
    case CauseKind::unknown_grant:
      return "unknown-grant";
    case CauseKind::granted_beside:
      return "granted-beside";
    case CauseKind::executed_twice:
      return "executed-twice";
    case CauseKind::late_reply:
      return "late-reply";
    case CauseKind::split_vote:
      return "split-vote";
    case CauseKind::message_lost:
      return "message-lost";
    case CauseKind::never_woken:
      return "never-woken";
    case CauseKind::late_return:
      return "late-return";
    case CauseKind::woken_one_lost:
      return "woken-one-lost";
    case CauseKind::left_behind:
      return "left-behind";
    case CauseKind::held:
      return "held";
    case CauseKind::waits_for_itself:
      return "waits-for-itself";
    case CauseKind::place_lost:
      return "place-lost";
    case CauseKind::overtaken:
      return "overtaken";
    case CauseKind::count_wrong:
      return "count-wrong";
    case CauseKind::answer_untrue:
      return "answer-untrue";
    case CauseKind::unknown:
      return "unknown";
  }
  return "";
}

std::string_view quoted_in(std::string_view text) {
  const std::size_t begin = text.find('"');
  if (begin == std::string_view::npos) return {};
  const std::size_t end = text.find('"', begin + 1);
  return end == std::string_view::npos ? std::string_view()
                                       : text.substr(begin + 1, end - begin - 1);
}

void note_command(Cause& cause, const CauseFacts& facts, const CauseFacts::Event& command) {
  cause.culprit = brief(command.text("on_behalf_of"));
  cause.operation = brief(command.text("label"));
  cause.server = facts.actor_of(command);
  cause.at_ns = command.at;
}

}  // namespace lockstep::reports
