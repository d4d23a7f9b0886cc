// A worker that does its work under a lock of redlock 5.
import { setTimeout as sleep } from "timers/promises";
import Redlock from "redlock";
import { connect, lease, work, rounds } from "../clients.mjs";
import lockstep from "../lockstep.cjs";

const clients = connect();
const redlock = lockstep.watched(new Redlock(clients));

for (let done = 0; done < rounds;) {
  try {
    const lock = await redlock.acquire(["orders"], lease, { retryCount: -1 });
    done += 1;
    const version = await lockstep.read();
    await sleep(work);
    await lockstep.write(version);
    await lock.release();
  } catch (error) {
    console.log("failed:", error.message);
  }
  await sleep(500);
}
for (const client of clients) client.disconnect();
