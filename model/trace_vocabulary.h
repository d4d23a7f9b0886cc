// The kinds of trace events that the model emits, and their fields. sim/trace_kinds.h has the
// kernel's.
//
// A trace tells the whole story by itself: reports draw from it without the scenario. Times in
// fields are true ns since the start of the run unless a name says otherwise.
#pragma once

#include <string_view>

namespace lockstep::model::trace_kind {

// At a client thread.
inline constexpr std::string_view step_invoked =
    "step-invoked";  // step, lock?, lease_ms? (text of the step)
inline constexpr std::string_view step_completed =
    "step-completed";  // step, outcome (ok|fail|info), detail?
inline constexpr std::string_view service_invoked =
    "service-invoked";  // operation, kind, lock, lease_ms
inline constexpr std::string_view service_completed = "service-completed";  // operation, outcome
inline constexpr std::string_view belief_began = "belief-began";            // lock
inline constexpr std::string_view belief_ended = "belief-ended";            // lock, why
inline constexpr std::string_view call_timed_out = "call-timed-out";        // label, attempt
inline constexpr std::string_view call_retried = "call-retried";            // label, attempt
inline constexpr std::string_view call_queued =
    "call-queued";  // label, why (pool: no free connection; reconnect: it is lost)
inline constexpr std::string_view call_resent =
    "call-resent";  // label, attempt: its requests went with a connection, and will be sent again
inline constexpr std::string_view task_started = "task-started";  // task
inline constexpr std::string_view task_ended = "task-ended";      // task, why
inline constexpr std::string_view client_failed =
    "client-failed";  // error: the client model raised, or the program made
inline constexpr std::string_view client_logged = "client-logged";  // text: the client model's own

// At a client.
inline constexpr std::string_view program_started = "program-started";  // command
inline constexpr std::string_view program_ended =
    "program-ended";  // how (exit STATUS|signal NUMBER|killed|stuck), output (the end of it)
inline constexpr std::string_view program_stuck = "stuck";          // as the program ended
inline constexpr std::string_view master_learnt = "master-learnt";  // master, from (a sentinel)

// At a Redis node.
inline constexpr std::string_view command_executed =
    "command-executed";  // label, command, keys, arguments, reply, on_behalf_of, writes
inline constexpr std::string_view stream_applied = "stream-applied";  // offset (replica)
inline constexpr std::string_view dataset_loaded =
    "dataset-loaded";  // offset (replica, full synchronisation)
inline constexpr std::string_view lock_changed =
    "lock-changed";  // lock, holders ("a/1:2"), lease_ends_ns (-1: no TTL), cause, by
inline constexpr std::string_view queue_changed =
    "queue-changed";  // lock, owners (the waiters' places in order), by
inline constexpr std::string_view number_changed =
    "number-changed";  // lock, left (permits, or what is left to count down; -1: no such key), by
inline constexpr std::string_view dataset_saved = "dataset-saved";  // keys: a snapshot
inline constexpr std::string_view dataset_restored =
    "dataset-restored";  // from (nothing|snapshot|append-only file), keys, expired_keys (left out)
inline constexpr std::string_view disk_lost = "disk-lost";  // bytes: written and never synced
inline constexpr std::string_view node_shut_down = "node-shut-down";
inline constexpr std::string_view node_promoted = "node-promoted";  // in_place_of

// At a sentinel.
inline constexpr std::string_view sentinel_event =
    "sentinel-event";  // event (as Sentinel calls it: "+sdown"), about (a host), more

// At the resource.
inline constexpr std::string_view resource_read = "resource-read";  // by, version
inline constexpr std::string_view resource_written =
    "resource-written";  // by, based_on, version, token (-1: none)
inline constexpr std::string_view resource_refused =
    "resource-refused";  // by, token, highest_token

// At the faults' lane.
inline constexpr std::string_view fault_struck =
    "fault-struck";  // fault (index), what (text), target (names of hosts, spaces between);
                     // and lasts=1 where it lasts: until fault-ended, or for ever
inline constexpr std::string_view fault_ended =
    "fault-ended";  // the same fields: what a fault that lasts did is over
inline constexpr std::string_view clock_changed =
    "clock-changed";  // at the host: by_ns, drift_ppm, or frozen (1|0)
inline constexpr std::string_view faults_healed =
    "faults-healed";  // [heal]: no fault strikes any more, but those that stay

// Of the whole run (no actor).
inline constexpr std::string_view run_ended = "run-ended";  // why: at-rest | horizon | event-limit

}  // namespace lockstep::model::trace_kind
