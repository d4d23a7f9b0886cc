// A lock on the server, a timer that keeps the time, the thread pool and a worker thread.
import net from "node:net";
import crypto from "node:crypto";
import fs from "node:fs";
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { promisify } from "node:util";

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function main() {
  const worker = new Worker(new URL(import.meta.url));
  worker.on("message", (text) => console.log("worker", text, Date.now()));
  const server = net.connect({ host: "redis-1", port: 6379 });
  const waiting = [];
  server.on("data", (data) => waiting.shift()(data.toString()));
  const call = (...words) => {
    server.write(`*${words.length}\r\n` + words.map((w) => `$${w.length}\r\n${w}\r\n`).join(""));
    return new Promise((resolve) => waiting.push(resolve));
  };
  const timer = setInterval(() => console.log("tick", performance.now()), 300);
  console.log(process.pid, crypto.randomUUID(), crypto.randomBytes(4).toString("hex"), Math.random());
  for (let round = 0; round < 3; ++round) {
    const key = await promisify(crypto.pbkdf2)("secret", "salt" + round, 500, 8, "sha256");
    await fs.promises.readFile("/etc/passwd");
    const token = crypto.randomUUID();
    while (!(await call("SET", "job", token, "NX", "PX", "5000")).startsWith("+OK")) await sleep(100);
    console.log(round, token, key.toString("hex"), Date.now());
    await sleep(500 * Math.random());
    console.log(round, (await call("EVAL", "release", "1", "job", token)).trim());
  }
  clearInterval(timer);
  await worker.terminate();
  server.end();
}

if (isMainThread) {
  await main();
} else {
  let count = 0;
  setInterval(() => parentPort.postMessage(++count), 150);
}
