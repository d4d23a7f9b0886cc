"""A worker that believes in its lock for as long as its own wall clock says."""

import time

import redis

import lockstep

LEASE_S = 10
client = redis.Redis(socket_timeout=1)
lock = client.lock("orders", timeout=LEASE_S, thread_local=False)
for _ in range(2):
    try:
        lockstep.acquiring("orders")
        asked = time.time()
        lock.acquire()
        until = asked + LEASE_S
        lockstep.acquired("orders", valid_until_ms=int(until * 1000))
        while time.time() < until - 2:
            lockstep.write()
            time.sleep(1)
        lockstep.released("orders")
        lock.release()
    except redis.RedisError as error:
        print("failed:", error)
