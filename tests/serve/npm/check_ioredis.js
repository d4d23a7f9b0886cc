// ioredis against a running server: REDIS_PORT says where.
"use strict";
const Redis = require("ioredis");
const { assert, script, run, port } = require("./check");

const connect = (options) => new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: 0, ...options });
const client = connect();

const checks = {
  async "connects, reads and writes"() {
    await client.flushall();
    assert.strictEqual(await client.set("a", "b", "PX", 60000, "NX"), "OK");
    assert.strictEqual(await client.set("a", "c", "PX", 60000, "NX"), null);
    assert.strictEqual(await client.get("a"), "b");
    assert.deepStrictEqual(await client.hset("h", { f: "1", g: "2" }), 2);
    assert.deepStrictEqual(await client.hgetall("h"), { f: "1", g: "2" });
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    await client.set("bytes", bytes);
    assert.deepStrictEqual(await client.getBuffer("bytes"), bytes);
  },
  async "is told errors"() {
    await assert.rejects(client.incr("h"), /WRONGTYPE/);
    await assert.rejects(client.call("NOSUCH", "x"), /unknown command 'NOSUCH'/);
    await assert.rejects(client.evalsha("0".repeat(40), 0), /NOSCRIPT/);
  },
  async "runs a lock's scripts as its own commands"() {
    client.defineCommand("acquire", { numberOfKeys: 1, lua: script("acquire") });
    client.defineCommand("release", { numberOfKeys: 3, lua: script("release") });
    assert.strictEqual(await client.acquire("lock", 30000, "me:1"), null);
    const left = await client.acquire("lock", 30000, "you:1");
    assert.ok(left > 29000 && left <= 30000, String(left));
    const release = (owner, latch) =>
      client.release("lock", "lock:channel", latch, "0", 30000, owner, "publish", 5000);
    assert.strictEqual(await release("you:1", "latch:1"), null);
    assert.strictEqual(await release("me:1", "latch:2"), 1);
    assert.strictEqual(await release("me:1", "latch:2"), 1);
    assert.strictEqual(await client.exists("lock"), 0);
  },
  async "loads a script again that the server has forgotten"() {
    await client.script("FLUSH");
    assert.strictEqual(await client.acquire("lock", 30000, "me:1"), null);
    await client.del("lock");
  },
  async "gets what a pipeline asks for, in order"() {
    const pipeline = client.pipeline();
    for (let i = 1; i <= 1000; ++i) pipeline.incr("n");
    const replies = await pipeline.exec();
    assert.deepStrictEqual(replies, replies.map((_, i) => [null, i + 1]));
  },
  async "takes part in transactions"() {
    const other = connect();
    assert.deepStrictEqual(await client.multi().set("t", "1").incr("t").incr("h").exec().then(
      (replies) => replies.map(([error, value]) => (error ? error.message.slice(0, 9) : value))),
      ["OK", 2, "WRONGTYPE"]);
    await client.watch("t");
    await other.set("t", "5");
    assert.strictEqual(await client.multi().incr("t").exec(), null);
    await other.quit();
  },
  async "hears messages"() {
    const listener = connect();
    const heard = [];
    const all = new Promise((resolve) => {
      listener.on("message", (channel, message) => heard.push([channel, message]));
      listener.on("pmessage", (pattern, channel, message) => {
        heard.push([pattern, channel, message]);
        resolve();
      });
    });
    assert.strictEqual(await listener.subscribe("news", "other"), 2);
    await listener.psubscribe("n*");
    assert.strictEqual(await client.publish("news", "hello"), 2);
    await all;
    assert.deepStrictEqual(heard, [["news", "hello"], ["n*", "news", "hello"]]);
    await listener.unsubscribe("news", "other");
    await listener.punsubscribe("n*");
    await listener.quit();
  },
  async "waits for an element"() {
    const waiting = connect();
    const element = waiting.blpop("queue", 10);
    while ((await client.call("llen", "queue")) === 0 && (await client.rpush("queue", "x")) === 0);
    assert.deepStrictEqual(await element, ["queue", "x"]);
    const none = await waiting.blpop("queue", 0.1);
    assert.ok(none === null || none[1] === "x");
    await waiting.quit();
  },
  async "scans"() {
    await client.flushdb();
    for (let i = 0; i < 100; ++i) await client.set("key:" + i, i);
    const keys = new Set();
    for await (const some of client.scanStream({ match: "key:*", count: 7 })) some.forEach((key) => keys.add(key));
    assert.strictEqual(keys.size, 100);
  },
  async "says goodbye"() {
    assert.strictEqual(await client.quit(), "OK");
  },
};

run(checks).then(() => process.exit(0));
