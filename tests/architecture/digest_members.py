"""No member of a simulation is forgotten by its digest (model/engine/run_listeners.h).

For each class that has a part of the state: every member that it declares is named in the file that
writes its digest, in the code, or in a comment that begins "Not state:" and says why not. It reads
files as text and does not know whether what is named is written well: tests/model/engine/digest_test.cpp
compares futures. References and constants are no state.
"""

import re
from pathlib import Path

SIMULATED = "model/engine/state_digester.cpp"
FAULTS = "model/faults/faults_digest.cpp"
OBSERVERS = "model/observers/observers_digest.cpp"
CLIENT = "model/client/client_digest.cpp"
SERVER = "redis/server/server_digest.cpp"

# Header, class (with those around it), the file that writes its digest.
CLASSES = (
    ("sim/event_queue.h", "EventQueue", "sim/event_queue_digest.cpp"),
    ("sim/event_queue.h", "EventQueue::Entry", "sim/event_queue_digest.cpp"),
    ("sim/event_queue.h", "EventQueue::Slot", "sim/event_queue_digest.cpp"),
    ("sim/clock.h", "Clock", "sim/host_digest.cpp"),
    ("sim/host.h", "Host", "sim/host_digest.cpp"),
    ("sim/host.h", "Host::Timer", "sim/host_digest.cpp"),
    ("sim/host.h", "Host::Pause", "sim/host_digest.cpp"),
    ("sim/host.h", "Host::Waiting", "sim/host_digest.cpp"),
    ("sim/network.h", "Network", "sim/network_digest.cpp"),
    ("sim/network.h", "Network::Connection", "sim/network_digest.cpp"),
    ("sim/network.h", "Network::Flight", "sim/network_digest.cpp"),
    ("sim/network.h", "Network::Link", "sim/network_digest.cpp"),
    ("model/messages.h", "Message", "model/messages_digest.cpp"),
    ("redis/values/keyspace.h", "Keyspace", "redis/values/keyspace_digest.cpp"),
    ("redis/values/keyspace.h", "Entry", "redis/values/keyspace_digest.cpp"),
    ("redis/persistence/stored_files.h", "Snapshot",
     "redis/persistence/stored_files_digest.cpp"),
    ("redis/persistence/stored_files.h", "StoredFiles",
     "redis/persistence/stored_files_digest.cpp"),
    ("redis/server/server.h", "Server", SERVER),
    ("redis/server/server.h", "Statistics", SERVER),
    ("redis/server/expire_cycle.h", "ExpireCycle", SERVER),
    ("redis/server/memory_use.h", "MemoryUse", SERVER),
    ("redis/server/sessions.h", "Sessions", SERVER),
    ("redis/pubsub/pubsub.h", "PubSub", SERVER),
    ("redis/server/running_script.h", "RunningScript", SERVER),
    ("redis/scripting/script_cache.h", "ScriptCache", SERVER),
    ("redis/replication/replication_stream.h", "ReplicationStream", SERVER),
    ("redis/replication/master_link.h", "MasterLink", SERVER),
    ("redis/replication/master_link.h", "MasterLink::Address", SERVER),
    ("redis/replication/replicas.h", "Replicas", SERVER),
    ("redis/server/session.h", "Session", SERVER),
    ("redis/server/session.h", "BlockedOnKeys", SERVER),
    ("redis/server/session.h", "BlockingState", SERVER),
    ("redis/replication/replicas.h", "Replica", SERVER),
    ("redis/replication/replication_backlog.h", "ReplicationIds", SERVER),
    ("redis/persistence/persistence.h", "Persistence", SERVER),
    ("redis/scripting/script_process_state.h", "ScriptProcessState", SERVER),
    ("redis/scripting/script_process_state.h", "JsonOptions", SERVER),
    ("model/client/client_process.h", "ClientProcess", CLIENT),
    ("model/client/client_components.h", "ClientComponents", CLIENT),
    ("model/client/runtime/fiber.h", "Fiber", CLIENT),
    ("model/client/runtime/fiber.h", "Interaction", CLIENT),
    ("model/client/runtime/fiber.h", "Command", CLIENT),
    ("model/client/runtime/fiber_scheduler.h", "FiberScheduler", CLIENT),
    ("model/client/calls.h", "Calls", CLIENT),
    ("model/client/calls.h", "Calls::Connection", CLIENT),
    ("model/client/calls.h", "Calls::Shared", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions::Channel", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions::Link", CLIENT),
    ("model/client/signals.h", "Signals", CLIENT),
    ("model/client/signals.h", "Signals::Semaphore", CLIENT),
    ("model/client/tasks.h", "Tasks", CLIENT),
    ("model/client/thread_faults.h", "ThreadFaults", CLIENT),
    ("model/client/postponements.h", "Postponements", CLIENT),
    ("model/client/service_operations.h", "ServiceOperations", CLIENT),
    ("model/client/cluster_discovery.h", "ClusterDiscovery", CLIENT),
    ("model/client/sentinel_discovery.h", "SentinelDiscovery", CLIENT),
    ("model/client/runtime/client_model.h", "ClientModel", CLIENT),
    ("model/client/workload.h", "Workload", "model/client/workload_digest.cpp"),
    ("model/client/workload.h", "Workload::Thread", "model/client/workload_digest.cpp"),
    ("model/client/workload.h", "Workload::Hold", "model/client/workload_digest.cpp"),
    ("model/node/redis_node.h", "RedisNode", "model/node/redis_node_digest.cpp"),
    ("model/node/node_context.h", "NodeContext", "model/node/redis_node_digest.cpp"),
    ("model/node/key_changes.h", "ChangedKeys", "model/node/key_changes.cpp"),
    ("model/node/key_changes.h", "KeyChanges", "model/node/key_changes.cpp"),
    ("model/node/server_ticks.h", "ServerTicks", "model/node/server_ticks.cpp"),
    ("model/node/client_sessions.h", "ClientSessions", "model/node/client_sessions.cpp"),
    ("model/node/client_sessions.h", "ClientSessions::Peer", "model/node/client_sessions.cpp"),
    ("model/node/client_sessions.h", "ClientSessions::Blocked", "model/node/client_sessions.cpp"),
    ("model/node/client_sessions.h", "ClientSessions::KeptBack", "model/node/client_sessions.cpp"),
    ("model/node/replication_source.h", "ReplicationSource", "model/node/redis_node_digest.cpp"),
    ("model/node/replica_link.h", "ReplicaLink", "model/node/replica_link.cpp"),
    ("model/node/operator_commands.h", "OperatorCommands", "model/node/operator_commands.cpp"),
    ("model/node/operator_commands.h", "OperatorCommands::Command",
     "model/node/operator_commands.cpp"),
    ("model/node/busy_process.h", "BusyProcess", "model/node/busy_process.cpp"),
    ("model/node/process_end.h", "ProcessEnd", "model/node/process_end.cpp"),
    ("model/node/cluster_bus.h", "ClusterBus", "model/node/cluster_bus_digest.cpp"),
    ("model/node/cluster_bus.h", "ClusterLayout", "model/node/cluster_bus_digest.cpp"),
    ("model/cluster/cluster_node.h", "ClusterNode", "model/cluster/cluster_digest.cpp"),
    ("model/cluster/cluster_node.h", "ClusterNode::KnownNode", "model/cluster/cluster_digest.cpp"),
    ("model/cluster/cluster_message.h", "ClusterMessage", "model/cluster/cluster_digest.cpp"),
    ("model/sentinel/sentinel_node.h", "SentinelNode", "model/sentinel/sentinel_digest.cpp"),
    ("model/sentinel/instance.h", "Instance", "model/sentinel/sentinel_digest.cpp"),
    ("model/sentinel/instance.h", "InstanceConnection", "model/sentinel/sentinel_digest.cpp"),
    ("model/observers/resource.h", "Resource", OBSERVERS),
    ("model/observers/lock_observer.h", "LockObserver", OBSERVERS),
    ("model/observers/lock_observer.h", "LockObserver::Watched", OBSERVERS),
    ("model/observers/lock_state.h", "StateHold", OBSERVERS),
    ("model/observers/lock_state.h", "LockState", OBSERVERS),
    ("model/observers/lock_state.h", "LockStateReader", OBSERVERS),
    ("model/observers/queue_observer.h", "QueueObserver", OBSERVERS),
    ("model/recorder.h", "Recorder", OBSERVERS),
    ("model/faults/fault_injector.h", "FaultInjector", FAULTS),
    ("model/faults/fault_injector.h", "FaultInjector::State", FAULTS),
    ("model/faults/fault_injector.h", "FaultInjector::Lasting", FAULTS),
    ("scenario/faults/fault_spec.h", "FaultSpec", FAULTS),
    ("scenario/faults/fault_spec.h", "Trigger", FAULTS),
    ("scenario/faults/fault_spec.h", "Trigger::When", FAULTS),
    ("model/faults/process_faults.h", "ProcessFaults", FAULTS),
    ("model/faults/replication_faults.h", "ReplicationFaults", FAULTS),
    ("model/faults/clock_faults.h", "ClockFaults", FAULTS),
    ("model/faults/network_faults.h", "NetworkFaults", FAULTS),
    ("model/faults/operator_faults.h", "OperatorFaults", FAULTS),
    ("model/faults/message_faults.h", "MessageFaults", FAULTS),
    ("model/faults/message_faults.h", "MessageFaults::State", FAULTS),
    ("model/faults/message_faults.h", "MessageFaults::Held", FAULTS),
    ("model/faults/lease_triggers.h", "LeaseTriggers::Watch", FAULTS),
    ("model/faults/client_faults.h", "ClientFaults", FAULTS),
    ("model/observers/sometimes_watch.h", "SometimesWatch", FAULTS),
    ("model/engine/simulated_cluster.h", "SimulatedCluster", SIMULATED),
    ("model/engine/run_context.h", "RunContext", SIMULATED),
    ("model/engine/ground_truth.h", "GroundTruth", SIMULATED),
    ("model/engine/simulated_hosts.h", "SimulatedHosts", "model/engine/simulated_hosts.cpp"),
    ("model/engine/run_loop.h", "RunLoop", "model/engine/run_loop.cpp"),
)

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
LABEL = re.compile(r"^\s*(public|private|protected)\s*:")
NO_MEMBER = re.compile(
    r"^\s*(using|enum|struct|class|friend|static|constexpr|inline|template|typedef|explicit"
    r"|virtual|\[\[|~)|\boperator\b")
