// Requests that undo an attempt at a lock: it came to nothing, or nobody waits for it any more.
// What its owner has taken meanwhile may go with it.
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

/// "try_lock" of the step "try_lock wait=60s".
std::string_view function_of(const Event& step) {
  const std::string_view text = step.text("step");
  return text.substr(0, text.find(' '));
}

bool is_giving_back(std::string_view function) {
  return function.find("unlock") != std::string_view::npos;
}

bool is_asking(std::string_view function) {
  return function.find("lock") != std::string_view::npos && !function.starts_with("is_") &&
         !is_giving_back(function);
}

/// Of the last call of the lock in which its thread was interrupted before, and which may go on in
/// the background. Others end with what they have asked for.
std::string attempt_given_up(const CauseFacts& facts, const std::string& owner,
                             std::string_view lock, EventIndex before) {
  const Event* begun = nullptr;
  std::string given_up;
  for (EventIndex index = 0; index < before; ++index) {
    const Event& event = facts.events()[index];
    if (!facts.is_by(event, owner)) continue;
    if (event.kind == model_kind::step_invoked) begun = &event;
    if (event.kind != model_kind::step_completed || begun == nullptr) continue;
    const std::string_view function = function_of(*begun);
    if (begun->text("lock") != lock) continue;
    if (is_giving_back(function)) given_up.clear();
    const bool is_given_up = event.text("detail").starts_with("INTERRUPTED");
    if (!is_given_up || !is_asking(function)) continue;
    given_up = fmt::format(
        ", and undid by that what its {}, begun at {} and given up at {}, had asked for", function,
        milliseconds(begun->at), milliseconds(event.at));
  }
  return given_up;
}

/// Whether the step under way then came to something.
bool is_granted(const CauseFacts& facts, const std::string& owner, EventIndex then) {
  for (EventIndex index = then; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    if (event.kind != model_kind::step_completed || !facts.is_by(event, owner)) continue;
    return event.text("outcome") == "ok";
  }
  return false;
}

}  // namespace

std::string attempt_undone(const CauseFacts& facts, const std::string& owner,
                           std::string_view label, EventIndex changed) {
  const TraceMessage* const request = request_behind(facts, owner, label, changed);
  const Event* const step =
      request == nullptr ? nullptr
                         : facts.last_of(model_kind::step_invoked, brief(owner), request->sent);
  if (step == nullptr) return {};
  const std::string_view function = function_of(*step);
  const std::string given_up =
      attempt_given_up(facts, owner, facts.events()[changed].text("lock"), request->sent);
  // Who is granted the lock in that call has nothing to undo of it.
  const bool is_of_older = !given_up.empty() && is_granted(facts, owner, request->sent);
  if (is_asking(function) && !is_of_older) {
    return fmt::format(", and undid by that what its {}, begun at {}, had asked for", function,
                       milliseconds(step->at));
  }
  return is_giving_back(function) ? std::string() : given_up;
}

}  // namespace lockstep::reports
