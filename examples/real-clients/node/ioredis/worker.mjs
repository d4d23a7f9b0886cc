// A worker whose lock is written by hand over ioredis, as many are: SET NX PX with a token, and a release that compares it.
import { randomUUID } from "crypto";
import { setTimeout as sleep } from "timers/promises";
import { connect, lease, rounds, work } from "../clients.mjs";
import lockstep from "../lockstep.cjs";

const key = "orders";
const [redis] = connect();
redis.defineCommand("release", {
  numberOfKeys: 1,
  lua: "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
});

async function take(token) {
  lockstep.acquiring(key);
  try {
    while ((await redis.set(key, token, "PX", lease, "NX")) !== "OK") await sleep(100);
  } catch (error) {
    lockstep.refused(key);
    throw error;
  }
  lockstep.acquired(key);
}

for (let done = 0; done < rounds;) {
  const token = randomUUID();
  try {
    await take(token);
    done += 1;
    const version = await lockstep.read();
    await sleep(work);
    await lockstep.write(version);
    lockstep.released(key);
    if ((await redis.release(key, token)) === 0) console.log("lost:", key);
  } catch (error) {
    console.log("failed:", error.message);
  }
  await sleep(500);
}
redis.disconnect();
