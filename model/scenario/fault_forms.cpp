#include "model/scenario/fault_forms.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockstep::model {
namespace {

constexpr std::array<std::string_view, 3> triggers = {"at", "when", "after"};
constexpr std::array<std::string_view, 1> for_key = {"for"};
constexpr std::array<std::string_view, 1> by_key = {"by"};
constexpr std::array<std::string_view, 1> rate_key = {"rate"};
constexpr std::array<std::string_view, 2> deletion_keys = {"on", "key"};
constexpr std::array<std::string_view, 3> message_keys = {"from", "to", "nth"};
constexpr std::array<std::string_view, 4> delay_keys = {"by", "from", "to", "nth"};

constexpr std::array forms = {
    FaultForm{FaultKind::pause, Theme::process, "pause", Onset::to_be_said, for_key,
              "a process stands still, for a while or for ever",
              R"(pause = "a", for = "15s", when = "a acquired")"},
    FaultForm{FaultKind::crash,
              Theme::process,
              "crash",
              Onset::to_be_said,
              {},
              "a process dies",
              R"(crash = "n1", at = "5s")"},
    FaultForm{FaultKind::restart,
              Theme::process,
              "restart",
              Onset::to_be_said,
              {},
              "a Redis node that ended starts anew, with what its disk has",
              R"(restart = "n1", when = "n1 crashed", after = "1s")"},
    FaultForm{FaultKind::promote,
              Theme::replication,
              "promote",
              Onset::to_be_said,
              {},
              "an operator makes a replica the master of its shard",
              R"(promote = "n1-replica-1", when = "n1 crashed")"},
    FaultForm{FaultKind::cut, Theme::network, "cut", Onset::from_the_start, for_key,
              "two hosts can't reach each other, for a while or for ever",
              R"(cut = ["n1", "n1-replica-1"], for = "5s", at = "1s")"},
    FaultForm{FaultKind::drop, Theme::message, "drop", Onset::from_the_start, message_keys,
              "a message is lost", R"(drop = "reply to acquire", to = "a")"},
    FaultForm{FaultKind::delay, Theme::message, "delay", Onset::from_the_start, delay_keys,
              "a message takes longer", R"(delay = "replication", by = "2s", nth = 3)"},
    FaultForm{FaultKind::reset, Theme::message, "reset", Onset::from_the_start, message_keys,
              "a connection breaks as a message is sent on it; the message is lost",
              R"(reset = "acquire", from = "a")"},
    FaultForm{FaultKind::clock_step, Theme::clock, "clock_step", Onset::to_be_said, by_key,
              "a host's wall clock jumps, forward or back",
              R"(clock_step = "n1", by = "-3s", at = "5s")"},
    FaultForm{FaultKind::clock_drift, Theme::clock, "clock_drift", Onset::from_the_start, rate_key,
              "a host's clocks run at another rate from then on",
              R"(clock_drift = "a", rate = "200ppm")"},
    FaultForm{FaultKind::delete_key, Theme::by_operator, "delete", Onset::to_be_said, deletion_keys,
              "an operator deletes a lock's key on a node",
              R"(delete = "lock", on = "n1", when = "a acquired")"},
    FaultForm{FaultKind::power_loss,
              Theme::process,
              "power_loss",
              Onset::to_be_said,
              {},
              "a Redis node's machine fails, and what is not synced to its disk is lost",
              R"(power_loss = "n1", when = "a acquired")"},
    FaultForm{FaultKind::shutdown,
              Theme::process,
              "shutdown",
              Onset::to_be_said,
              {},
              "a Redis node ends well, as on SIGTERM",
              R"(shutdown = "n1", at = "5s")"},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (static_cast<std::size_t>(forms[i].kind) != i) return false;
  }
  return true;
}
static_assert(is_in_order());

}  // namespace

std::span<const FaultForm> fault_forms() { return forms; }

const FaultForm& form_of(FaultKind kind) { return forms[static_cast<std::size_t>(kind)]; }

bool lasts(const FaultForm& form) {
  return std::find(form.keys.begin(), form.keys.end(), "for") != form.keys.end();
}

std::span<const std::string_view> trigger_keys() { return triggers; }

}  // namespace lockstep::model
