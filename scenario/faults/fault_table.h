// The table of all kinds of fault: everything about a kind but how it strikes (model/faults).
//
// A new kind is an enumerator of FaultKind and a row here. Most readers want fault_forms.h, which
// looks rows up; include this where something is to be checked at compile time for each kind.
#pragma once

#include <array>
#include <cstddef>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/milestones.h"

namespace lockstep::scenario {

/// When strikes mattered, in the words for what model/faults/strike_conditions.cpp asks.
namespace mattered {
inline constexpr std::string_view takes_time =
    "it outlasts a lease of whom it strikes, or makes a call fail or take a quarter of a lease, "
    "and "
    "another wants the lock before its owner is done with it; where a replica takes over: where "
    "that has not received a lock that somebody has";
inline constexpr std::string_view takes_time_of_a_number =
    "it makes somebody late by more than a tenth of a call's time-out while another waits for what "
    "that one has, or counts down; where a replica takes over: where that lacks what had been "
    "taken, or set";
inline constexpr std::string_view ends_process =
    "a client has the lock or asks for it, and another wants it then or later; of a node: where "
    "the "
    "node comes back without a lock that somebody has, or a replica takes over that has not "
    "received "
    "it, and another asks for it meanwhile; a node that comes back with the lock matters, too";
inline constexpr std::string_view ends_process_of_a_number =
    "whom it ends has taken something, or is to count down, and another waits for that; of a node: "
    "where what had been taken, or set, is lost, and somebody comes for it";
inline constexpr std::string_view loses_message =
    "the message is a request of a client or the answer to one, and another wants the lock before "
    "that client is done with it; of replication: where a replica takes over that has not received "
    "a lock that somebody has";
inline constexpr std::string_view turns_clock =
    "the client's belief or one of its calls ends sooner or later by it, and another wants the "
    "lock meanwhile; of a node: where a lease ends too soon by it, and another asks for the lock "
    "before its owner gives it back, or ends too late while another wants the lock";
inline constexpr std::string_view deletes =
    "a hold ends with the key, and another sends a request for the lock before its owner is done "
    "with it; where no hold ends: somebody waits";
inline constexpr std::string_view deletes_a_number =
    "permits that are left are lost and somebody wants some, or all are out and somebody sets them "
    "anew; of a latch: somebody comes to it afterwards";
inline constexpr std::string_view refuses =
    "a call for the lock fails or waits for want of a connection";
inline constexpr std::string_view strikes_call =
    "somebody whom it strikes has the lock or asks for it, and another wants it meanwhile";
inline constexpr std::string_view keeps_behind =
    "a replica takes over that has not received a lock that somebody has, or the lock is refused "
    "for want of a replica";
}  // namespace mattered

/// In the order of FaultKind.
inline constexpr std::array fault_table = {
    FaultForm{
        .kind = FaultKind::pause,
        .theme = Theme::process,
        .word = "pause",
        .target = {TargetKind::process, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::optionally},
        .amount = Amount::none,
        .milestone = Milestone::paused,
        .keys = {"for"},
        .phrase = "pause {target}",
        .summary = "a process stops running, for a while or for good",
        .example = R"(pause = "a", for = "15s", when = "a acquired")",
        .mattered = mattered::takes_time,
        .search = {.weight = 6, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::crash,
        .theme = Theme::process,
        .word = "crash",
        .target = {TargetKind::process, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .milestone = Milestone::crashed,
        .phrase = "crash {target}",
        .summary = "a process dies",
        .example = R"(crash = "n1", at = "5s")",
        .mattered = mattered::ends_process,
        .search = {.weight = 4, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::restart,
        .theme = Theme::process,
        .word = "restart",
        .target = {TargetKind::server, TargetState::down},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .milestone = Milestone::restarted,
        .phrase = "restart {target}",
        .summary = "a Redis node that is down starts again, with what is on its disk",
        .example = R"(restart = "n1", when = "n1 crashed", after = "1s")",
        .mattered =
            "the node comes back while somebody has a lock that it had; where it comes back "
            "without it, another asks for it meanwhile",
        .search = {.weight = 3, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::promote,
        .theme = Theme::replication,
        .word = "promote",
        .target = {TargetKind::replica, TargetState::replicating},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .milestone = Milestone::promoted,
        .phrase = "promote {target}",
        .summary = "an operator makes a replica the master of its shard",
        .example = R"(promote = "n1-replica-1", when = "n1 crashed")",
        .mattered =
            "the new master has not received a lock that somebody has, and another asks for it",
        .search = {.weight = 4, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::cut,
        .theme = Theme::network,
        .word = "cut",
        .target = {TargetKind::pair, TargetState::any, "the two that can't reach each other"},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "cut {target} off from {other}",
        .summary = "two hosts can't reach each other, for a while or for good",
        .example = R"(cut = ["n1", "n1-replica-1"], for = "5s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 3, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::drop,
        .theme = Theme::message,
        .word = "drop",
        .target = {TargetKind::message, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::no},
        .amount = Amount::none,
        .keys = {"from", "to", "nth", "times"},
        .phrase = "drop {message}",
        .summary = "a message is lost",
        .example = R"(drop = "reply to acquire", to = "a")",
        .mattered = mattered::loses_message,
        .search = {.weight = 4, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::delay,
        .theme = Theme::message,
        .word = "delay",
        .target = {TargetKind::message, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::no},
        .amount = Amount::duration,
        .keys = {"by", "from", "to", "nth", "times"},
        .phrase = "delay {message} by {by}",
        .summary = "a message takes longer",
        .example = R"(delay = "replication", by = "2s", nth = 3)",
        .mattered = mattered::takes_time,
        .search = {.weight = 4, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::reset,
        .theme = Theme::message,
        .word = "reset",
        .target = {TargetKind::message, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::no},
        .amount = Amount::none,
        .keys = {"from", "to", "nth", "times"},
        .phrase = "reset {message}",
        .summary = "a connection breaks as a message is sent on it; the message is lost",
        .example = R"(reset = "acquire", from = "a")",
        .mattered = mattered::loses_message,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clock_step,
        .theme = Theme::clock,
        .word = "clock_step",
        .target = {TargetKind::process, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::step,
        .keys = {"by", "clock"},
        .phrase = "step the {clock} of {target} by {by}",
        .summary = "a host's clock jumps, forward or back",
        .example = R"(clock_step = "n1", by = "-3s", at = "5s")",
        .mattered = mattered::turns_clock,
        .search = {.weight = 4, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clock_drift,
        .theme = Theme::clock,
        .word = "clock_drift",
        .target = {TargetKind::process, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::unseen},
        .amount = Amount::rate,
        .clock = ClockChoice::both,
        .keys = {"rate", "clock"},
        .phrase = "let the {clock} of {target} drift by {rate}",
        .summary = "a host's clocks run fast or slow from then on",
        .example = R"(clock_drift = "a", rate = "200ppm")",
        .mattered = mattered::turns_clock,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::delete_key,
        .theme = Theme::by_operator,
        .word = "delete",
        .target = {TargetKind::lock_key, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .keys = {"on", "key"},
        .phrase = "delete {key} on {target}",
        .summary = "an operator deletes a lock's key on a node",
        .example = R"(delete = "lock", on = "n1", when = "a acquired")",
        .mattered = mattered::deletes,
        .search = {.weight = 1, .explored = Explored::yes, .by_default = SearchDefault::spared}},
    FaultForm{
        .kind = FaultKind::power_loss,
        .theme = Theme::process,
        .word = "power_loss",
        .target = {TargetKind::node, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .milestone = Milestone::crashed,
        .phrase = "cut the power of {target}",
        .summary = "a Redis node's machine fails, and what is not synced to its disk is lost",
        .example = R"(power_loss = "n1", when = "a acquired")",
        .mattered = mattered::ends_process,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::shutdown,
        .theme = Theme::process,
        .word = "shutdown",
        .target = {TargetKind::node, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .milestone = Milestone::stopped,
        .phrase = "shut down {target}",
        .summary = "a Redis node exits cleanly, as on SIGTERM",
        .example = R"(shutdown = "n1", at = "5s")",
        .mattered = mattered::ends_process,
        .search = {.weight = 1, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clock_freeze,
        .theme = Theme::clock,
        .word = "clock_freeze",
        .target = {TargetKind::process, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::optionally},
        .amount = Amount::none,
        .clock = ClockChoice::both,
        .keys = {"for", "clock"},
        .phrase = "freeze the {clock} of {target}",
        .summary = "a host's clocks stop, for a while or for good",
        .example = R"(clock_freeze = "n1", for = "10s", when = "a acquired")",
        .mattered = mattered::turns_clock,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clock_strobe,
        .theme = Theme::clock,
        .word = "clock_strobe",
        .target = {TargetKind::process, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::always},
        .amount = Amount::strobe,
        .keys = {"by", "every", "for"},
        .phrase = "strobe the wall clock of {target} by {by} every {every}",
        .summary = "a host's wall clock jumps back and forth",
        .example = R"(clock_strobe = "n1", by = "200ms", every = "10ms", for = "5s", at = "1s")",
        .mattered = mattered::turns_clock,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clock_leap,
        .theme = Theme::clock,
        .word = "clock_leap",
        .target = {TargetKind::process, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::leap_second,
        .phrase = "let the wall clock of {target} repeat a leap second",
        .summary = "a leap second: a host's wall clock repeats a second",
        .example = R"(clock_leap = "n1", at = "5s")",
        .mattered = mattered::turns_clock,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::evict,
        .theme = Theme::by_operator,
        .word = "evict",
        .target = {TargetKind::lock_key, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .keys = {"on", "key"},
        .phrase = "evict {key} on {target}",
        .summary = "a node evicts a lock's key, as because of maxmemory",
        .example = R"(evict = "lock", on = "n1", when = "a acquired")",
        .mattered = mattered::deletes,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::spared}},
    FaultForm{
        .kind = FaultKind::flush_all,
        .theme = Theme::by_operator,
        .word = "flush_all",
        .target = {TargetKind::master, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .phrase = "flush all data of {target}",
        .summary = "an operator deletes all keys of a node",
        .example = R"(flush_all = "n1", when = "a acquired")",
        .mattered = mattered::deletes,
        .search = {.weight = 1, .explored = Explored::yes, .by_default = SearchDefault::spared}},
    FaultForm{
        .kind = FaultKind::script_flush,
        .theme = Theme::by_operator,
        .word = "script_flush",
        .target = {TargetKind::node, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .phrase = "flush the scripts of {target}",
        .summary = "an operator flushes a node's script cache",
        .example = R"(script_flush = "n1", when = "a acquired")",
        .mattered = mattered::strikes_call,
        .search = {.weight = 1, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::busy,
        .theme = Theme::by_operator,
        .word = "busy",
        .target = {TargetKind::node, TargetState::running},
        .timing = {DefaultOnset::must_be_given, Lasting::always},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "let a script run away on {target}",
        .summary = "a script hangs a node: requests wait, and are answered BUSY in the end",
        .example = R"(busy = "n1", for = "8s", when = "a acquired")",
        .mattered = mattered::takes_time,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::max_clients,
        .theme = Theme::by_operator,
        .word = "max_clients",
        .target = {TargetKind::node, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::connections,
        .keys = {"limit", "for"},
        .phrase = "let {target} take {limit}",
        .summary = "a node accepts no more connections",
        .example = R"(max_clients = "n1", limit = 2, for = "5s")",
        .mattered = mattered::refuses,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::interrupt,
        .theme = Theme::client,
        .word = "interrupt",
        .target = {TargetKind::thread, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .phrase = "interrupt {target}",
        .summary = "what a thread waits for ends with an error; what was sent stays sent",
        .example = R"(interrupt = "a/1", when = "a sent acquire")",
        .mattered = mattered::strikes_call,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::abandon,
        .theme = Theme::client,
        .word = "abandon",
        .target = {TargetKind::thread, TargetState::any},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .phrase = "let {target} abandon its call",
        .summary = "a thread goes on without the call that it made, and the call goes on by itself",
        .example = R"(abandon = "a/1", at = "2s")",
        .mattered = mattered::strikes_call,
        .search = {.weight = 2, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::postpone,
        .theme = Theme::client,
        .word = "postpone",
        .target = {TargetKind::callback, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::unseen},
        .amount = Amount::duration,
        .keys = {"task", "reply", "by", "nth"},
        .phrase = "postpone the {callback} in {target} by {by}",
        .summary = "one callback of a client runs after those that came later",
        .example = R"(postpone = "a", task = "watchdog", by = "40s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 3, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::slow,
        .theme = Theme::process,
        .word = "slow",
        .target = {TargetKind::host, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::short_duration,
        .keys = {"by", "for"},
        .phrase = "slow {target} by {by}",
        .summary = "a process needs that much longer for everything it handles",
        .example = R"(slow = "n1", by = "20ms", for = "5s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 2, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::refuse,
        .theme = Theme::network,
        .word = "refuse",
        .target = {TargetKind::listener, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "refuse connections to {target}",
        .summary = "a host refuses new connections, and keeps those it has",
        .example = R"(refuse = "n1", for = "5s", at = "1s")",
        .mattered = mattered::refuses,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::half_open,
        .theme = Theme::network,
        .word = "half_open",
        .target = {TargetKind::directed_pair, TargetState::any,
                   "the one that believes in its connections, and the one that has forgotten them"},
        .timing = {DefaultOnset::must_be_given, Lasting::no},
        .amount = Amount::none,
        .phrase = "let {other} forget its connections with {target}",
        .summary =
            "the second host forgets its connections with the first, which sends into the void",
        .example = R"(half_open = ["a", "n1"], when = "a acquired")",
        .mattered = mattered::takes_time,
        .search = {.weight = 1, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::clog,
        .theme = Theme::network,
        .word = "clog",
        .target = {TargetKind::pair, TargetState::any,
                   "the two between which messages take longer"},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::duration,
        .keys = {"by", "for"},
        .phrase = "clog {target} and {other} by {by}",
        .summary = "every message between two hosts is delayed",
        .example = R"(clog = ["a", "n1"], by = "2s", for = "10s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 2, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::cut_one_way,
        .theme = Theme::network,
        .word = "cut_one_way",
        .target = {TargetKind::directed_pair, TargetState::any, "the sender and the receiver"},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "cut the way from {target} to {other}",
        .summary = "nothing from the first host reaches the second, for a while or for good",
        .example = R"(cut_one_way = ["a", "n1"], for = "5s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::isolate,
        .theme = Theme::network,
        .word = "isolate",
        .target = {TargetKind::host, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "isolate {target}",
        .summary = "a host is cut off from all others",
        .example = R"(isolate = "n1", for = "5s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::partition,
        .theme = Theme::network,
        .word = "partition",
        .target = {TargetKind::groups, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "part {groups}",
        .summary = "the hosts of each group reach only each other",
        .example = R"(partition = [["a", "n1"], ["b", "n1-replica-1"]], for = "5s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 3, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::ring,
        .theme = Theme::network,
        .word = "ring",
        .target = {TargetKind::ring, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "let {groups} see a majority each",
        .summary = "each host sees a majority of them, no two the same one",
        .example = R"(ring = ["n1", "n1-replica-1", "n1-replica-2"], for = "5s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::swizzle,
        .theme = Theme::network,
        .word = "swizzle",
        .target = {TargetKind::sequence, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::always},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "swizzle {groups}",
        .summary = "hosts are isolated one after the other, and healed in another order",
        .example = R"(swizzle = ["n1", "n2", "n3"], for = "6s", at = "1s")",
        .mattered = mattered::takes_time,
        .search = {.weight = 1, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::reorder,
        .theme = Theme::message,
        .word = "reorder",
        .target = {TargetKind::message, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::no},
        .amount = Amount::duration,
        .keys = {"behind", "from", "to", "nth", "times", "at_most"},
        .phrase = "reorder {message} behind the next '{behind}', for {by} at most",
        .summary = "a message waits until another kind of its sender's has overtaken it",
        .example = R"(reorder = "acquire", behind = "release", from = "a")",
        .mattered = mattered::takes_time,
        .search = {.weight = 3, .explored = Explored::no, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::lag,
        .theme = Theme::replication,
        .word = "lag",
        .target = {TargetKind::replica, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::duration,
        .keys = {"by", "for"},
        .phrase = "let {target} lag by {by}",
        .summary = "a replica receives its master's stream later",
        .example = R"(lag = "n1-replica-1", by = "2s", for = "10s")",
        .mattered = mattered::keeps_behind,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::stall,
        .theme = Theme::replication,
        .word = "stall",
        .target = {TargetKind::replica, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "stall the replication of {target}",
        .summary = "a replica applies and acknowledges nothing, though its link stands",
        .example = R"(stall = "n1-replica-1", for = "5s", at = "1s")",
        .mattered = mattered::keeps_behind,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
    FaultForm{
        .kind = FaultKind::disconnect,
        .theme = Theme::replication,
        .word = "disconnect",
        .target = {TargetKind::replica, TargetState::any},
        .timing = {DefaultOnset::from_the_start, Lasting::optionally},
        .amount = Amount::none,
        .keys = {"for"},
        .phrase = "disconnect {target} from its master",
        .summary = "a replica loses its link, and opens no other before the end",
        .example = R"(disconnect = "n1-replica-1", for = "5s", at = "1s")",
        .mattered = mattered::keeps_behind,
        .search = {.weight = 2, .explored = Explored::yes, .by_default = SearchDefault::allowed}},
};

/// Whether an enumerator has that value: the compiler prints any other as a number in parentheses.
template <FaultKind kind>
consteval bool is_enumerator() {
  const std::string_view signature = __PRETTY_FUNCTION__;
  return signature.find("FaultKind)") == std::string_view::npos;
}
static_assert(is_enumerator<FaultKind::disconnect>());
static_assert(!is_enumerator<static_cast<FaultKind>(fault_kind_count)>(),
              "fault_kind_count (fault_kind.h) does not count the last kinds");

/// Whether the table has one row for each kind, in order, and the row is whole.
consteval bool is_whole(const FaultForm& form, std::size_t index) {
  bool has_for = false;
  for (const std::string_view key : form.keys) has_for |= key == "for";
  const bool is_pair =
      form.target.kind == TargetKind::pair || form.target.kind == TargetKind::directed_pair;
  return form.kind == static_cast<FaultKind>(index) && !form.word.empty() && !form.phrase.empty() &&
         !form.summary.empty() && !form.example.empty() && !form.mattered.empty() &&
         form.search.weight > 0 && lasts(form) == has_for && is_pair != form.target.ends.empty();
}

consteval bool is_whole_table() {
  for (std::size_t i = 0; i < fault_table.size(); ++i) {
    if (!is_whole(fault_table[i], i)) return false;
  }
  return fault_table.size() == fault_kind_count;
}
static_assert(is_whole_table(), "fault_table needs one whole row for each FaultKind, in order");

}  // namespace lockstep::scenario
