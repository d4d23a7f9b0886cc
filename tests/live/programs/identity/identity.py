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
redis = socket.create_connection(("localhost", 6379))
redis.sendall(f"SET who {','.join(said)}\r\n".encode())
redis.recv(64)
