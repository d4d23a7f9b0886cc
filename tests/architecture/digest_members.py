"""No member of a simulation is forgotten by its digest (model/state_digest.h).

For each class that has a part of the state: every member that it declares is named in the file that
writes its digest, in the code, or in a comment that begins "Not state:" and says why not. It reads
files as text and does not know whether what is named is written well: tests/simulation/digest_test.cpp
compares futures. References and constants are no state.
"""

import re
from pathlib import Path

SIMULATED = "model/simulation/simulated_cluster_digest.cpp"
FAULTS = "model/simulation/faults_digest.cpp"
OBSERVERS = "model/simulation/observers_digest.cpp"
CLIENT = "model/client/client_digest.cpp"

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
    ("model/redis/keyspace.h", "Keyspace", "model/redis/keyspace_digest.cpp"),
    ("model/redis/keyspace.h", "Entry", "model/redis/keyspace_digest.cpp"),
    ("model/redis/stored_files.h", "Snapshot", "model/redis/keyspace_digest.cpp"),
    ("model/redis/stored_files.h", "StoredFiles", "model/redis/keyspace_digest.cpp"),
    ("model/redis/core.h", "Core", "model/redis/core_digest.cpp"),
    ("model/redis/session.h", "Session", "model/redis/core_digest.cpp"),
    ("model/redis/session.h", "KeyWait", "model/redis/core_digest.cpp"),
    ("model/redis/session.h", "PendingWait", "model/redis/core_digest.cpp"),
    ("model/redis/server.h", "Replica", "model/redis/core_digest.cpp"),
    ("model/redis/replication_backlog.h", "ReplicationHistory", "model/redis/core_digest.cpp"),
    ("model/redis/persistence.h", "Persistence", "model/redis/core_digest.cpp"),
    ("model/redis/script_process.h", "ScriptProcess", "model/redis/core_digest.cpp"),
    ("model/redis/script_json_options.h", "JsonOptions", "model/redis/core_digest.cpp"),
    ("model/client/client_parts.h", "ClientParts", CLIENT),
    ("model/client/fiber.h", "Fiber", CLIENT),
    ("model/client/fiber.h", "Interaction", CLIENT),
    ("model/client/fiber.h", "Command", CLIENT),
    ("model/client/fibers.h", "Fibers", CLIENT),
    ("model/client/calls.h", "Calls", CLIENT),
    ("model/client/calls.h", "Calls::Pooled", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions::Channel", CLIENT),
    ("model/client/subscriptions.h", "Subscriptions::Link", CLIENT),
    ("model/client/signals.h", "Signals", CLIENT),
    ("model/client/signals.h", "Signals::Semaphore", CLIENT),
    ("model/client/tasks.h", "Tasks", CLIENT),
    ("model/client/interruptions.h", "Interruptions", CLIENT),
    ("model/client/postponements.h", "Postponements", CLIENT),
    ("model/client/service_records.h", "ServiceRecords", CLIENT),
    ("model/client/cluster_directory.h", "ClusterDirectory", CLIENT),
    ("model/client/sentinel_directory.h", "SentinelDirectory", CLIENT),
    ("model/client/half.h", "Half", CLIENT),
    ("model/client/workload.h", "Workload", "model/client/workload_digest.cpp"),
    ("model/client/workload.h", "Workload::Thread", "model/client/workload_digest.cpp"),
    ("model/client/workload.h", "Workload::Hold", "model/client/workload_digest.cpp"),
    ("model/simulation/redis_node.h", "RedisNode", "model/simulation/redis_node_digest.cpp"),
    ("model/simulation/redis_node.h", "RedisNode::Peer", "model/simulation/redis_node_digest.cpp"),
    ("model/simulation/redis_node.h", "RedisNode::Blocked",
     "model/simulation/redis_node_digest.cpp"),
    ("model/simulation/cluster_bus.h", "ClusterBus", "model/simulation/redis_node_digest.cpp"),
    ("model/simulation/cluster_bus.h", "ClusterCharter", "model/simulation/redis_node_digest.cpp"),
    ("model/cluster/cluster_node.h", "ClusterNode", "model/cluster/cluster_digest.cpp"),
    ("model/cluster/cluster_node.h", "ClusterNode::Known", "model/cluster/cluster_digest.cpp"),
    ("model/cluster/cluster_message.h", "ClusterMessage", "model/cluster/cluster_digest.cpp"),
    ("model/sentinel/sentinel_node.h", "SentinelNode", "model/sentinel/sentinel_digest.cpp"),
    ("model/sentinel/instance.h", "Instance", "model/sentinel/sentinel_digest.cpp"),
    ("model/sentinel/instance.h", "Channel", "model/sentinel/sentinel_digest.cpp"),
    ("model/simulation/resource.h", "Resource", OBSERVERS),
    ("model/simulation/lock_observer.h", "LockObserver", OBSERVERS),
    ("model/simulation/lock_observer.h", "LockObserver::Watched", OBSERVERS),
    ("model/simulation/lock_state.h", "StateHold", OBSERVERS),
    ("model/simulation/lock_state.h", "LockState", OBSERVERS),
    ("model/simulation/lock_state.h", "LockStateReader", OBSERVERS),
    ("model/simulation/queue_observer.h", "QueueObserver", OBSERVERS),
    ("model/recorder.h", "Recorder", OBSERVERS),
    ("model/simulation/fault_injector.h", "FaultInjector", FAULTS),
    ("model/simulation/fault_injector.h", "FaultInjector::State", FAULTS),
    ("model/simulation/fault_injector.h", "FaultInjector::Lasting", FAULTS),
    ("model/scenario/fault_spec.h", "FaultSpec", FAULTS),
    ("model/scenario/fault_spec.h", "Trigger", FAULTS),
    ("model/scenario/fault_spec.h", "Trigger::When", FAULTS),
    ("model/simulation/process_faults.h", "ProcessFaults", FAULTS),
    ("model/simulation/replication_faults.h", "ReplicationFaults", FAULTS),
    ("model/simulation/clock_faults.h", "ClockFaults", FAULTS),
    ("model/simulation/network_faults.h", "NetworkFaults", FAULTS),
    ("model/simulation/operator_faults.h", "OperatorFaults", FAULTS),
    ("model/simulation/message_faults.h", "MessageFaults", FAULTS),
    ("model/simulation/message_faults.h", "MessageFaults::State", FAULTS),
    ("model/simulation/message_faults.h", "MessageFaults::Held", FAULTS),
    ("model/simulation/lease_triggers.h", "LeaseTriggers::Watch", FAULTS),
    ("model/simulation/client_faults.h", "ClientFaults", FAULTS),
    ("model/simulation/sometimes_watch.h", "SometimesWatch", FAULTS),
    ("model/simulation/simulated_cluster.h", "SimulatedCluster", SIMULATED),
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
