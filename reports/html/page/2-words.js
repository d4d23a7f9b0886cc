// Events and messages in words. Patterns come from reports/states/event_words.cpp, which fills them alike.

function fieldOf(event, name) {
  if (!event.fields.has(name)) return "";
  const value = event.fields.get(name);
  if (name.endsWith("_ns")) return value < 0 ? "" : `${milliseconds(value)} ms`;
  if (value === "" && (name === "holders" || name === "owners")) return "nobody";
  return String(value);
}

function messageWords(run, event) {
  const message = run.messages.get(event.fields.get("message"));
  if (!message) return `message ${fieldOf(event, "message")}`;
  const sent = message.sent;
  return `${fieldOf(sent, "label")} of ${sent.actor ? sent.actor[0] : "nobody"} (message ${fieldOf(event, "message")})`;
}

function fill(run, event, pattern) {
  const numbered = event.kind !== "message-sent" && event.kind.startsWith("message-");
  return pattern
    .replace(/\[\?(\w+):([^\]]*)\]/g, (all, name, text) => {
      const said = fieldOf(event, name);
      return said !== "" && said !== "0" ? text : "";
    })
    .replace(/\{(\w+)\}/g, (all, name) =>
      name === "message" && numbered ? messageWords(run, event) : fieldOf(event, name));
}

function sentence(run, event) {
  const who = event.actor ? `${event.actor[0]} ` : "";
  const pattern = data.patterns[event.kind];
  if (pattern !== undefined) return who + fill(run, event, pattern);
  const fields = [...event.fields.keys()].map((name) => `, ${name}: ${fieldOf(event, name)}`);
  return who + event.kind + fields.join("");
}

/** What a message brought: the arguments of a request, or what a reply says. */
function contentOf(run, message) {
  const label = fieldOf(message.sent, "label");
  if (label.startsWith("reply to ")) {
    const asked = label.slice("reply to ".length);
    for (let i = message.sent.index; i >= 0 && run.events[i].at === message.sent.at; --i) {
      const event = run.events[i];
      if (event.kind === "command-executed" && fieldOf(event, "label") === asked) return fieldOf(event, "reply");
    }
    return "";
  }
  if (!message.ended || message.ended.kind !== "message-delivered") return "";
  const behalf = fieldOf(message.sent, "on_behalf_of");
  for (const event of run.events.slice(message.ended.index, message.ended.index + 400)) {
    if (event.kind !== "command-executed" || event.actor[0] !== message.ended.actor[0]) continue;
    if (fieldOf(event, "label") === label && fieldOf(event, "on_behalf_of") === behalf)
      return `${fieldOf(event, "command")} ${fieldOf(event, "arguments")}`;
  }
  return "";
}

function clockWords(run, event) {
  if (!event.actor) return "";
  const host = hostOf(event.actor);
  const clocks = clocksAt(run, host, event.index, event.at);
  if (!clocks) return `${milliseconds(event.at)} ms`;
  const off = (ahead) =>
    Math.abs(ahead) < 1000 ? "right" : `${milliseconds(Math.abs(ahead))} ms ${ahead > 0 ? "ahead" : "behind"}`;
  return `${milliseconds(event.at)} ms; ${host}'s wall clock ${milliseconds(event.at + clocks.wall)} ms (${off(clocks.wall)}), monotonic ${off(clocks.monotonic)}`;
}

/** [[name, text]] about the message that an event sends, brings or loses; empty: it does not. */
function messageLines(run, event) {
  const message = run.messages.get(event.fields.get("message"));
  if (!message) return [];
  const { sent, ended } = message;
  const lines = [["message", `${fieldOf(sent, "label")} from ${sent.actor[0]} to ${fieldOf(sent, "to")}`]];
  const content = contentOf(run, message);
  if (content) lines.push(["content", content]);
  lines.push(["sent", clockWords(run, sent)]);
  if (!ended) lines.push(["fate", "still under way at the end"]);
  else if (ended.kind === "message-delivered") lines.push(["arrives", clockWords(run, ended)]);
  else lines.push(["fate", `${ended.kind.replace("message-", "")} ${fieldOf(ended, "why")}`]);
  return lines;
}
