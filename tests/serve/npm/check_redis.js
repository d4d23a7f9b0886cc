// The npm client `redis` (node-redis) against a running server, in RESP2 and RESP3: REDIS_PORT says
// where.
"use strict";
const { createClient, defineScript } = require("redis");
const { assert, script, run, port } = require("./check");

const scripts = {
  acquire: defineScript({
    SCRIPT: script("acquire"),
    NUMBER_OF_KEYS: 1,
    parseCommand(parser, key, lease_ms, owner) {
      parser.pushKey(key);
      parser.push(String(lease_ms), owner);
    },
    transformReply: (reply) => reply,
  }),
};

async function connect(RESP) {
  const client = createClient({
    socket: { port, host: "127.0.0.1", reconnectStrategy: false }, RESP, scripts,
  });
  client.on("error", (error) => {
    console.error(error);
    process.exit(1);
  });
  return client.connect();
}

const checks_with = (RESP) => ({
  async "connects, reads and writes"() {
    const client = await connect(RESP);
    await client.flushAll();
    assert.strictEqual(await client.set("a", "b", { expiration: { type: "PX", value: 60000 } }), "OK");
    assert.strictEqual(await client.set("a", "c", { condition: "NX" }), null);
    assert.strictEqual(await client.get("a"), "b");
    assert.strictEqual(await client.hSet("h", { f: "1", g: "2" }), 2);
    assert.deepStrictEqual({ ...(await client.hGetAll("h")) }, { f: "1", g: "2" });
    await client.zAdd("z", [{ score: 1.5, value: "m" }, { score: 2, value: "n" }]);
    assert.deepStrictEqual(await client.zRangeWithScores("z", 0, -1),
      [{ value: "m", score: 1.5 }, { value: "n", score: 2 }]);
    assert.deepStrictEqual(await client.sAdd("s", ["1", "2"]), 2);
    assert.deepStrictEqual([...(await client.sMembers("s"))].sort(), ["1", "2"]);
    await assert.rejects(client.incr("h"), /WRONGTYPE/);
    await client.close();
  },
  async "runs a lock's script"() {
    const client = await connect(RESP);
    await client.sendCommand(["SCRIPT", "FLUSH"]);
    assert.strictEqual(await client.acquire("lock", 30000, "me:1"), null);
    const left = await client.acquire("lock", 30000, "you:1");
    assert.ok(left > 29000 && left <= 30000, String(left));
    assert.deepStrictEqual(await client.eval("return {KEYS[1], ARGV[1], false, 3.9}",
      { keys: ["k"], arguments: ["v"] }), ["k", "v", null, 3]);
    await client.close();
  },
  async "sends what is asked at once as a pipeline"() {
    const client = await connect(RESP);
    await client.del("n");
    const replies = await Promise.all(Array.from({ length: 1000 }, () => client.incr("n")));
    assert.deepStrictEqual(replies, replies.map((_, i) => i + 1));
    await client.close();
  },
  async "takes part in transactions"() {
    const client = await connect(RESP);
    const other = await connect(RESP);
    assert.deepStrictEqual(await client.multi().set("t", "1").incr("t").exec(), ["OK", 2]);
    await client.watch("t");
    await other.set("t", "5");
    await assert.rejects(client.multi().incr("t").exec(), /watched keys/);
    await other.close();
    await client.close();
  },
  async "hears messages"() {
    const client = await connect(RESP);
    const listener = await connect(RESP);
    const heard = [];
    await listener.subscribe("news", (message, channel) => heard.push([channel, message]));
    await listener.pSubscribe("n*", (message, channel) => heard.push(["n*", channel, message]));
    assert.strictEqual(await client.publish("news", "hello"), 2);
    while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepStrictEqual(heard, [["news", "hello"], ["n*", "news", "hello"]]);
    await listener.unsubscribe("news");
    await listener.pUnsubscribe("n*");
    assert.strictEqual(await client.publish("news", "nobody"), 0);
    await listener.close();
    await client.close();
  },
  async "waits for an element"() {
    const client = await connect(RESP);
    const waiting = await connect(RESP);
    await client.del("queue");
    const element = waiting.blPop("queue", 10);
    await client.rPush("queue", "x");
    assert.deepStrictEqual({ ...(await element) }, { key: "queue", element: "x" });
    assert.strictEqual(await waiting.blPop("queue", 0.1), null);
    await waiting.close();
    await client.close();
  },
  async "scans"() {
    const client = await connect(RESP);
    await client.flushDb();
    for (let i = 0; i < 100; ++i) await client.set("key:" + i, i);
    const keys = new Set();
    for await (const some of client.scanIterator({ MATCH: "key:*", COUNT: 7 })) some.forEach((key) => keys.add(key));
    assert.strictEqual(keys.size, 100);
    await client.close();
  },
});

const named = (RESP) => Object.fromEntries(
  Object.entries(checks_with(RESP)).map(([name, check]) => [`RESP${RESP}: ${name}`, check]));

run({ ...named(2), ...named(3) }).then(() => process.exit(0));
