#include "reports/states/event_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/evidence.h"
#include "checker/verdict.h"
#include "reports/text.h"
#include "search/runs/run_record.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t field_characters_max = 160;

constexpr auto sentence_patterns = std::to_array<EventPattern>({
    {"message-sent",
     "sends {label} to {to}[?on_behalf_of: for {on_behalf_of}] (message {message})"},
    {"message-delivered", "gets {message}[?waits:, but is paused and reads it later]"},
    {"message-lost", "sent {message}, which is lost: {why}"},
    {"message-delayed", "sent {message}, which is delayed by {by_ns}"},
    {"message-held", "sent {message}, which is held back for at most {at_most_ns}"},
    {"message-let-go", "sent {message}, which goes on now"},
    {"connection-opening", "opens connection {connection} to {to}"},
    {"connection-opened", "has connection {connection} open"},
    {"connection-refused", "is refused connection {connection}"},
    {"connection-closed", "has connection {connection} closed: {why}"},
    {"network-cut", "the network between {one} and {other} is cut"},
    {"network-healed", "the network between {one} and {other} is healed"},
    {"direction-cut", "what {from} sends to {to} is held back"},
    {"direction-healed", "what {from} sends to {to} arrives again"},
    {"link-slowed", "the link between {one} and {other} is slower by {by_ns}"},
    {"process-paused", "is paused[?for_ns: for {for_ns}]"},
    {"process-resumed", "goes on"},
    {"process-crashed", "crashes"},
    {"process-restarted", "starts again"},
    {"step-invoked", "begins: {step}"},
    {"step-completed", "has done: {step} ({outcome}[?detail:: {detail}])"},
    {"service-invoked", "asks the service to {kind} lock \"{lock}\"[?lease_ms: for {lease_ms} ms]"},
    {"service-completed", "has the service's answer: {outcome}"},
    {"belief-began", "believes from now on that it has lock \"{lock}\"[?mode: as a reader]"},
    {"belief-ended", "believes no longer that it has lock \"{lock}\": {why}"},
    {"call-timed-out", "has waited long enough for {label}, attempt {attempt}"},
    {"call-retried", "tries {label} again, attempt {attempt}"},
    {"call-queued", "has no connection for {label} now ({why}), which waits"},
    {"call-resent", "will send {label} again, on the next connection"},
    {"task-started", "starts task {task} {number}"},
    {"task-ended", "ends task {task} {number}: {why}"},
    {"client-failed", "fails: {error}"},
    {"client-logged", "says: {text}"},
    {"command-executed", "executes {label} ({command}[?arguments: {arguments}]): {reply}"},
    {"stream-applied", "has its master's stream up to {offset}"},
    {"dataset-loaded", "has loaded its master's data"},
    {"lock-changed", "has lock \"{lock}\" held by {holders} ({cause}[?by: of {by}])"},
    {"queue-changed", "has in the queue of lock \"{lock}\": {owners}"},
    {"number-changed", "has {left} of \"{lock}\" left"},
    {"node-promoted", "is master now, in place of {in_place_of}"},
    {"sentinel-event", "{event}[?about: {about}][?more: {more}]"},
    {"master-learnt", "takes {master} for the master[?from:, told by {from}]"},
    {"resource-read", "lets {by} read version {version}"},
    {"resource-written", "takes the write of {by}: version {version}, based on {based_on}"},
    {"resource-refused", "refuses a write of {by}: token {token} is older than {highest_token}"},
    {"fault-struck", "strike: {what}"},
    {"fault-ended", "are over: {what}"},
    {"run-ended", "the run ends: {why}"},
});

bool is_numbered_message(std::string_view kind) {
  return kind != sim::trace_kind::message_sent && kind.starts_with("message-");
}

}  // namespace

std::span<const EventPattern> event_patterns() { return sentence_patterns; }

EventWords::EventWords(const model::RecordedTrace& trace) : trace_(trace) {
  for (EventIndex i = 0; i < trace.events.size(); ++i) {
    if (trace.events[i].kind != sim::trace_kind::message_sent) continue;
    sent_.emplace(trace.events[i].number("message"), i);
  }
}

std::string EventWords::actor(EventIndex event) const {
  const sim::ActorId actor = trace_.events[event].actor;
  if (actor == sim::no_actor) return {};
  return brief(trace_.actors[static_cast<std::uint32_t>(actor)].name);
}

std::string EventWords::field(const model::RecordedEvent& event, std::string_view name) const {
  for (const auto& [field_name, value] : event.fields) {
    if (field_name != name) continue;
    const auto* const number = std::get_if<std::int64_t>(&value);
    if (number == nullptr) {
      const std::string& words = std::get<std::string>(value);
      const bool is_nobody = words.empty() && (name == "holders" || name == "owners");
      return is_nobody ? "nobody" : brief(words, field_characters_max);
    }
    if (!name.ends_with("_ns")) return std::to_string(*number);
    return *number < 0 ? std::string() : milliseconds_number(*number) + " ms";
  }
  return {};
}

std::string EventWords::message_in_words(const model::RecordedEvent& event) const {
  const auto sent = sent_.find(event.number("message"));
  if (sent == sent_.end()) return "message " + field(event, "message");
  return fmt::format("{} of {} (message {})", field(trace_.events[sent->second], "label"),
                     actor(sent->second), field(event, "message"));
}

std::string EventWords::fill(const model::RecordedEvent& event, std::string_view pattern) const {
  std::string text;
  while (!pattern.empty()) {
    if (pattern.starts_with("[?")) {
      const std::size_t colon = pattern.find(':');
      const std::size_t end = pattern.find(']');
      const std::string said = field(event, pattern.substr(2, colon - 2));
      if (!said.empty() && said != "0") {
        text += fill(event, pattern.substr(colon + 1, end - colon - 1));
      }
      pattern.remove_prefix(end + 1);
    } else if (pattern.front() == '{') {
      const std::size_t end = pattern.find('}');
      const std::string_view name = pattern.substr(1, end - 1);
      const bool is_message = name == "message" && is_numbered_message(event.kind);
      text += is_message ? message_in_words(event) : field(event, name);
      pattern.remove_prefix(end + 1);
    } else {
      text += pattern.front();
      pattern.remove_prefix(1);
    }
  }
  return text;
}

std::string EventWords::of(EventIndex index) const {
  const model::RecordedEvent& event = trace_.events[index];
  std::string text = actor(index);
  if (!text.empty()) text += ' ';
  const auto* const found =
      std::find_if(sentence_patterns.begin(), sentence_patterns.end(),
                   [&event](const EventPattern& each) { return each.kind == event.kind; });
  if (found != sentence_patterns.end()) return text + fill(event, found->pattern);
  text += brief(event.kind);
  for (const auto& [name, value] : event.fields) {
    const std::string said = field(event, name);
    if (!said.empty()) text.append(", ").append(brief(name)).append(": ").append(said);
  }
  return text;
}

std::optional<EventIndex> violation_event(const search::RunRecord& example) {
  const std::size_t events = example.trace.events.size();
  for (const checker::Verdict& verdict : example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated || events == 0) continue;
    std::uint64_t order = 0;
    for (const checker::Evidence& evidence : verdict.evidence) {
      const bool is_other =
          verdict.overlap_from_ns && evidence.from.at_ns != *verdict.overlap_from_ns;
      if (!is_other) order = std::max(order, evidence.from.order);
    }
    return std::min<std::size_t>(order == 0 ? 0 : order - 1, events - 1);
  }
  return std::nullopt;
}

}  // namespace lockstep::reports
