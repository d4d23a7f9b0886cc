#include "model/lock/assumption.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, assumption_count> assumption_names = {
    "holds-within-lease",  "renewals-get-through", "writes-survive",  "keys-stay",
    "clocks-steady",       "executed-once",        "messages-arrive", "calls-answered",
    "calls-not-abandoned", "clients-survive"};

}  // namespace

std::string_view to_string(Assumption assumption) {
  return assumption_names[static_cast<std::size_t>(assumption)];
}

std::span<const std::string_view> assumption_words() { return assumption_names; }

std::optional<Assumption> assumption_from(std::string_view word) {
  const auto* const found = std::find(assumption_names.begin(), assumption_names.end(), word);
  if (found == assumption_names.end()) return std::nullopt;
  return static_cast<Assumption>(found - assumption_names.begin());
}

std::string_view as_long_as(Assumption assumption) {
  switch (assumption) {
    case Assumption::holds_within_lease:
      return "each hold ends within the lease that its caller asked for";
    case Assumption::renewals_get_through:
      return "no fault keeps a holder from renewing for a third of the lock's lease";
    case Assumption::writes_survive:
      return "no server loses a write that it has acknowledged";
    case Assumption::keys_stay:
      return "nobody but the lock removes its keys";
    case Assumption::clocks_steady:
      return "no clock steps, stops or drifts by more than is declared";
    case Assumption::executed_once:
      return "no request that is sent again is executed twice";
    case Assumption::messages_arrive:
      return "no message, connection or server fails";
    case Assumption::calls_answered:
      return "each call is answered, and not with a server's error";
    case Assumption::calls_not_abandoned:
      return "no caller gives up a call that goes on without it";
    case Assumption::clients_survive:
      return "no client's process ends";
  }
  return "";
}

std::string_view where_broken(Assumption assumption) {
  switch (assumption) {
    case Assumption::holds_within_lease:
      return "a hold outlasts the lease that its caller asked for";
    case Assumption::renewals_get_through:
      return "faults keep a holder from renewing for a third of the lock's lease";
    case Assumption::writes_survive:
      return "a server loses a write that it has acknowledged";
    case Assumption::keys_stay:
      return "somebody else removes the lock's keys";
    case Assumption::clocks_steady:
      return "a clock steps, stops or drifts by more than is declared";
    case Assumption::executed_once:
      return "a request that is sent again is executed twice";
    case Assumption::messages_arrive:
      return "a message, connection or server fails";
    case Assumption::calls_answered:
      return "a call gets no answer in time, or a server's error";
    case Assumption::calls_not_abandoned:
      return "a caller gives up a call that goes on without it";
    case Assumption::clients_survive:
      return "a client's process ends";
  }
  return "";
}

std::size_t AssumptionSet::size() const { return static_cast<std::size_t>(std::popcount(bits_)); }

std::string words_of(AssumptionSet assumptions) {
  std::string text;
  std::size_t left = assumptions.size();
  assumptions.visit([&](Assumption each) {
    --left;
    if (!text.empty()) text += left == 0 ? " and " : ", ";
    text += to_string(each);
  });
  return text;
}

}  // namespace lockstep::model
