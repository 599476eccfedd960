/**
 * What a script adds to the page: copy buttons, a print button, the reader's own time zone, and a
 * refresh as often as the page says. Everything can be read and selected without it.
 */
function findPage(root = document) {
  return root.getElementById("page");
}

/** 0 when the page stays as it is. */
function refreshMs() {
  return Number(findPage()?.dataset.refresh ?? 0) * 1_000;
}

let timer;

function refreshLater() {
  clearTimeout(timer);
  if (refreshMs() > 0) timer = setTimeout(refresh, refreshMs());
}

/** Adds to a fresh page what needs a script. */
function complete(page) {
  addCopyButtons(page);
  addPrintButton(page);
  showLocalTimes(page);
}

function addCopyButtons(page) {
  const { copy = "", copyWhat = "" } = page.dataset;
  for (const code of page.querySelectorAll("code[data-copy]")) {
    const button = makeButton("copy", copy, () => copyValue(page, code, button));
    button.setAttribute("aria-label", copyWhat.replace("{what}", code.dataset.copy));
    code.after(button);
  }
}

function addPrintButton(page) {
  page.querySelector(".tools")?.append(makeButton("", page.dataset.print, () => print()));
}

function makeButton(className, text, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = className;
  button.textContent = text;
  button.addEventListener("click", onClick);
  return button;
}

function showLocalTimes(page) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  for (const time of page.querySelectorAll("time")) {
    time.textContent = format.format(new Date(time.dateTime));
  }
}

async function copyValue(page, code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Without the clipboard's permission the value is at least selected.
    getSelection()?.selectAllChildren(code);
    return;
  }
  const { copy, copied } = page.dataset;
  button.textContent = copied;
  announce(`${copied}: ${code.dataset.copy}`);
  setTimeout(() => {
    button.textContent = copy;
  }, 2_000);
}

const status = document.createElement("p");
status.className = "visually-hidden";
status.setAttribute("role", "status");
document.body.append(status);

function announce(text) {
  status.textContent = text;
}

function headlineOf(page) {
  return (page.querySelector(".headline") ?? page.querySelector("h1"))?.textContent.trim() ?? "";
}

async function refresh() {
  if (findPage() && document.visibilityState === "visible" && !hasSelection()) {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const fresh = findPage(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if ((answer.ok || answer.status === 404) && fresh && !hasSelection()) show(findPage(), fresh);
    } catch {
      // Offline: the page stays as it is until the next refresh.
    }
  }
  refreshLater();
}

/** The page is not replaced while the reader selects text in it. */
function hasSelection() {
  return (getSelection()?.toString() ?? "") !== "";
}

const focusable = "a[href], button, summary";

function show(page, fresh) {
  const before = headlineOf(page);
  const focused = [...page.querySelectorAll(focusable)].indexOf(document.activeElement);
  const open = [...page.querySelectorAll("details")].map((details) => details.open);
  page.replaceWith(fresh);
  complete(fresh);
  for (const [index, details] of [...fresh.querySelectorAll("details")].entries()) {
    details.open = open[index] ?? false;
  }
  // The focus stays, so that a keyboard user can continue.
  if (focused >= 0) fresh.querySelectorAll(focusable)[focused]?.focus({ preventScroll: true });
  if (headlineOf(fresh) !== before) announce(headlineOf(fresh));
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && refreshMs() > 0) void refresh();
});

const first = findPage();
if (first) complete(first);
refreshLater();
