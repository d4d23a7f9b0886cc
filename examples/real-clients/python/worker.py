"""A worker that writes under redis-py's lock."""

import os
import time

import redis

import lockstep

client = redis.Redis(host="localhost", port=6379)
for _ in range(int(os.environ.get("ROUNDS", "2"))):
    lock = lockstep.watched(client.lock("orders", timeout=10, blocking_timeout=60), "orders")
    if lock.acquire():
        time.sleep(2)
        lockstep.write()
        try:
            lock.release()
        except redis.exceptions.LockError as error:
            print("lost:", error)
    time.sleep(0.5)
