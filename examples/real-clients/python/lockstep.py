"""Tells Lockstep what this program believes of its lock. Without Lockstep it does nothing.

    import lockstep
    lock = lockstep.watched(redis.Redis().lock("orders", timeout=10), "orders")
    with lock:
        lockstep.write()

Copy this file beside your program; leave the calls in your code. docs/real-clients.md has the story.
"""

import os
import random
import socket

_report = os.environ.get("LOCKSTEP_REPORT")
_resource = None
_version = 0
_seeded = False


def _say(*words):
    if _report:
        os.write(int(_report), (" ".join(str(word) for word in words if word is not None) + "\n").encode())


def _seed_anew(connect=socket.socket.connect):
    """A fork of this process has its random numbers; each run is to have its own."""
    def seeded_connect(self, address):
        global _seeded
        if not _seeded:
            _seeded = True
            random.seed()
        return connect(self, address)
    if _report:
        socket.socket.connect = seeded_connect


_seed_anew()


def acquiring(name):
    """I ask for the lock, and wait for the answer."""
    _say("ACQUIRING", name)


def acquired(name, token=None, valid_until_ms=None):
    """I have it, with this fencing token, until my wall clock says so; None: not told."""
    _say("ACQUIRED", name, "-" if token is None and valid_until_ms is not None else token,
         valid_until_ms)


def refused(name):
    """I was not given it."""
    _say("REFUSED", name)


def released(name):
    """I am about to give it back: to be called before the release is sent."""
    _say("RELEASED", name)


def lost(name):
    """I was told that it is no longer mine."""
    _say("LOST", name)


def write(token=None):
    """Reads, changes and writes the protected resource; False where it refused the fencing token."""
    global _resource, _version
    if not _report:
        return True
    if _resource is None:
        _resource = socket.create_connection(("resource", 1)).makefile("rwb", buffering=0)
    _version = _ask("READ")
    answer = _ask("WRITE", _version, *([] if token is None else [token]))
    return answer is not None


def _ask(*words):
    words = [str(word).encode() for word in words]
    _resource.write(b"*%d\r\n" % len(words) +
                    b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
    answer = _resource.readline()
    return int(answer[1:]) if answer.startswith(b":") else None


class watched:
    """A lock of redis-py (redis.lock.Lock, or one with the same methods) that says what it does."""

    def __init__(self, lock, name):
        self._lock, self._name = lock, name

    def acquire(self, *arguments, **options):
        acquiring(self._name)
        if self._lock.acquire(*arguments, **options):
            acquired(self._name)
            return True
        refused(self._name)
        return False

    def release(self):
        released(self._name)
        return self._lock.release()

    def extend(self, *arguments, **options):
        try:
            return self._lock.extend(*arguments, **options)
        except Exception as error:
            if type(error).__name__ in ("LockNotOwnedError", "LockError"):
                lost(self._name)
            raise

    def __enter__(self):
        if not self.acquire():
            raise RuntimeError("the lock was not granted in time")
        return self

    def __exit__(self, *_):
        self.release()

    def __getattr__(self, name):
        return getattr(self._lock, name)
