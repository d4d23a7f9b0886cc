# Three threads share a lock on the server; one more keeps the time. Said are tokens and moments.
import os
import random
import socket
import threading
import time
import uuid

mutex = threading.Lock()
server = socket.create_connection(("redis-1", 6379), timeout=30)
replies = server.makefile("rb")


def call(*words):
    with mutex:
        server.sendall(b"*%d\r\n" % len(words) + b"".join(
            b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        line = replies.readline().strip()
        return replies.readline().strip() if line[:1] == b"$" and line != b"$-1" else line


def work(number):
    for _ in range(2):
        token = uuid.uuid4().hex.encode()
        while call(b"SET", b"job", token, b"NX", b"PX", b"5000") != b"+OK":
            time.sleep(random.uniform(0.05, 0.2))
        print(number, token.decode(), time.time(), time.monotonic(), flush=True)
        time.sleep(random.random())
        print(number, call(b"EVAL", b"release", b"1", b"job", token), flush=True)


def keep_time(stop):
    while not stop.wait(0.25):
        print("tick", time.time_ns() % 10**9, flush=True)


random.seed(os.urandom(8))
print(os.getpid(), threading.get_native_id(), hash("x"), os.urandom(4).hex(), id(mutex), flush=True)
done = threading.Event()
threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
threads.append(threading.Thread(target=keep_time, args=(done,)))
for thread in threads:
    thread.start()
for thread in threads[:3]:
    thread.join()
done.set()
threads[3].join()
print("process time", time.process_time(), flush=True)
