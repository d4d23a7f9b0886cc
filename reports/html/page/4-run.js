// One run: stepping through its events, and what stands beside them.

const element = (id) => document.getElementById(id);
const current = { run: null, number: null, at: 0 };

function make(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function listInto(parent, children) {
  parent.replaceChildren(...children);
}

function eventButton(text, index) {
  const button = make("button", text);
  button.type = "button";
  button.addEventListener("click", () => goTo(index));
  return button;
}

/** Opens a run at an event; where none is asked for, where it broke. */
function openRun(number, at) {
  const run = runOf(number);
  Object.assign(current, { run, number, at: 0 });
  element("run").hidden = false;
  element("run-title").textContent = run.title;
  element("run-made").textContent =
    `${run.path} · lock ${run.lock} · ${run.made_by} · ${run.events.length} events, ended ${run.ended} at ${milliseconds(run.ended_at)} ms · hash ${run.hash}`;
  const held = run.verdicts.filter((verdict) => verdict.result === "holds").map((verdict) => verdict.property + (verdict.tested ? "" : " (not put to the test)"));
  const others = run.verdicts.filter((verdict) => verdict.result !== "holds").map(verdictLine);
  listInto(element("verdicts"), held.length === 0 ? others : [...others, make("li", `✓ holds: ${held.join(", ")}`, "good")]);
  element("tested").textContent = testedWords(data.scenarios.find((scenario) => scenario.run === number));
  element("why").textContent = run.why.length > 0 ? `Why: ${run.why.join(" ")}` : "";
  const everybody = make("option", "everybody");
  everybody.value = "";
  listInto(element("actor"), [everybody, ...run.actors.filter((actor) => actor[1] !== "client").map((actor) => make("option", actor[0]))]);
  showHistory(run);
  element("struck-part").hidden = run.struck.length === 0;
  listInto(element("struck"), run.struck.map(([at, what]) => make("li", `${milliseconds(at)} ms: ${what}`)));
  element("scenario").textContent = run.scenario + run.bases.map(([path, text]) => `\n# -- ${path} --\n${text}`).join("");
  element("replay").textContent = run.replay || run.confirm || "";
  showPicture(number, run, goTo);
  goTo(at !== undefined ? at : run.violation === null ? 0 : run.violation);
}

/** In how many of the scenario's runs what held was put to the test. */
function testedWords(scenario) {
  return scenario.tested ? `Put to the test: ${scenario.tested}` : "";
}

function verdictLine(verdict) {
  const isViolated = verdict.result === "violated";
  const line = make("li");
  line.append(make("span", `${isViolated ? "✗ violated" : "? unknown"}: ${verdict.property}`, isViolated ? "bad" : "quiet"));
  if (verdict.summary) line.append(` – ${verdict.summary}`);
  const evidence = make("ul");
  for (const each of isViolated ? verdict.evidence : []) {
    const until = each.until ? ` to ${milliseconds(each.until[0])}` : "";
    const who = each.who && !each.what.startsWith(each.who) ? `${each.who}: ` : "";
    const item = make("li");
    item.append(eventButton(`${who}${each.what} (${milliseconds(each.from[0])}${until} ms)`, each.from[1]));
    evidence.append(item);
  }
  if (evidence.children.length > 0) line.append(evidence);
  return line;
}

function showHistory(run) {
  element("history-part").hidden = run.history.length === 0;
  const [answer, order, words] = run.linearization || ["", [], ""];
  element("linearization").textContent = words;
  const places = new Map(order.map((operation, place) => [operation, place + 1]));
  element("order").textContent = answer === "linearizable" ? "Order that explains it" : "Order";
  listInto(element("history"), run.history.map(([kind, owner, lock, invoked, completed, outcome, lease], index) => {
    const row = make("tr");
    const invokedCell = make("td");
    invokedCell.append(eventButton(`${milliseconds(invoked[0])} ms`, invoked[1]));
    const completedCell = make("td");
    completedCell.append(completed ? eventButton(`${milliseconds(completed[0])} ms`, completed[1]) : "never");
    row.append(make("td", kind), make("td", owner), make("td", lock), invokedCell, completedCell, make("td", outcome), make("td", Number(lease) > 0 ? `${milliseconds(lease)} ms` : ""), make("td", places.has(index) ? String(places.get(index)) : "–"));
    return row;
  }));
}

function goTo(index) {
  const run = current.run;
  if (!run || run.events.length === 0) {
    element("place").textContent = "Nothing happened in this run.";
    return;
  }
  current.at = Math.min(run.events.length - 1, Math.max(0, index));
  const event = run.events[current.at];
  element("place").textContent = `Event ${current.at} of 0 to ${run.events.length - 1}, at ${milliseconds(event.at)} ms`;
  setAddress(current.at);
  element("event").textContent = sentence(run, event);
  listInto(element("message"), messageLines(run, event).flatMap(([name, text]) => [make("dt", name), make("dd", text)]));
  showAround(run);
  showState(run, event);
  markAt(event.at);
}

function showAround(run) {
  const first = Math.max(0, Math.min(current.at - 4, run.events.length - 9));
  listInto(element("around"), run.events.slice(first, first + 9).map((event) => {
    const line = make("li");
    if (event.index === current.at) line.setAttribute("aria-current", "true");
    line.append(make("time", `${milliseconds(event.at)}`), eventButton(sentence(run, event), event.index));
    return line;
  }));
}

function lineText(line, at) {
  if (line.ends === null) return line.value;
  return line.ends <= at ? `${line.value}, expired` : `${line.value}, ${milliseconds(line.ends - at)} ms left`;
}

function showState(run, event) {
  const parts = [];
  let subject = null;
  let list = null;
  for (const line of stateAt(run, event.index)) {
    if (line.subject !== subject) {
      subject = line.subject;
      list = make("dl");
      parts.push(make("h3", subject), list);
      const clocks = clocksAt(run, subject, event.index, event.at);
      if (clocks && (Math.abs(clocks.wall) >= 1000 || Math.abs(clocks.monotonic) >= 1000))
        list.append(make("dt", "clocks"), make("dd", `wall ${milliseconds(clocks.wall)} ms, monotonic ${milliseconds(clocks.monotonic)} ms ahead`));
    }
    list.append(make("dt", line.name), make("dd", lineText(line, event.at), line.changed ? "changed" : ""));
  }
  if (!run.states) parts.push(make("p", "The states of this run were not kept.", "quiet"));
  listInto(element("state"), parts);
}

/** The nearest event in a direction, of the chosen actor only, that the predicate takes. */
function seek(direction, isWanted) {
  const chosen = element("actor").value;
  const events = current.run.events;
  for (let i = current.at + direction; i >= 0 && i < events.length; i += direction) {
    const actor = events[i].actor;
    const isChosen = chosen === "" || (actor !== null && (actor[0] === chosen || (actor[1] !== "client-thread" && actor[2] === chosen)));
    if (isChosen && isWanted(events[i])) return goTo(i);
  }
}

const actions = {
  first: () => goTo(0),
  last: () => goTo(current.run.events.length - 1),
  next: () => seek(1, () => true),
  back: () => seek(-1, () => true),
  down: () => seek(1, (event) => event.at !== current.run.events[current.at].at),
  up: () => seek(-1, (event) => event.at !== current.run.events[current.at].at),
  violation: () => { if (current.run.violation !== null) goTo(current.run.violation); },
  in: () => zoomTo(shown.zoom * 1.25),
  out: () => zoomTo(shown.zoom / 1.25),
  fit: () => fit(),
};

// -- copying --

async function copy(id) {
  const text = element(id).textContent;
  let isDone = false;
  try {
    await navigator.clipboard.writeText(text);
    isDone = true;
  } catch {
    const range = document.createRange();
    range.selectNodeContents(element(id));
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    isDone = document.execCommand("copy");
  }
  element("copied").textContent = isDone ? `Copied the ${id === "replay" ? "command" : "scenario"}.` : "It is marked: copy it with the keyboard.";
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (button && current.run) copy(button.dataset.copy);
});
