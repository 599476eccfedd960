const list = document.getElementById("log");
const empty = document.getElementById("log-empty");
const mostEntries = 80;

/** One line of what happened, the newest first, with all of it behind a click. */
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
  while (list.children.length > mostEntries) list.lastElementChild.remove();
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** What the product's server received, also before this page was opened. */
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
    // After a pause the server tells everything again, unless it was started anew.
    if (id <= last && last - id < 50) return;
    last = id;
    onWebhook(JSON.parse(message.data));
  });
}