ATTRIBUTE = re.compile(r"\[\[.*?\]\]")


def _body(text, name):
    """What stands between the braces of a class or struct; None where there is none."""
    found = re.search(rf"\b(?:class|struct)\s+{name}\b[^;{{]*{{", text)
    if found is None:
        return None
    depth = 1
    for at in range(found.end(), len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[found.end():at]
    return None


def _without_blocks(body):
    """The text outside of braces; what stood in them ends there."""
    kept, depth = [], 0
    for letter in body:
        if letter == "}":
            depth -= 1
            kept.append(";" if depth == 0 else "")
        elif letter == "{":
            depth += 1
        elif depth == 0:
            kept.append(letter)
    return "".join(kept)


def members(text, name):
    """The names of the data members of a class ("Outer::Inner"), in order; None: no such class."""
    text = COMMENT.sub("", text)
    for part in name.split("::"):
        text = _body(text, part)
        if text is None:
            return None
    found = []
    for statement in _without_blocks(text).split(";"):
        statement = LABEL.sub("", statement.strip()).strip()
        declaration = statement.split("=")[0]
        if not declaration.strip() or NO_MEMBER.search(declaration) or "(" in declaration:
            continue
        if "&" in declaration or re.match(r"const\b(?!.*\*)|.*\*\s*const\b", declaration):
            continue
        match = re.search(r"^[\w:<>,\s*]+[\s*>](\w+)\s*$", declaration)
        if match is not None:
            found.append(match.group(1))
    return found


def complaints(root, classes=CLASSES):
    """Members that a digest does not name, one sentence each."""
    root = Path(root)
    for header, name, writer in classes:
        found = members((root / header).read_text(encoding="utf-8"), name)
        if not found:
            yield f"{header}: no members of {name} are found"
            continue
        text = (root / writer).read_text(encoding="utf-8")
        for member in found:
            if not re.search(rf"\b{member}\b", text):
                yield (f"{header}: {name}::{member} is not in {writer}: write it into the digest, "
                       "or say there why it is no state")
