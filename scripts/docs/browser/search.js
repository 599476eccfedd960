import { excerpt, search, searchedWords } from "../search.ts";

const input = document.querySelector("#search");
const list = document.querySelector("#found");
const announcement = document.querySelector("#announcement");
const options = "a[role=option]";
let entries = null;
let selected = -1;

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

/** Loads the index at the first focus; after a failure the next focus tries again. */
async function load() {
  if (entries !== null) return;
  try {
    const answer = await fetch("search.json");
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    entries = await answer.json();
  } catch {
    announcement.textContent = "The search could not be loaded.";
    return;
  }
  if (input.value !== "") show();
}

function show() {
  if (entries === null) return;
  const query = input.value;
  const hits = search(entries, query);
  selected = hits.length > 0 ? 0 : -1;
  list.replaceChildren(...hits.map((hit, at) => option(hit, at, query)));
  if (hits.length === 0) list.append(noResult(query));
  list.hidden = query.trim() === "";
  input.setAttribute("aria-expanded", String(!list.hidden));
  announcement.textContent = list.hidden ? "" : `${hits.length} found`;
  mark();
}

function option({ entry }, at, query) {
  const link = document.createElement("a");
  link.id = `found-${at}`;
  link.href = entry.url;
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  link.addEventListener("click", close);
  const heading = document.createElement("strong");
  heading.append(...marked(entry.heading, query));
  const page = document.createElement("span");
  page.textContent = entry.heading === entry.page ? "" : entry.page;
  const text = document.createElement("small");
  text.append(...marked(excerpt(entry.text, query), query));
  link.append(heading, page, text);
  return link;
}

/** As an option, because ARIA allows nothing else in a listbox. */
function noResult(query) {
  const line = document.createElement("div");
  line.setAttribute("role", "option");
  line.setAttribute("aria-disabled", "true");
  line.setAttribute("aria-selected", "false");
  line.textContent = `Nothing found for “${query}”.`;
  return line;
}

/** The text with what was query marked in it, as nodes: nothing is ever read as HTML. */
function marked(text, query) {
  const words = searchedWords(query);
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
  const found = list.querySelectorAll(options);
  if (event.key === "Escape") {
    if (list.hidden) input.value = "";
    close();
  } else if (event.key === "Enter") {
    found[selected]?.click();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    if (found.length === 0) return;
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    selected = (selected + step + found.length) % found.length;
    mark();
  }
}

function mark() {
  for (const [at, one] of list.querySelectorAll(options).entries()) {
    one.setAttribute("aria-selected", String(at === selected));
    if (at === selected) one.scrollIntoView({ block: "nearest" });
  }
  if (selected >= 0 && !list.hidden)
    input.setAttribute("aria-activedescendant", `found-${selected}`);
  else input.removeAttribute("aria-activedescendant");
}

function close() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}
