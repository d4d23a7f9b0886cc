// Faults within one client's process.
#include <fmt/format.h>

#include "model/scenario/durations.h"
#include "model/scenario/fault_texts.h"
#include "model/scenario/placed_numbers.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

constexpr std::int64_t callback_nth_max = 1'000'000;

/// A thread by its name, or the only one of a client.
std::string read_thread(const FaultText& text) {
  const PlacedText name = text.subject();
  const CastMember& member = text.cast.actor(name);
  if (member.role == Role::thread) return member.name;
  if (member.role != Role::client) {
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

void read_postponement(const FaultText& text) {
  FaultSpec& fault = text.fault;
  const CastMember& member = text.cast.process(text.subject());
  if (member.role != Role::client) {
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
  const PlacedText name = task ? *task : *reply;
  if (name.words().empty()) name.complain("the callback is not named; expected as in 'watchdog'");
  fault.callback = task ? CallbackKind::task : CallbackKind::reply;
  fault.callback_name = name.text;
  fault.nth =
      static_cast<std::uint32_t>(text.table.whole_number("nth", {1, callback_nth_max}).value_or(1));
  read_by(text, DurationSign::positive, "2s");
}

}  // namespace

void read_client_fault(const FaultText& text) {
  if (text.form.kind == FaultKind::postpone) return read_postponement(text);
  text.fault.target = read_thread(text);
}

std::string tell_client_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::interrupt:
      return fmt::format("interrupt {}", fault.target);
    case FaultKind::abandon:
      return fmt::format("let {} abandon its call", fault.target);
    default:
      break;
  }
  const std::string nth = fault.nth == 1 ? "" : fmt::format("{} ", write_ordinal(fault.nth));
  const std::string_view what = fault.callback == CallbackKind::task ? "task" : "reply to";
  return fmt::format("postpone the {}{} '{}' in {} by {}", nth, what, fault.callback_name,
                     fault.target, tell_by(fault));
}

}  // namespace lockstep::model
