// What the workers of this folder have in common: their settings, and their connections by ioredis.
import Redis from "ioredis";

const { LEASE = 10_000, WORK = 2_000, ROUNDS = 2, MASTERS = "localhost:6379", SENTINELS } = process.env;

export const lease = Number(LEASE);
export const work = Number(WORK);
export const rounds = Number(ROUNDS);

/// A client of each master, or of the one that the sentinels name. One that has no answer within a second gives it up.
export function connect() {
  const options = { commandTimeout: 1_000 };
  const sentinels = SENTINELS && SENTINELS.split(" ").map((host) => ({ host, port: 26379 }));
  const clients = sentinels
    ? [new Redis({ ...options, name: "mymaster", sentinels })]
    : MASTERS.split(" ").map((address) => new Redis(`redis://${address}`, options));
  for (const client of clients) client.on("error", (error) => console.log("client:", error.message));
  return clients;
}
