const zone = new URLSearchParams(location.search).get("zone") ?? "";
const status = document.getElementById("status");
const refreshMs = 3_000;

document.getElementById("zone").textContent = zone;

async function show() {
  const answer = await fetch(`/zone?zone=${encodeURIComponent(zone)}`);
  const view = await answer.json();
  if (!answer.ok) {
    status.textContent = view.error;
    return;
  }
  const rows = view.wanted.map(({ type, host, value, isPresent }) => {
    const row = document.createElement("tr");
    row.append(cell(type), cell(host), cell(value), cell(isPresent ? "yes" : "no"));
    return row;
  });
  document.querySelector("#wanted tbody").replaceChildren(...rows);
  document.getElementById("wanted").hidden = rows.length === 0;
  document.getElementById("none").hidden = rows.length > 0;
  document.getElementById("publish").disabled = !view.wanted.some(({ isPresent }) => !isPresent);
  document.getElementById("break").disabled = !view.wanted.some(({ state }) => state === "live");
}

function cell(text) {
  const made = document.createElement("td");
  const code = document.createElement("code");
  code.textContent = text;
  made.append(code);
  return made;
}

async function send(path, done) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ zone }),
  });
  status.textContent = answer.ok ? done : (await answer.json()).error;
  await show();
}

document
  .getElementById("publish")
  .addEventListener("click", () => send("/publish", "Added. The widget sees them within seconds."));
document
  .getElementById("break")
  .addEventListener("click", () =>
    send("/break", "Pointed elsewhere. Within seconds the product is notified by webhook."),
  );

await show();
setInterval(() => {
  // The server may be restarting: the next tick tries again.
  if (document.visibilityState === "visible") show().catch(() => undefined);
}, refreshMs);
