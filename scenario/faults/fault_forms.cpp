#include "scenario/faults/fault_forms.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace lockstep::scenario {
namespace {

constexpr std::array<std::string_view, 5> triggers = {"at", "when", "after", "before", "stays"};
constexpr std::array<std::string_view, 2> repetitions = {"every", "times"};
constexpr std::array<std::string_view, 1> for_key = {"for"};
constexpr std::array<std::string_view, 2> step_keys = {"by", "clock"};
constexpr std::array<std::string_view, 2> drift_keys = {"rate", "clock"};
constexpr std::array<std::string_view, 2> freeze_keys = {"for", "clock"};
constexpr std::array<std::string_view, 3> strobe_keys = {"by", "every", "for"};
constexpr std::array<std::string_view, 2> limit_keys = {"limit", "for"};
constexpr std::array<std::string_view, 4> postpone_keys = {"task", "reply", "by", "nth"};
constexpr std::array<std::string_view, 2> deletion_keys = {"on", "key"};
constexpr std::array<std::string_view, 2> by_for_keys = {"by", "for"};
constexpr std::array<std::string_view, 4> message_keys = {"from", "to", "nth", "times"};
constexpr std::array<std::string_view, 5> delay_keys = {"by", "from", "to", "nth", "times"};
constexpr std::array<std::string_view, 6> reorder_keys = {"behind", "from",  "to",
                                                          "nth",    "times", "at_most"};

constexpr std::array forms = {
    FaultForm{FaultKind::pause, Theme::process, "pause", DefaultOnset::must_be_given, for_key,
              "a process stands still, for a while or for ever",
              R"(pause = "a", for = "15s", when = "a acquired")"},
    FaultForm{FaultKind::crash,
              Theme::process,
              "crash",
              DefaultOnset::must_be_given,
              {},
              "a process dies",
              R"(crash = "n1", at = "5s")"},
    FaultForm{FaultKind::restart,
              Theme::process,
              "restart",
              DefaultOnset::must_be_given,
              {},
              "a Redis node that ended starts anew, with what its disk has",
              R"(restart = "n1", when = "n1 crashed", after = "1s")"},
    FaultForm{FaultKind::promote,
              Theme::replication,
              "promote",
              DefaultOnset::must_be_given,
              {},
              "an operator makes a replica the master of its shard",
              R"(promote = "n1-replica-1", when = "n1 crashed")"},
    FaultForm{FaultKind::cut, Theme::network, "cut", DefaultOnset::from_the_start, for_key,
              "two hosts can't reach each other, for a while or for ever",
              R"(cut = ["n1", "n1-replica-1"], for = "5s", at = "1s")"},
    FaultForm{FaultKind::drop, Theme::message, "drop", DefaultOnset::from_the_start, message_keys,
              "a message is lost", R"(drop = "reply to acquire", to = "a")"},
    FaultForm{FaultKind::delay, Theme::message, "delay", DefaultOnset::from_the_start, delay_keys,
              "a message takes longer", R"(delay = "replication", by = "2s", nth = 3)"},
    FaultForm{FaultKind::reset, Theme::message, "reset", DefaultOnset::from_the_start, message_keys,
              "a connection breaks as a message is sent on it; the message is lost",
              R"(reset = "acquire", from = "a")"},
    FaultForm{FaultKind::clock_step, Theme::clock, "clock_step", DefaultOnset::must_be_given,
              step_keys, "a host's clock jumps, forward or back",
              R"(clock_step = "n1", by = "-3s", at = "5s")"},
    FaultForm{FaultKind::clock_drift, Theme::clock, "clock_drift", DefaultOnset::from_the_start,
              drift_keys, "a host's clocks run at another rate from then on",
              R"(clock_drift = "a", rate = "200ppm")"},
    FaultForm{FaultKind::delete_key, Theme::by_operator, "delete", DefaultOnset::must_be_given,
              deletion_keys, "an operator deletes a lock's key on a node",
              R"(delete = "lock", on = "n1", when = "a acquired")"},
    FaultForm{FaultKind::power_loss,
              Theme::process,
              "power_loss",
              DefaultOnset::must_be_given,
              {},
              "a Redis node's machine fails, and what is not synced to its disk is lost",
              R"(power_loss = "n1", when = "a acquired")"},
    FaultForm{FaultKind::shutdown,
              Theme::process,
              "shutdown",
              DefaultOnset::must_be_given,
              {},
              "a Redis node ends well, as on SIGTERM",
              R"(shutdown = "n1", at = "5s")"},
    FaultForm{FaultKind::clock_freeze, Theme::clock, "clock_freeze", DefaultOnset::must_be_given,
              freeze_keys, "a host's clocks stand still, for a while or for ever",
              R"(clock_freeze = "n1", for = "10s", when = "a acquired")"},
    FaultForm{FaultKind::clock_strobe, Theme::clock, "clock_strobe", DefaultOnset::must_be_given,
              strobe_keys, "a host's wall clock jumps to and fro",
              R"(clock_strobe = "n1", by = "200ms", every = "10ms", for = "5s", at = "1s")"},
    FaultForm{FaultKind::clock_leap,
              Theme::clock,
              "clock_leap",
              DefaultOnset::must_be_given,
              {},
              "a leap second: a host's wall clock shows its last second once more",
              R"(clock_leap = "n1", at = "5s")"},
    FaultForm{FaultKind::evict, Theme::by_operator, "evict", DefaultOnset::must_be_given,
              deletion_keys, "a node evicts a lock's key, as because of maxmemory",
              R"(evict = "lock", on = "n1", when = "a acquired")"},
    FaultForm{FaultKind::flush_all,
              Theme::by_operator,
              "flush_all",
              DefaultOnset::must_be_given,
              {},
              "an operator deletes all keys of a node",
              R"(flush_all = "n1", when = "a acquired")"},
    FaultForm{FaultKind::script_flush,
              Theme::by_operator,
              "script_flush",
              DefaultOnset::must_be_given,
              {},
              "an operator has a node forget all scripts",
              R"(script_flush = "n1", when = "a acquired")"},
    FaultForm{FaultKind::busy, Theme::by_operator, "busy", DefaultOnset::must_be_given, for_key,
              "a script runs away on a node: requests wait, and are refused in the end",
              R"(busy = "n1", for = "8s", when = "a acquired")"},
    FaultForm{FaultKind::max_clients, Theme::by_operator, "max_clients",
              DefaultOnset::from_the_start, limit_keys, "a node takes no more connections",
              R"(max_clients = "n1", limit = 2, for = "5s")"},
    FaultForm{FaultKind::interrupt,
              Theme::client,
              "interrupt",
              DefaultOnset::must_be_given,
              {},
              "what a thread waits for ends with an error; what was sent stays sent",
              R"(interrupt = "a/1", when = "a sent acquire")"},
    FaultForm{FaultKind::abandon,
              Theme::client,
              "abandon",
              DefaultOnset::must_be_given,
              {},
              "a thread goes on without the call that it made, and the call goes on by itself",
              R"(abandon = "a/1", at = "2s")"},
    FaultForm{FaultKind::postpone, Theme::client, "postpone", DefaultOnset::from_the_start,
              postpone_keys, "one callback of a client comes later than what came after it",
              R"(postpone = "a", task = "watchdog", by = "40s")"},
    FaultForm{FaultKind::slow, Theme::process, "slow", DefaultOnset::from_the_start, by_for_keys,
              "a process takes so long for each thing that it handles",
              R"(slow = "n1", by = "20ms", for = "5s")"},
    FaultForm{FaultKind::refuse, Theme::network, "refuse", DefaultOnset::from_the_start, for_key,
              "a host refuses new connections, and keeps those it has",
              R"(refuse = "n1", for = "5s", at = "1s")"},
    FaultForm{FaultKind::half_open,
              Theme::network,
              "half_open",
              DefaultOnset::must_be_given,
              {},
              "the second host forgets its connections with the first, which sends into the void",
              R"(half_open = ["a", "n1"], when = "a acquired")"},
    FaultForm{FaultKind::clog, Theme::network, "clog", DefaultOnset::from_the_start, by_for_keys,
              "every message between two hosts takes longer",
              R"(clog = ["a", "n1"], by = "2s", for = "10s")"},
    FaultForm{FaultKind::cut_one_way, Theme::network, "cut_one_way", DefaultOnset::from_the_start,
              for_key, "nothing comes from the first host to the second, for a while or for ever",
              R"(cut_one_way = ["a", "n1"], for = "5s", at = "1s")"},
    FaultForm{FaultKind::isolate, Theme::network, "isolate", DefaultOnset::from_the_start, for_key,
              "a host is cut off from everybody", R"(isolate = "n1", for = "5s", at = "1s")"},
    FaultForm{FaultKind::partition, Theme::network, "partition", DefaultOnset::from_the_start,
              for_key, "the hosts of each group reach only each other",
              R"(partition = [["a", "n1"], ["b", "n1-replica-1"]], for = "5s", at = "1s")"},
    FaultForm{FaultKind::ring, Theme::network, "ring", DefaultOnset::from_the_start, for_key,
              "each host hears a majority of them, no two the same",
              R"(ring = ["n1", "n1-replica-1", "n1-replica-2"], for = "5s", at = "1s")"},
    FaultForm{FaultKind::swizzle, Theme::network, "swizzle", DefaultOnset::from_the_start, for_key,
              "hosts are isolated one after the other, and healed in another order",
              R"(swizzle = ["n1", "n2", "n3"], for = "6s", at = "1s")"},
    FaultForm{FaultKind::reorder, Theme::message, "reorder", DefaultOnset::from_the_start,
              reorder_keys, "a message waits until another kind of its sender's has overtaken it",
              R"(reorder = "acquire", behind = "release", from = "a")"},
    FaultForm{FaultKind::lag, Theme::replication, "lag", DefaultOnset::from_the_start, by_for_keys,
              "a replica gets its master's stream later",
              R"(lag = "n1-replica-1", by = "2s", for = "10s")"},
    FaultForm{FaultKind::stall, Theme::replication, "stall", DefaultOnset::from_the_start, for_key,
              "a replica applies and acknowledges nothing, though its link stands",
              R"(stall = "n1-replica-1", for = "5s", at = "1s")"},
    FaultForm{FaultKind::disconnect, Theme::replication, "disconnect", DefaultOnset::from_the_start,
              for_key, "a replica loses its link, and opens no other before the end",
              R"(disconnect = "n1-replica-1", for = "5s", at = "1s")"},
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

const FaultForm* find_form(std::string_view word) {
  const auto* const found = std::find_if(
      forms.begin(), forms.end(), [word](const FaultForm& form) { return form.word == word; });
  return found != forms.end() ? found : nullptr;
}

std::vector<std::string_view> fault_words() {
  std::vector<std::string_view> words;
  for (const FaultForm& form : forms) words.push_back(form.word);
  return words;
}

bool lasts(const FaultForm& form) {
  return std::find(form.keys.begin(), form.keys.end(), "for") != form.keys.end();
}

std::span<const std::string_view> trigger_keys() { return triggers; }

std::span<const std::string_view> repetition_keys(const FaultForm& form) {
  if (form.theme == Theme::message) return {};
  return repetitions;
}

}  // namespace lockstep::scenario
