"""Two threads that are right only as long as the one that was started first is always first.

The taker says that nobody may enter, and asks for the lock; the other one enters as soon as it may. Both begin at the
same instant: where the other one comes first, it enters without the lock.
"""

import threading
import time

import redis

import lockstep

client = redis.Redis(host="localhost", port=6379, socket_timeout=3)
client.ping()
lock = client.lock("orders", timeout=10, thread_local=False)
may_enter = True


def take():
    global may_enter
    time.sleep(1)
    may_enter = False
    lock.acquire()
    may_enter = True


def enter():
    time.sleep(1)
    while not may_enter:
        time.sleep(0.01)
    lockstep.acquired("orders")
    time.sleep(2)
    lockstep.released("orders")


threads = [threading.Thread(target=each) for each in (take, enter)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
lock.release()
