import { excerpt, search, wordsOf } from "../score.ts";

const input = document.querySelector("#search");
const list = document.querySelector("#found");
const told = document.querySelector("#told");
const choices = "a[role=option]";
let entries = null;
let chosen = -1;

export function setUpSearch() {
  input.closest(".search").hidden = false;
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", show);
  input.addEventListener("keydown", onKey);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  document.addEventListener("click", (event) => {
    if (!input.closest(".search").contains(event.target)) close();
  });
}

/** Once, when the search is first wanted; a failure is said and tried again at the next focus. */
async function load() {
  if (entries !== null) return;
  try {
    const answer = await fetch("search.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    entries = await answer.json();
  } catch {
    told.textContent = "The search could not be loaded.";
    return;
  }
  if (input.value !== "") show();
}

function show() {
  if (entries === null) return;
  const typed = input.value;
  const hits = search(entries, typed);
  chosen = hits.length > 0 ? 0 : -1;
  list.replaceChildren(...hits.map((hit, at) => option(hit, at, typed)));
  if (hits.length === 0) list.append(nothing(typed));
  list.hidden = typed.trim() === "";
  input.setAttribute("aria-expanded", String(!list.hidden));
  told.textContent = list.hidden ? "" : `${hits.length} found`;
  mark();
}

function option({ entry }, at, typed) {
  const link = document.createElement("a");
  link.id = `found-${at}`;
  link.href = entry.url;
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  link.addEventListener("click", close);
  const heading = document.createElement("strong");
  heading.append(...marked(entry.heading, typed));
  const page = document.createElement("span");
  page.textContent = entry.heading === entry.page ? "" : entry.page;
  const text = document.createElement("small");
  text.append(...marked(excerpt(entry.text, typed), typed));
  link.append(heading, page, text);
  return link;
}

/** In the form of a choice, since a list of choices may hold nothing else. */
function nothing(typed) {
  const line = document.createElement("div");
  line.setAttribute("role", "option");
  line.setAttribute("aria-disabled", "true");
  line.setAttribute("aria-selected", "false");
  line.textContent = `Nothing found for “${typed}”.`;
  return line;
}

/** The text with what was typed marked in it, as nodes: nothing is ever read as HTML. */
function marked(text, typed) {
  const words = wordsOf(typed);
  if (words.length === 0) return [text];
  const escaped = words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, ""));
  return text.split(new RegExp(`(${escaped.join("|")})`, "giu")).map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function onKey(event) {
  const options = list.querySelectorAll(choices);
  if (event.key === "Escape") {
    if (list.hidden) input.value = "";
    close();
  } else if (event.key === "Enter") {
    options[chosen]?.click();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (options.length === 0) return;
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    chosen = (chosen + step + options.length) % options.length;
    mark();
  }
}

function mark() {
  for (const [at, one] of list.querySelectorAll(choices).entries()) {
    one.setAttribute("aria-selected", String(at === chosen));
    if (at === chosen) one.scrollIntoView({ block: "nearest" });
  }
  if (chosen >= 0 && !list.hidden) input.setAttribute("aria-activedescendant", `found-${chosen}`);
  else input.removeAttribute("aria-activedescendant");
}

function close() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}
