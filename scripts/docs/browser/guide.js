import { setUpSearch } from "./search.js";
import { setUpTabs } from "./tabs.js";

setUpCopying();
setUpTabs();
setUpSearch();
followWidth();

/**
 * Lists beside the text are open, lists above it closed, also when the window changes its width.
 */
function followWidth() {
  for (const list of document.querySelectorAll("details[data-from]")) {
    matchMedia(`(min-width: ${list.dataset.from})`).addEventListener("change", ({ matches }) => {
      list.open = matches;
    });
  }
}

/** Adds a button to every block of code; it needs a script, so a script adds it. */
function setUpCopying() {
  const announcement = document.querySelector("#announcement");
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = block.querySelector("code")?.textContent ?? "";
      button.textContent = (await copied(text, block)) ? "Copied" : "Press Ctrl+C";
      announcement.textContent = button.textContent;
      setTimeout(() => {
        button.textContent = "Copy";
        announcement.textContent = "";
      }, 2_000);
    });
    block.append(button);
  }
}

/**
 * Browsers allow the clipboard on https and localhost only; elsewhere the text is selected instead.
 */
async function copied(text, block) {
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ""));
    return true;
  } catch {
    getSelection()?.selectAllChildren(block.querySelector("code"));
    return false;
  }
}
