// The timeline: zoom, moving about, the mark of where one stands, and what hovering says.

const picture = document.getElementById("picture");
const tip = document.getElementById("tip");
const shown = { svg: null, width: 0, height: 0, zoom: 1, mark: null, run: null, go: null };

function showPicture(number, run, go) {
  picture.replaceChildren();
  Object.assign(shown, { svg: null, run, go, zoom: 1 });
  const template = document.getElementById(`picture-${number}`);
  const svg = template ? template.content.querySelector("svg") : null;
  if (!svg) return;
  shown.svg = document.importNode(svg, true);
  [, , shown.width, shown.height] = shown.svg.getAttribute("viewBox").split(/\s+/).map(Number);
  shown.mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  shown.mark.id = "here";
  shown.svg.append(shown.mark);
  shown.heads = headsOf(shown.svg, run.heads);
  picture.append(shown.heads, shown.svg);
  fit();
}

/** The lanes' heads once more: they stay where the picture is scrolled down. */
function headsOf(svg, [top, bottom]) {
  const box = make("div");
  box.id = "heads";
  box.hidden = true;
  box.setAttribute("aria-hidden", "true");
  const heads = svg.cloneNode(false);
  heads.removeAttribute("role");
  heads.removeAttribute("aria-label");
  heads.setAttribute("viewBox", `0 ${top} ${shown.width} ${bottom - top}`);
  const graph = svg.querySelector("g.graph");
  if (graph) {
    const copy = graph.cloneNode(false);
    copy.removeAttribute("id");
    const isHead = (text) => Number(text.getAttribute("y")) > top - shown.height && Number(text.getAttribute("y")) < bottom - shown.height;
    for (const text of graph.querySelectorAll("text")) if (isHead(text)) copy.append(text.cloneNode(true));
    heads.append(copy);
  }
  box.append(heads);
  return box;
}

function sizeHeads() {
  const heads = shown.heads.firstChild;
  const [top, bottom] = shown.run.heads;
  heads.setAttribute("width", Math.round(shown.width * shown.zoom));
  heads.setAttribute("height", Math.round((bottom - top) * shown.zoom));
  shown.heads.hidden = picture.scrollTop <= top * shown.zoom;
}
picture.addEventListener("scroll", () => { if (shown.svg) sizeHeads(); });

function zoomTo(zoom) {
  if (!shown.svg) return;
  const middle = (picture.scrollTop + picture.clientHeight / 2) / shown.zoom;
  shown.zoom = Math.min(8, Math.max(0.2, zoom));
  shown.svg.setAttribute("width", Math.round(shown.width * shown.zoom));
  shown.svg.setAttribute("height", Math.round(shown.height * shown.zoom));
  picture.scrollTop = middle * shown.zoom - picture.clientHeight / 2;
  sizeHeads();
}

function fit() {
  if (shown.svg) zoomTo(Math.max(0.6, (picture.clientWidth - 18) / shown.width));
}

/** The last row that does not begin after this time. */
function rowAt(at) {
  let found = null;
  for (const row of shown.run.rows) {
    if (row[0] > at) break;
    found = row;
  }
  return found || shown.run.rows[0];
}

/** As it stands beside its row in the picture. */
function rowTime(row) {
  return row[1] > row[0] ? `${milliseconds(row[0])} to ${milliseconds(row[1])} ms` : `${milliseconds(row[0])} ms`;
}

function markAt(at) {
  if (!shown.svg || shown.run.rows.length === 0) return;
  const [, until, top, bottom] = rowAt(at);
  const isBetween = at > until;  // it has no row of its own
  const y = isBetween ? bottom : top;
  shown.mark.setAttribute("x", 1);
  shown.mark.setAttribute("y", y);
  shown.mark.setAttribute("width", Math.max(0, shown.width - 2));
  shown.mark.setAttribute("height", isBetween ? 2 : Math.max(2, bottom - top));
  const at_y = y * shown.zoom;
  const heads = (shown.run.heads[1] - shown.run.heads[0]) * shown.zoom;
  const isSeen = at_y > picture.scrollTop + heads + 10 && at_y < picture.scrollTop + picture.clientHeight - 80;
  if (!isSeen) picture.scrollTop = at_y - picture.clientHeight / 2;
}

function rowUnder(pointer) {
  const box = shown.svg.getBoundingClientRect();
  const y = ((pointer.clientY - box.top) / box.height) * shown.height;
  return shown.run.rows.find((row) => y >= row[2] && y <= row[3]) || null;
}

function describe(pointer) {
  const row = rowUnder(pointer);
  const lines = [];
  const part = pointer.target.closest("g.node, g.edge");
  const said = part && part.querySelector("title");
  if (said) lines.push(said.textContent);
  if (row) {
    const events = shown.run.events.filter((event) => event.at >= row[0] && event.at <= row[1]);
    lines.push(`${rowTime(row)}: ${events.length} event${events.length === 1 ? "" : "s"}`);
    for (const event of events.filter((each) => /^message-(sent|delivered|lost)$/.test(each.kind)).slice(0, 4))
      lines.push(messageLines(shown.run, event).map(([name, text]) => `${name}: ${text}`).join("\n"));
  }
  return lines.join("\n");
}

function hideTip() {
  tip.hidden = true;
}

function showTip(pointer) {
  const text = shown.svg && pointer.target.closest("svg") ? describe(pointer) : "";
  if (!text) return hideTip();
  tip.textContent = text;
  tip.hidden = false;
  const left = Math.min(pointer.clientX + 16, window.innerWidth - tip.offsetWidth - 8);
  const isLow = pointer.clientY + tip.offsetHeight + 24 > window.innerHeight;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${isLow ? Math.max(4, pointer.clientY - tip.offsetHeight - 12) : pointer.clientY + 16}px`;
}

let drag = null;
picture.addEventListener("pointerdown", (pointer) => {
  if (pointer.button !== 0 || pointer.target === picture) return;
  drag = { x: pointer.clientX, y: pointer.clientY, left: picture.scrollLeft, top: picture.scrollTop, moved: false };
});
window.addEventListener("pointermove", (pointer) => {
  if (!drag) return;
  const x = pointer.clientX - drag.x;
  const y = pointer.clientY - drag.y;
  if (!drag.moved && Math.abs(x) + Math.abs(y) < 5) return;
  drag.moved = true;
  picture.classList.add("dragged");
  picture.scrollLeft = drag.left - x;
  picture.scrollTop = drag.top - y;
  hideTip();
});
window.addEventListener("pointerup", (pointer) => {
  const ended = drag;
  drag = null;
  picture.classList.remove("dragged");
  if (!ended || ended.moved || !shown.svg) return;
  const row = rowUnder(pointer);
  const event = row && shown.run.events.find((each) => each.at >= row[0]);
  if (event) shown.go(event.index);
});
picture.addEventListener("pointermove", (pointer) => {
  if (!drag) showTip(pointer);
});
picture.addEventListener("pointerleave", hideTip);
picture.addEventListener("wheel", (wheel) => {
  if (!wheel.ctrlKey) return;
  wheel.preventDefault();
  zoomTo(shown.zoom * (wheel.deltaY < 0 ? 1.15 : 1 / 1.15));
}, { passive: false });
