// The table of scenarios, its filters, and the keyboard.

const lineWords = { "as-expected": "✓ as expected", "not-as-expected": "✗ not as expected", unknown: "? unknown", finding: "✗ a finding" };
/** Of what a campaign found: as the contract takes it. */
const kindWords = { bug: "✗ bug", known: "known flaw", limit: "limit" };
const kinds = new Map(data.survival.flatMap((target) => target.findings.map((finding) => [finding.entry, finding.kind])));

function violatedOf(scenario) {
  if (scenario.properties) return scenario.properties.filter((each) => each.violated > 0).map((each) => each.property);
  return data.runs[scenario.run].verdicts.filter((each) => each.result === "violated").map((each) => each.property);
}

const lines = data.scenarios.map((scenario, entry) => {
  const violated = violatedOf(scenario);
  const row = make("tr");
  const outcome = scenario.outcome || "";
  const kind = kinds.get(entry);
  const isBad = kind ? kind === "bug" : outcome === "not-as-expected" || outcome === "finding";
  row.append(make("td", kindWords[kind] || lineWords[outcome] || "a run", isBad ? "bad" : outcome === "as-expected" ? "good" : "quiet"));
  const name = make("td");
  if (scenario.run !== null) {
    const button = make("button", scenario.title);
    button.type = "button";
    button.addEventListener("click", () => choose(line));
    name.append(button);
  } else {
    name.append(scenario.title);
  }
  name.append(make("br"), make("span", scenario.path, "quiet"));
  for (const complaint of scenario.complaints || []) name.append(make("br"), make("span", complaint, "bad"));
  for (const each of scenario.untested || []) name.append(make("br"), make("span", each.why, "quiet"), ...(each.change ? [make("pre", each.change)] : []));
  if (scenario.run === null && scenario.tested) name.append(make("br"), make("span", testedWords(scenario), "quiet"));
  if (scenario.run === null && scenario.example)
    name.append(make("br"), make("span", `Its run of ${scenario.example.events} events is left out here. `, "quiet"), make("code", scenario.replay || ""));
  row.append(name, make("td", scenario.lock), make("td", violated.join(", ")), make("td", scenario.runs === undefined ? "1" : String(scenario.runs)));
  const line = { scenario, row, outcome, violated, text: [scenario.title, scenario.path, scenario.lock, ...violated].join("\n").toLowerCase() };
  return line;
});

function choose(line, event) {
  for (const each of lines) {
    if (each === line) each.row.setAttribute("aria-current", "true");
    else each.row.removeAttribute("aria-current");
  }
  const table = line.row.closest(".scroll");
  if (table) table.scrollTop = Math.max(0, line.row.offsetTop - 60);
  current.line = lines.indexOf(line);
  openRun(line.scenario.run, event);
}

// -- addresses: #finding=3&event=57 is the 57th event of the third line's run --

function setAddress(event) {
  const address = `#finding=${current.line + 1}&event=${event}`;
  element("address").setAttribute("href", address);
  if (location.hash !== address) history.replaceState(null, "", address);
}

/** Goes where the address says; false: it says nothing, or there is no such run. */
function goToAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const line = lines[Number(asked.get("finding")) - 1];
  if (!line || line.scenario.run === null) return false;
  const event = Number(asked.get("event") ?? "none");
  choose(line, Number.isInteger(event) && event >= 0 ? event : undefined);
  return true;
}
window.addEventListener("hashchange", goToAddress);

function isShown(line) {
  const outcome = element("outcome").value;
  const wanted = element("filter").value.trim().toLowerCase();
  const isOutcome = outcome === "" || (outcome === "violated" ? line.violated.length > 0 : line.outcome === outcome);
  return isOutcome && wanted.split(/\s+/).every((word) => line.text.includes(word));
}

function filter() {
  let count = 0;
  for (const line of lines) {
    line.row.hidden = !isShown(line);
    if (!line.row.hidden) ++count;
  }
  element("shown").textContent = `${count} of ${lines.length} shown`;
  // What is open below is one of those that are shown.
  const isOpenShown = current.line === undefined || !lines[current.line].row.hidden;
  const other = isOpenShown ? undefined : lines.find((line) => !line.row.hidden && line.scenario.run !== null);
  if (other) choose(other);
}

function neighbour(direction) {
  const open = lines.filter((line) => !line.row.hidden && line.scenario.run !== null);
  const at = open.findIndex((line) => line.scenario.run === current.number);
  const next = open[at + direction];
  if (next) choose(next);
}

const keys = {
  ArrowRight: "next", ArrowLeft: "back", ArrowDown: "down", ArrowUp: "up", Home: "first", End: "last",
  v: "violation", "+": "in", "=": "in", "-": "out", 0: "fit",
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (isTyping) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.key === "/") element("filter").focus();
  else if (event.key === "[") neighbour(-1);
  else if (event.key === "]") neighbour(1);
  else if (keys[event.key] && current.run) actions[keys[event.key]]();
  else return;
  event.preventDefault();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-do]");
  if (button && current.run) actions[button.dataset.do]();
});
element("filters").addEventListener("submit", (event) => event.preventDefault());
element("filter").addEventListener("input", filter);
element("outcome").addEventListener("change", filter);

showSurvival();
element("title").textContent = document.title;
element("summary").textContent = data.summary || "";
element("passed-over").textContent = data.passed_over.length === 0 ? ""
  : `Passed over, for they are to be searched: ${data.passed_over.join(", ")}`;
listInto(element("rows"), lines.map((line) => line.row));
element("scenarios").hidden = lines.length === 1 && lines[0].scenario.run !== null &&
  data.passed_over.length === 0;
filter();
const firstLine = lines.find((line) => line.outcome === "not-as-expected" && line.scenario.run !== null) ||
  lines.find((line) => line.violated.length > 0 && line.scenario.run !== null) ||
  lines.find((line) => line.scenario.run !== null);
if (!goToAddress() && firstLine) choose(firstLine);
