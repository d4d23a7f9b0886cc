"""Tells Lockstep what this program believes of its lock. Without Lockstep it does nothing.

    import lockstep
    lock = lockstep.watched(redis.Redis().lock("orders", timeout=10))

Copy this file beside your program, and leave the calls in your code: docs/real-clients.md.
"""

import gc
import inspect
import os
import random
import socket

_report = os.environ.get("LOCKSTEP_REPORT")
_resource = None
_has_begun = False  # the run


def _say(*words):
    if _report:
        line = " ".join(str(word) for word in words if word is not None)
        os.write(int(_report), line.encode() + b"\n")
        _begin_run()


def acquiring(name):
    """I ask for the lock, and wait for the answer."""
    _say("ACQUIRING", name)


def acquired(name, token=None, valid_until_ms=None):
    """I have it, with this fencing token, until my wall clock shows so many ms. None: not told."""
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


def read():
    """Reads the protected resource: its version, or None without Lockstep."""
    return _ask("READ") if _report else None


def write(version=None, token=None):
    """Writes the protected resource, as read in this version; False where it refuses the token."""
    if not _report:
        return True
    words = [read() if version is None else version] + ([] if token is None else [token])
    return _ask("WRITE", *words) is not None


def watched(lock, name=None):
    """A lock of redis-py (redis.lock.Lock, redis.asyncio.lock.Lock) that says what it does."""
    if not _report:
        return lock
    name = name or lock.name
    acquire, release = lock.acquire, lock.release

    def asked(*arguments, **options):
        acquiring(name)
        return _then(lambda: acquire(*arguments, **options),
                     lambda granted: acquired(name) if granted else refused(name),
                     lambda error: refused(name))

    def given_back(*arguments, **options):
        released(name)
        return release(*arguments, **options)

    def watch_renewal(renew):
        def told(error):
            if type(error).__name__ == "LockNotOwnedError":
                lost(name)
        return lambda *arguments, **options: _then(
            lambda: renew(*arguments, **options), lambda _: None, told)

    lock.acquire, lock.release = asked, given_back
    lock.extend, lock.reacquire = watch_renewal(lock.extend), watch_renewal(lock.reacquire)
    return lock


def _then(call, on_result, on_error):
    """Calls, or awaits, and tells of what came of it."""
    async def awaited(coming):
        try:
            result = await coming
        except BaseException as error:
            on_error(error)
            raise
        on_result(result)
        return result

    try:
        result = call()
    except BaseException as error:
        on_error(error)
        raise
    if inspect.isawaitable(result):
        return awaited(result)
    on_result(result)
    return result


def _ask(*words):
    global _resource
    if _resource is None:
        _resource = socket.create_connection(("resource", 1)).makefile("rwb", buffering=0)
    words = [str(word).encode() for word in words]
    _resource.write(b"*%d\r\n" % len(words) +
                    b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
    answer = _resource.readline()
    return int(answer[1:]) if answer.startswith(b":") else None


def _begin_run():
    """With reuse = "fork" a run is a fork of one process, made as that connects or reports for the first time. Its
    random numbers are to be the run's own, and what it shares with the other forks is not to be copied for the
    garbage collector's sake: that takes longer than the run."""
    global _has_begun
    if not _has_begun:
        _has_begun = True
        random.seed()
        gc.freeze()


def _connect(self, address, connect=socket.socket.connect):
    try:
        return connect(self, address)
    finally:
        _begin_run()


if _report:
    import encodings.idna  # noqa: F401 (else each run imports it as it connects)
    socket.socket.connect = _connect
