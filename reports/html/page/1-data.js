"use strict";
// The data block, unpacked: runs with their events and states (reports/html/html_run.cpp has the form).

const data = JSON.parse(document.getElementById("data").textContent);
const unpacked = new Map();

const milliseconds = (ns) =>
  (Number(ns) / 1e6).toLocaleString("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** A run with its events as objects: { index, at, actor, kind, fields }. */
function runOf(number) {
  if (unpacked.has(number)) return unpacked.get(number);
  const run = data.runs[number];
  let at = 0;
  const events = run.events.map((line, index) => {
    const [kind, ...names] = run.shapes[line[0]];
    const fields = new Map();
    names.forEach((name, i) => {
      const value = line[3 + i];
      if (name.startsWith("$")) fields.set(name.slice(1), run.texts[value]);
      else fields.set(name, Number(value));
    });
    at += Number(line[2]);
    return { index, at, actor: line[1] < 0 ? null : run.actors[line[1]], kind, fields };
  });
  const messages = new Map();
  for (const event of events) {
    if (!event.kind.startsWith("message-")) continue;
    const number = event.fields.get("message");
    if (event.kind === "message-sent") messages.set(number, { sent: event, ended: null });
    else if (messages.has(number) && event.kind !== "message-delayed") messages.get(number).ended = event;
  }
  const result = { ...run, events, messages, changes: changesOf(run) };
  unpacked.set(number, result);
  return result;
}

function changesOf(run) {
  if (!run.states) return [];
  let event = 0;
  return run.states.changes.map(([since, item, value, ends]) => {
    event += since;
    return { event, item, value, ends: ends === undefined ? null : Number(ends) };
  });
}

/** Everything that is there at an event: [{ subject, name, value, ends, changed }] by item. */
function stateAt(run, index) {
  if (!run.states) return [];
  const latest = new Map();
  for (const change of run.changes) {
    if (change.event > index) break;
    latest.set(change.item, change);
  }
  const lines = [];
  run.states.items.forEach(([subject, name], item) => {
    const change = latest.get(item);
    if (!change || change.value === 0) return;
    const value = run.states.values[change.value];
    lines.push({ subject, name, value, ends: change.ends, changed: index > 0 && change.event === index });
  });
  return lines;
}

const hostOf = (actor) => (actor.at(1) === "client-thread" ? actor.at(2) : actor.at(0));

/** How far a host's clocks are ahead of true time: { wall, monotonic } in ns; null: unknown. */
function clocksAt(run, host, index, at) {
  let latest = null;
  for (const change of run.states ? run.states.clocks : []) {
    if (change[0] > index) break;
    if (change[1] === host) latest = change;
  }
  if (!latest) return null;
  const since = at - Number(latest[2]);
  const ahead = (offset, rate) => Number(offset) + (since * rate) / 1e6;
  return { wall: ahead(latest[3], latest[4]), monotonic: ahead(latest[5], latest[6]) };
}
