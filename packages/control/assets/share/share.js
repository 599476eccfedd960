/**
 * What a script adds to the page: buttons that copy, and a fresh look now and then while the reader
 * waits. Everything can be read and selected without it.
 */
const refreshMs = 15_000;

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
  if (!page || page.dataset.settled === "yes") return;
  if (document.visibilityState === "visible" && !isBusy(page)) {
    try {
      const answer = await fetch(location.href, { cache: "no-store" });
      const fresh = new DOMParser()
        .parseFromString(await answer.text(), "text/html")
        .getElementById("page");
      if (answer.ok && fresh) show(page, fresh);
    } catch {
      // Offline for a moment: the page stays as it was and the next turn tries again.
    }
  }
  setTimeout(refresh, refreshMs);
}

/** Nobody likes the page to move under the pointer or the keyboard. */
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
setTimeout(refresh, refreshMs);
