/**
 * What a script adds to the page: copy buttons, and a refresh as often as the page says.
 * Everything can be read and selected without it.
 */
/** 0 when the page stays as it is. */
function refreshMs() {
  return Number(document.getElementById("page")?.dataset.refresh ?? 0) * 1_000;
}

function refreshLater() {
  if (refreshMs() > 0) setTimeout(refresh, refreshMs());
}

function addCopyButtons(root) {
  for (const code of root.querySelectorAll("code[data-copy]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.setAttribute("aria-label", `Copy ${code.dataset.copy}`);
    button.addEventListener("click", () => copy(code, button));
    code.after(button);
  }
}

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Without the clipboard's permission the value is at least selected.
    getSelection()?.selectAllChildren(code);
    return;
  }
  button.textContent = "Copied";
  announce(`${code.dataset.copy} copied`);
  setTimeout(() => {
    button.textContent = "Copy";
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
  return page?.querySelector(".headline")?.textContent.trim() ?? "";
}

async function refresh() {
  const page = document.getElementById("page");
  if (page && document.visibilityState === "visible" && !isBusy(page)) {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const fresh = new DOMParser()
        .parseFromString(await answer.text(), "text/html")
        .getElementById("page");
      if (answer.ok && fresh) show(page, fresh);
    } catch {
      // Offline: the page stays as it is until the next refresh.
    }
  }
  refreshLater();
}

/** The page is not replaced while the reader selects text or has the focus in it. */
function isBusy(page) {
  const hasSelection = (getSelection()?.toString() ?? "") !== "";
  return hasSelection || page.contains(document.activeElement);
}

function show(page, fresh) {
  const before = headlineOf(page);
  const open = [...page.querySelectorAll("details")].map((details) => details.open);
  page.replaceWith(fresh);
  for (const [index, details] of [...fresh.querySelectorAll("details")].entries()) {
    details.open = open[index] ?? false;
  }
  addCopyButtons(fresh);
  if (headlineOf(fresh) !== before) announce(headlineOf(fresh));
}

addCopyButtons(document);
refreshLater();
