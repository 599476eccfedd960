const list = document.getElementById("log");
const empty = document.getElementById("log-empty");
const maxEntries = 80;

/** Adds a line to the log, newest first, with its details behind a click. */
export function addEntry({ kind, title, about, at, body }) {
  empty.hidden = true;
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.append(
    element("span", kind === "browser" ? "in the page" : kind, `tag ${kind}`),
    element("b", title),
    element("time", new Date(at).toLocaleTimeString()),
  );
  if (about) summary.append(element("small", about));
  details.append(summary);
  if (body) details.append(element("pre", body));
  const item = document.createElement("li");
  item.append(details);
  list.prepend(item);
  while (list.children.length > maxEntries) list.lastElementChild.remove();
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Calls back for every webhook that the server received, also before this page was opened. */
export function followWebhooks(onWebhook) {
  const state = document.getElementById("feed-state");
  const source = new EventSource("/events");
  let last = 0;
  source.addEventListener("open", () => {
    state.textContent = "listening";
  });
  source.addEventListener("error", () => {
    state.textContent = "the server is away";
  });
  source.addEventListener("message", (message) => {
    const id = Number(message.lastEventId);
    // After a reconnect the server sends its stored entries again; a restarted one counts from 1.
    if (id <= last && last - id < 50) return;
    last = id;
    onWebhook(JSON.parse(message.data));
  });
}
