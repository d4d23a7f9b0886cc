// Tells Lockstep what this program believes of its lock. Without Lockstep it does nothing.
//
//     import lockstep from "./lockstep.cjs";          // or: const lockstep = require("./lockstep.cjs");
//     const redlock = lockstep.watched(new Redlock([client]));
//
// Copy this file beside your program, and leave the calls in your code: docs/real-clients.md.
"use strict";

const fs = require("fs");
const net = require("net");

const report = process.env.LOCKSTEP_REPORT;

function say(...words) {
  if (report === undefined) return;
  fs.writeSync(Number(report), words.filter((word) => word !== undefined).join(" ") + "\n");
  beginRun();
}

/// I ask for the lock, and wait for the answer.
const acquiring = (name) => say("ACQUIRING", name);
/// I have it, with this fencing token, until my wall clock shows so many ms. Undefined: not told.
const acquired = (name, token, validUntilMs) =>
  say("ACQUIRED", name, token ?? (validUntilMs === undefined ? undefined : "-"), validUntilMs);
/// I was not given it.
const refused = (name) => say("REFUSED", name);
/// I am about to give it back: to be called before the release is sent.
const released = (name) => say("RELEASED", name);
/// I was told that it is no longer mine.
const lost = (name) => say("LOST", name);

/// Reads the protected resource: its version, or undefined without Lockstep.
const read = async () => (report === undefined ? undefined : ask("READ"));

/// Writes the protected resource, as read in this version; false where it refuses the token.
async function write(version, token) {
  if (report === undefined) return true;
  const words = [version ?? (await read()), ...(token === undefined ? [] : [token])];
  return (await ask("WRITE", ...words)) !== undefined;
}

/// A Redlock (of redlock 4 or 5), or a mutex of redis-semaphore, that says what it does.
function watched(lock, name) {
  if (report === undefined) return lock;
  if (typeof lock.tryAcquire === "function") return watchSemaphore(lock, name);
  return watchRedlock(lock, typeof lock.using === "function" ? ["acquire"] : Object.keys(redlock4), name);
}

const redlock4 = { lock: 0, acquire: 0, lockWithOptions: 0, acquireWithOptions: 0 };

function watchRedlock(redlock, takers, name) {
  const granted = new WeakSet();
  const namesOf = (lock) => (name ? [name] : [lock.resources ?? lock.resource ?? lock].flat());
  const watch = (method, before, after, failed) => {
    const original = redlock[method];
    redlock[method] = function (lock, ...others) {
      const names = namesOf(lock);
      before(names, lock);
      const callback = typeof others.at(-1) === "function" ? others.pop() : undefined;
      const result = original.call(redlock, lock, ...others).then(
        (value) => (after(names, value), value),
        (error) => { failed(names, lock); throw error; });
      return callback ? result.then((value) => callback(null, value), callback) : result;
    };
  };
  const nothing = () => {};
  for (const method of takers) {
    watch(method, (names) => names.forEach(acquiring),
          (names, lock) => { granted.add(lock); names.forEach((each) => acquired(each, undefined, lock.expiration)); },
          (names) => names.forEach(refused));
  }
  watch("extend", nothing, (_, lock) => granted.add(lock),
        (names, lock) => { if (lock.expiration <= Date.now()) names.forEach(lost); });
  for (const method of ["release", "unlock"]) {
    if (!redlock[method]) continue;
    // An attempt that failed gives back what it got, too: that was never believed.
    watch(method, (names, lock) => { if (granted.delete(lock)) names.forEach(released); }, nothing, nothing);
  }
  return redlock;
}

function watchSemaphore(mutex, name = mutex._key) {
  const { tryAcquire, release, _onLockLost: onLockLost } = mutex;
  mutex.tryAcquire = async (...options) => {
    acquiring(name);
    let granted = false;
    try {
      granted = await tryAcquire.apply(mutex, options);
    } finally {
      granted ? acquired(name) : refused(name);
    }
    return granted;
  };
  mutex.release = (...options) => {
    released(name);
    return release.apply(mutex, options);
  };
  mutex._onLockLost = (...reasons) => {
    lost(name);
    return onLockLost.apply(mutex, reasons);
  };
  return mutex;
}

let resource;
const waiting = [];

function ask(...words) {
  if (!resource) {
    resource = net.connect(1, "resource");
    let text = "";
    resource.on("data", (data) => {
      text += data;
      for (let end; (end = text.indexOf("\r\n")) >= 0; text = text.slice(end + 2)) {
        const line = text.slice(0, end);
        waiting.shift()(line.startsWith(":") ? Number(line.slice(1)) : undefined);
      }
      if (waiting.length === 0) resource.unref();
    });
  }
  resource.ref();
  const parts = words.map((word) => `$${String(word).length}\r\n${word}\r\n`);
  resource.write(`*${parts.length}\r\n${parts.join("")}`);
  return new Promise((resolve) => waiting.push(resolve));
}

// With reuse = "fork" a run is a fork of one process, made as that connects or reports for the first time. Its random
// numbers are to be the run's own, and Math.random can't be given a seed.
let hasBegun = false;

function beginRun() {
  if (hasBegun) return;
  hasBegun = true;
  const file = fs.openSync("/dev/urandom", "r");
  const seed = new Uint32Array(4);
  fs.readSync(file, new Uint8Array(seed.buffer));
  fs.closeSync(file);
  let [a, b, c, d] = seed;
  Math.random = () => {  // sfc32
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}

if (report !== undefined) {
  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...options) {
    this.once("connectionAttempt", () => process.nextTick(beginRun));
    for (const event of ["connect", "error"]) this.prependOnceListener(event, beginRun);
    return connect.apply(this, options);
  };
}

module.exports = { watched, acquiring, acquired, refused, released, lost, read, write };
