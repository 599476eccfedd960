/** An element with attributes and children; text is only ever set as text. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, String(value));
    }
  }
  node.append(
    ...children
      .flat(Number.POSITIVE_INFINITY)
      .filter((child) => child !== null && child !== undefined),
  );
  return node;
}

/** Text whose parts in backticks are code. */
export function inline(text) {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? el("code", {}, part) : part))
    .filter((part) => part !== "");
}

/** Paragraphs of such text. */
export function paragraphs(text) {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== "")
    .map((part) => el("p", {}, inline(part)));
}

/** A table; on a narrow screen each row becomes a block. */
export function table(caption, heads, rows) {
  const head = el("tr", {}, ...heads.map((text) => el("th", { scope: "col" }, text)));
  return el(
    "table",
    {},
    el("caption", {}, caption),
    el("thead", {}, head),
    el("tbody", {}, ...rows),
  );
}
