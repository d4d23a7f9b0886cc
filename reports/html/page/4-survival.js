// What locks survive: a table for each, whose cells open the run of what broke there.

const cellWords = { untested: "-", limit: "limit", known: "known flaw", bug: "✗ BUG" };
const cellClasses = { untested: "quiet", held: "good", limit: "quiet", known: "bad", bug: "bad" };

/** A button that opens a finding's run, or its words alone where none is here. */
function findingButton(finding, words) {
  const line = finding && finding.entry !== null ? lines[finding.entry] : undefined;
  if (!line || line.scenario.run === null) return words;
  const button = make("button", words);
  button.type = "button";
  button.addEventListener("click", () => choose(line));
  return button;
}

function survivalCell(target, cell) {
  const words = cell.state === "held" ? Number(cell.held).toLocaleString("en-US") : cellWords[cell.state];
  const part = make("td", "", cellClasses[cell.state]);
  const findings = cell.findings.map((place) => target.findings[place]);
  part.append(findingButton(findings.find((each) => each.entry !== null) || null, words));
  return part;
}

function survivalTable(target) {
  const head = make("tr");
  head.append(make("td", ""));
  for (const promise of target.promises) {
    const title = make("th", promise);
    title.scope = "col";
    head.append(title);
  }
  const rows = target.rows.map((each) => {
    const row = make("tr");
    const title = make("th", each.faults);
    title.scope = "row";
    title.title = each.kinds.map((kind) => kind.kind).join(", ");
    row.append(title, ...target.promises.map((promise) => survivalCell(target, each.cells[promise])));
    return row;
  });
  const top = make("thead"), rest = make("tbody"), table = make("table");
  top.append(head);
  rest.append(...rows);
  table.append(top, rest);
  const box = make("div", undefined, "scroll");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `What ${target.lock} survives`);
  box.append(table);
  return box;
}

function findingItem(finding) {
  const item = make("li", "");
  const kinds = finding.kinds.length === 0 ? "without any fault" : `because of ${finding.kinds.join(", ")}`;
  const known = finding.known ? `: ${finding.known}` : "";
  const words = `${finding.kind === "known" ? "known flaw" : finding.kind}: ${[finding.property, ...finding.also].join(", ")}, ${kinds}${known}`;
  item.append(findingButton(finding, words), make("br"), make("span", finding.cause.join(" "), "quiet"));
  return item;
}

function showSurvival() {
  for (const target of data.survival) {
    const list = make("ul");
    const order = ["bug", "known", "limit"];
    const findings = [...target.findings].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
    list.append(...findings.map(findingItem));
    const by = target.contract.standard ? `It has no [contract]: judged by the standard one of ${target.contract.family} locks.` : "Judged by its [contract].";
    const reasons = Object.entries(target.contract.reasons).map(([assumption, reason]) => make("p", `It assumes ${assumption}: ${reason}`, "quiet"));
    element("survival").append(make("h2", target.lock), make("p", target.conclusion), make("p", by, "quiet"), ...reasons, survivalTable(target), list);
  }
  element("survival").hidden = data.survival.length === 0;
}
