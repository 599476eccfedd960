/** A card for every live domain: how to open it here, and from a shell. */
const section = document.getElementById("live");
const list = document.getElementById("live-list");
const shown = new Map();

/** The command that visits the domain through the edge, trusting only the local root. */
export function curlLine(hostname, settings) {
  return (
    `curl --cacert '${settings.root_file}' ` +
    `--resolve ${hostname}:${settings.edge_port}:${settings.edge_address} ` +
    `https://${hostname}:${settings.edge_port}/`
  );
}

export function showLive(hostname, settings) {
  section.hidden = false;
  if (shown.has(hostname)) return;
  const command = curlLine(hostname, settings);
  const card = document.createElement("article");
  const title = Object.assign(document.createElement("h3"), { textContent: hostname });
  const open = Object.assign(document.createElement("a"), {
    className: "button plain",
    href: `/see?hostname=${encodeURIComponent(hostname)}`,
    textContent: "Open it here",
    target: "_blank",
  });
  const explained = document.createElement("p");
  explained.className = "muted";
  explained.textContent = "In a shell this line visits it, through the edge:";
  const line = Object.assign(document.createElement("pre"), { textContent: command });
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
  const actions = document.createElement("p");
  actions.className = "actions";
  actions.append(open, copy);
  card.append(title, explained, line, actions, status);
  list.prepend(card);
  shown.set(hostname, card);
}

export function removeLive(hostname) {
  shown.get(hostname)?.remove();
  shown.delete(hostname);
  section.hidden = shown.size === 0;
}
