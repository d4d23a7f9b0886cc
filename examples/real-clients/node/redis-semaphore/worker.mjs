// A worker that does its work under a mutex of redis-semaphore.
import { setTimeout as sleep } from "timers/promises";
import { Mutex, RedlockMutex } from "redis-semaphore";
import { connect, lease, work, rounds } from "../clients.mjs";
import lockstep from "../lockstep.cjs";

const clients = connect();
const settings = {
  lockTimeout: lease,
  acquireTimeout: 300_000,
  retryInterval: 100,
  onLockLost: (error) => console.log("lost:", error.message),
};

for (let done = 0; done < rounds;) {
  const mutex = lockstep.watched(
    clients.length > 1 ? new RedlockMutex(clients, "orders", settings) : new Mutex(clients[0], "orders", settings));
  try {
    await mutex.acquire();
    done += 1;
    const version = await lockstep.read();
    await sleep(work);
    await lockstep.write(version);
    await mutex.release();
  } catch (error) {
    console.log("failed:", error.message);
  }
  await sleep(500);
}
for (const client of clients) client.disconnect();
