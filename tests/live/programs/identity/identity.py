# Says what libraries of Python make owner ids of.
import os
import socket
import uuid

FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id", "/proc/sys/kernel/random/boot_id", "/sys/class/net/eth0/address")


def text_of(path):
    with open(path, encoding="ascii") as file:
        return file.read().strip()


said = [f"{path}={text_of(path)}" for path in FILES if os.path.exists(path)]
booted = next(line.split()[1] for line in text_of("/proc/stat").splitlines() if line.startswith("btime "))
start = text_of("/proc/self/stat").rsplit(") ")[1].split()[19]
said += [f"booted={booted}", f"start={start}",
         f"uptime={text_of('/proc/uptime').split()[0]}", f"random-uuid={text_of('/proc/sys/kernel/random/uuid')}",
         f"random-node={uuid.getnode():012x}"]
status = dict(line.split(":\t", 1) for line in text_of("/proc/self/status").splitlines())
said += [f"pid={status['Pid']}", f"same-pids={len({os.getpid(), *(int(status[name]) for name in ('Pid', 'Tgid', 'NSpid'))})}"]
said += [f"same-{name}={status[name].replace(',', '')}" for name in ("PPid", "VmRSS", "Cpus_allowed", "voluntary_ctxt_switches")]
groups = [line.split(":", 2)[2] for line in text_of("/proc/self/cgroup").splitlines()]
roots = [line.split(" ")[3] for line in text_of("/proc/self/mountinfo").splitlines()]
said += [f"same-groups={'+'.join(set(groups))}", f"same-roots={'+'.join(set(roots) or '/')}"]
said += [f"same-interfaces={'+'.join(name for _, name in socket.if_nameindex())}", f"same-folders={'+'.join(os.listdir('/sys/class/net'))}"]
said.append(f"same-mtu={text_of('/sys/class/net/eth0/mtu')}")
try:
    said.append(f"same-traffic={text_of('/sys/class/net/eth0/statistics/rx_bytes')}")
except FileNotFoundError:
    said.append("same-traffic=untold")
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as aimed:
    aimed.connect(("10.1.2.3", 53))
    said.append(f"eth0-ip={aimed.getsockname()[0]}")
redis = socket.create_connection(("localhost", 6379))
redis.sendall(f"SET who {','.join(said)}\r\n".encode())
redis.recv(64)
