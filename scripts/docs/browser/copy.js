/** A button on every block of code; made here, since without a script it could do nothing. */
export function setUpCopying() {
  const told = document.querySelector("#told");
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = block.querySelector("code")?.textContent ?? "";
      button.textContent = (await copied(text, block)) ? "Copied" : "Press Ctrl+C";
      told.textContent = button.textContent;
      setTimeout(() => {
        button.textContent = "Copy";
        told.textContent = "";
      }, 2_000);
    });
    block.append(button);
  }
}

/** The clipboard is for https and localhost alone; elsewhere the text is selected instead. */
async function copied(text, block) {
  try {
    await navigator.clipboard.writeText(text.replace(/\n$/, ""));
    return true;
  } catch {
    getSelection()?.selectAllChildren(block.querySelector("code"));
    return false;
  }
}
