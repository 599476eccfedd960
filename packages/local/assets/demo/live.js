/** A card for every live domain: how to open it, and a preview through the edge. */
const section = document.getElementById("live");
const list = document.getElementById("live-list");
const shown = new Map();

export function showLive(hostname, settings) {
  section.hidden = false;
  if (shown.has(hostname)) return;
  const url = `https://${hostname}:${settings.edge_port}/`;
  const command =
    `curl --cacert '${settings.root_file}' ` +
    `--resolve ${hostname}:${settings.edge_port}:${settings.edge_address} ${url}`;
  const card = document.createElement("article");
  const link = Object.assign(document.createElement("a"), {
    href: url,
    textContent: url,
    target: "_blank",
    rel: "noreferrer",
  });
  const title = document.createElement("h3");
  title.append(link);
  const explained = document.createElement("p");
  explained.className = "muted";
  explained.textContent =
    "Your browser does not know names under .test. In a shell this line visits it, through the edge:";
  const line = Object.assign(document.createElement("pre"), { textContent: command });
  const visit = Object.assign(document.createElement("button"), {
    type: "button",
    className: "plain",
    textContent: "Visit it from here",
  });
  const copy = Object.assign(document.createElement("button"), {
    type: "button",
    className: "plain",
    textContent: "Copy the line",
  });
  const status = Object.assign(document.createElement("p"), { className: "muted" });
  status.setAttribute("role", "status");
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command);
    status.textContent = "Copied.";
  });
  visit.addEventListener("click", () => preview(hostname, card, status));
  const actions = document.createElement("p");
  actions.className = "actions";
  actions.append(visit, copy);
  card.append(title, explained, line, actions, status);
  list.prepend(card);
  shown.set(hostname, card);
}

export function removeLive(hostname) {
  shown.get(hostname)?.remove();
  shown.delete(hostname);
  section.hidden = shown.size === 0;
}

async function preview(hostname, card, status) {
  status.textContent = "Visiting…";
  const answer = await fetch(`/visit?hostname=${encodeURIComponent(hostname)}`);
  const page = await answer.json();
  card.querySelector("iframe")?.remove();
  if (!answer.ok) {
    status.textContent = page.error;
    return;
  }
  status.textContent = `Status ${page.status}, certificate of ${page.issuer}, valid until ${page.valid_to}.`;
  const frame = document.createElement("iframe");
  frame.className = "frame";
  frame.title = `${hostname} through the edge`;
  frame.setAttribute("sandbox", "");
  frame.srcdoc = page.html;
  card.append(frame);
}
