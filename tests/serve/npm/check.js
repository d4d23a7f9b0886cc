// What both clients' checks share: the lock's scripts as the repository has them, and asserting.
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

const script = (name) =>
  fs.readFileSync(path.join(process.env.LOCKSTEP_SOURCE_DIR, "scripts/plain", name + ".lua"), "utf8");

// Runs checks by name, one after another; the first that fails ends the process.
async function run(checks) {
  for (const [name, check] of Object.entries(checks)) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("it takes longer than 20 s")), 20000);
    });
    try {
      await Promise.race([check(), late]);
      console.log("passed: " + name);
    } catch (error) {
      console.error("failed: " + name);
      console.error(error);
      process.exit(1);
    }
    clearTimeout(timer);
  }
}

module.exports = { assert, script, run, port: Number(process.env.REDIS_PORT) };
