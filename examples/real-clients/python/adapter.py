"""redis-py's lock, doing a client model's steps: for lockstep confirm --client, conform and record.

The steps come in LOCKSTEP_STEPS, one a line: "lock lease=10s", "try_lock wait=2s", "extend lease=5s",
"write", "sleep 2s", "unlock". A step that the library has no call for ends the program, loudly.
"""

import os
import sys
import time

import redis
from redis.exceptions import LockError, RedisError

import lockstep

UNITS_S = {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}
DEFAULT_LEASE_S = 30


def seconds(text):
    unit = text.lstrip("0123456789.")
    return float(text[:len(text) - len(unit)]) * UNITS_S[unit]


class Caller:
    def __init__(self, name):
        host, port = os.environ.get("LOCKSTEP_MASTERS", "localhost:6379").split()[0].split(":")
        self.redis = redis.Redis(host=host, port=int(port), socket_timeout=3,
                                 retry_on_timeout=False)
        self.name = name
        self.lock = None
        self.was_refused = False  # then what was to be done under the lock is not done

    def do(self, word, options):
        if self.was_refused:
            self.was_refused = word != "unlock"
        else:
            getattr(self, "do_" + word)(options)

    def take(self, options, wait_s):
        lease_s = seconds(options.get("lease", f"{DEFAULT_LEASE_S}s"))
        self.lock = lockstep.watched(self.redis.lock(
            self.name, timeout=lease_s, sleep=0.1, blocking_timeout=wait_s))
        self.was_refused = True
        if self.lock.acquire(blocking=wait_s != 0):
            self.was_refused = False
        else:
            self.lock = None

    def do_lock(self, options):
        self.take(options, None)

    def do_try_lock(self, options):
        self.take(options, seconds(options.get("wait", "0s")))

    def do_extend(self, options):
        if self.lock:
            self.lock.extend(seconds(options["lease"]), replace_ttl=True)

    def do_write(self, _):
        if self.lock:
            lockstep.write()

    def do_unlock(self, _):
        if self.lock:
            lock, self.lock = self.lock, None
            lock.release()

    def do_sleep(self, options):
        time.sleep(seconds(options["for"]))


def main():
    caller = Caller(os.environ["LOCKSTEP_LOCK"])
    for line in os.environ["LOCKSTEP_STEPS"].splitlines():
        word, *rest = line.split()
        options = dict(part.split("=", 1) if "=" in part else ("for", part) for part in rest)
        if not hasattr(caller, "do_" + word):
            sys.exit(f"redis-py's lock has nothing for the step '{line}'")
        try:
            caller.do(word, options)
        except (LockError, RedisError) as error:
            print(f"{word}: {type(error).__name__}: {error}")


main()
