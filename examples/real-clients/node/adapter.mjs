// A lock of node's, doing a client model's steps: for lockstep confirm --client, conform and record.
//
//     node adapter.mjs redlock4|redlock5|mutex|redlock-mutex      (the last two are redis-semaphore's)
//
// The steps come in LOCKSTEP_STEPS, one a line: "lock lease=10s", "try_lock wait=2s", "extend lease=5s", "write",
// "sleep 2s", "unlock"; the lock's name in LOCKSTEP_LOCK, the masters in LOCKSTEP_MASTERS. A step that the library has
// no call for ends the program, loudly.
import { setTimeout as sleep } from "timers/promises";
import Redis from "ioredis";
import lockstep from "./lockstep.cjs";

const UNITS_MS = { us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const RETRY_DELAY_MS = 200; // redlock's default
const milliseconds = (text) => {
  const unit = text.replace(/^[0-9.]+/, "");
  return parseFloat(text) * UNITS_MS[unit];
};

const { LOCKSTEP_STEPS, LOCKSTEP_LOCK: name, LOCKSTEP_MASTERS = "localhost:6379" } = process.env;

function connect() {
  const clients = LOCKSTEP_MASTERS.split(" ").map((address) => new Redis(`redis://${address}`));
  for (const client of clients) client.on("error", (error) => console.log("client:", error.message));
  return clients;
}

/// Attempts after the first; redlock counts them where a caller has a time.
const retriesIn = (waitMs) => (waitMs === undefined ? -1 : Math.floor(waitMs / RETRY_DELAY_MS));

// Each is loaded before it connects, so that forks begin with all that they need.
const libraries = {
  // Options of one call that are 0 count as none: so each wait has a Redlock of its own.
  async redlock4() {
    const { default: Redlock } = await import("redlock4");
    const clients = connect();
    const usual = lockstep.watched(new Redlock(clients));
    return {
      take: (leaseMs, waitMs) =>
        lockstep.watched(new Redlock(clients, { retryCount: retriesIn(waitMs) })).lock(name, leaseMs),
      extend: (lock, leaseMs) => usual.extend(lock, leaseMs),
      release: (lock) => usual.unlock(lock),
    };
  },
  async redlock5() {
    const { default: Redlock } = await import("redlock");
    const redlock = lockstep.watched(new Redlock(connect()));
    return {
      take: (leaseMs, waitMs) => redlock.acquire([name], leaseMs, { retryCount: retriesIn(waitMs) }),
      extend: (lock, leaseMs) => redlock.extend(lock, leaseMs),
      release: (lock) => redlock.release(lock),
    };
  },
  mutex: () => redisSemaphore((Library, clients, settings) => new Library.Mutex(clients[0], key, settings)),
  "redlock-mutex": () => redisSemaphore((Library, clients, settings) => new Library.RedlockMutex(clients, key, settings)),
};

const key = name.replace(/^mutex:/, ""); // which redis-semaphore puts before it

async function redisSemaphore(make) {
  const Library = await import("redis-semaphore");
  const clients = connect();
  return {
    async take(leaseMs, waitMs = 3_600_000) {
      const mutex = lockstep.watched(
        make(Library, clients, { lockTimeout: leaseMs, acquireTimeout: waitMs, retryInterval: 100, refreshInterval: 0 }), name);
      await mutex.acquire();
      return mutex;
    },
    release: (mutex) => mutex.release(),
  };
}

const library = await libraries[process.argv[2]]();
let lock;
let wasRefused = false; // then what was to be done under the lock is not done

async function take(lease, wait) {
  wasRefused = true;
  lock = await library.take(milliseconds(lease), wait && milliseconds(wait));
  wasRefused = false;
}

const steps = {
  lock: ({ lease = "10s" }) => take(lease),
  try_lock: ({ wait = "0s", lease = "10s" }) => take(lease, wait),
  async extend({ lease }) {
    if (lock) lock = await library.extend(lock, milliseconds(lease));
  },
  async write() {
    if (lock) await lockstep.write();
  },
  async unlock() {
    const held = lock;
    lock = undefined;
    if (held) await library.release(held);
  },
  sleep: ({ time }) => sleep(milliseconds(time)),
};

for (const line of LOCKSTEP_STEPS.split("\n")) {
  const [word, ...rest] = line.split(" ");
  const options = Object.fromEntries(rest.map((part) => (part.includes("=") ? part.split("=") : ["time", part])));
  if (!steps[word] || (word === "extend" && !library.extend)) {
    console.error(`${process.argv[2]} has nothing for the step '${line}'`);
    process.exit(1);
  }
  if (wasRefused) {
    wasRefused = word !== "unlock";
    continue;
  }
  try {
    await steps[word](options);
  } catch (error) {
    console.log(`${word}: ${error.name}: ${error.message}`);
  }
}
process.exit(0); // also where a connection is down
