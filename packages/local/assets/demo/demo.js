import { readAppearance } from "/appearance.js";
import { removeLive, showLive } from "/live.js";
import { addEntry, followWebhooks } from "/log.js";
import { newNames, zoneOf } from "/names.js";

const form = document.getElementById("connect");
const problem = document.getElementById("problem");
const trouble = document.getElementById("trouble");
const settings = await (await fetch("/settings")).json();
let names = newNames();

function showNames() {
  document.getElementById("automatic-name").textContent = names.automatic;
  document.getElementById("manual-name").textContent = names.manual;
  document.getElementById("trouble-name").textContent = `${trouble.value}.${names.trouble}`;
  document.getElementById("manual-panel").href = `/dns?zone=${zoneOf(names.manual)}`;
}

function chosenName() {
  const way = new FormData(form).get("way");
  return way === "trouble" ? `${trouble.value}.${names.trouble}` : names[way];
}

/** The product's server mints the token for the signed-in user. */
async function getToken() {
  return (await send("/token", {})).token;
}

async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.error);
  return value;
}

async function connect() {
  if (!globalThis.Svc) {
    throw new Error(
      "The widget's script could not be loaded. Run `npm run build`, then load this page again.",
    );
  }
  const domain = chosenName();
  if (domain === names.manual) await send("/manual-zone", { zone: zoneOf(domain) });
  globalThis.Svc.open({
    applicationId: settings.application_id,
    token: await getToken(),
    getToken,
    brandName: "Harbour",
    visitUrl: `${location.origin}/see?hostname={domain}`,
    baseUrl: settings.api,
    domain,
    ...readAppearance(document.getElementById("appearance")),
  });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.hidden = true;
  try {
    await connect();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
});

trouble.addEventListener("change", () => {
  form.elements.way.value = "trouble";
  showNames();
});

document.getElementById("fresh").addEventListener("click", () => {
  names = newNames();
  showNames();
});

for (const name of ["svc:step", "svc:success", "svc:close", "svc:error"]) {
  addEventListener(name, ({ detail }) => {
    addEntry({
      kind: "browser",
      title: name,
      about: [detail.step ?? detail.reason, detail.domain].filter(Boolean).join(" · "),
      at: Date.now(),
      body: JSON.stringify(detail, null, 2),
    });
  });
}

followWebhooks((entry) => {
  const about = [entry.hostname, entry.state].filter(Boolean).join(" · ");
  addEntry({ ...entry, about });
  if (!entry.hostname) return;
  if (entry.state === "live") showLive(entry.hostname, settings);
  else if (entry.state === "archived" || entry.state === "drifted") removeLive(entry.hostname);
});

showNames();
// Before that the browser would send the form itself, and load the page again.
document.getElementById("open").disabled = false;
