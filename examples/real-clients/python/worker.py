"""A worker that does its work under redis-py's lock."""

import os
import time

import redis
from redis.sentinel import Sentinel

import lockstep

LEASE = float(os.environ.get("LEASE", "10")) or None  # 0: until it is given back
WORK = float(os.environ.get("WORK", "2"))
ROUNDS = int(os.environ.get("ROUNDS", "2"))
CONNECTION = {"socket_timeout": 1, "retry_on_timeout": "RETRY" in os.environ}

if "SENTINELS" in os.environ:
    sentinels = [(host, 26379) for host in os.environ["SENTINELS"].split()]
    client = Sentinel(sentinels, socket_timeout=1).master_for("mymaster", **CONNECTION)
else:
    client = redis.Redis(host="localhost", port=6379, **CONNECTION)

done = 0
while done < ROUNDS:
    try:
        with lockstep.watched(client.lock("orders", timeout=LEASE)):
            done += 1
            version = lockstep.read()
            time.sleep(WORK)
            lockstep.write(version)
    except redis.RedisError as error:
        print("failed:", error, flush=True)
    time.sleep(0.5)
