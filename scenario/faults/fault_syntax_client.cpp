// Faults within one client's process.
#include <fmt/format.h>

#include "scenario/faults/fault_syntax.h"
#include "scenario/located_numbers.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::int64_t callback_nth_max = 1'000'000;

/// A thread by its name, or the only one of a client.
std::string read_thread(const FaultParse& text) {
  const LocatedText name = text.subject();
  const Participant& member = text.participants.actor(name);
  if (member.role == ParticipantKind::thread) return member.name;
  if (member.role != ParticipantKind::client) {
    name.complain(
        fmt::format("{} is no client's thread; expected one as in 'a/1'", in_quotes(member.name)));
  }
  const std::size_t threads = text.scenario.clients[member.number].threads.size();
  if (threads > 1) {
    name.complain(fmt::format("{} has {} threads; expected one of them, as in '{}/1'",
                              in_quotes(member.name), threads, member.name));
  }
  return fmt::format("{}/1", member.name);
}

void read_postponement(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  const Participant& member = text.participants.process(text.subject());
  if (member.role != ParticipantKind::client) {
    text.subject().complain(fmt::format("{} is no client", in_quotes(member.name)));
  }
  fault.target = member.name;
  const auto task = text.table.text("task");
  const auto reply = text.table.text("reply");
  if (task.has_value() == reply.has_value()) {
    throw InputError(fault.place,
                     "a postponement is of one callback; expected either 'task' with the name of a "
                     "task, or 'reply' with the name of a script or command");
  }
  const LocatedText name = task ? *task : *reply;
  if (name.words().empty()) name.complain("the callback is not named; expected as in 'watchdog'");
  fault.callback = task ? CallbackKind::task : CallbackKind::reply;
  fault.callback_name = name.text;
  fault.nth =
      static_cast<std::uint32_t>(text.table.whole_number("nth", {1, callback_nth_max}).value_or(1));
  read_by(text, DurationSign::positive, "2s");
}

}  // namespace

void read_client_fault(const FaultParse& text) {
  if (text.form.kind == FaultKind::postpone) return read_postponement(text);
  text.fault.target = read_thread(text);
}

std::string describe_client_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::interrupt:
      return fmt::format("interrupt {}", fault.target);
    case FaultKind::abandon:
      return fmt::format("let {} abandon its call", fault.target);
    default:
      break;
  }
  const std::string nth = fault.nth == 1 ? "" : fmt::format("{} ", format_ordinal(fault.nth));
  const std::string_view what = fault.callback == CallbackKind::task ? "task" : "reply to";
  return fmt::format("postpone the {}{} '{}' in {} by {}", nth, what, fault.callback_name,
                     fault.target, describe_by(fault));
}

}  // namespace lockstep::scenario
