import { el } from "./dom.js";
import { eventHeaders, eventSection, eventsOf } from "./event.js";
import { methodBadge, operationSection, operationsOf } from "./operation.js";
import { schemaAnchor, schemaTable } from "./schema.js";

const byId = (id) => document.getElementById(id);
const search = byId("search");

/** What the filter can hide: an operation's section and its line in the contents. */
const shown = [];

async function main() {
  const response = await fetch("v1/openapi.json");
  if (!response.ok) throw new Error(`the document was answered with ${response.status}`);
  const api = await response.json();
  byId("title").textContent = `${api.info?.title ?? ""} API`;
  byId("description").textContent = api.info?.description ?? "";
  render(api);
  listenToSearch();
  listenToCopy();
  followTheReader();
  listenToMenu();
  if (location.hash !== "") reveal(location.hash.slice(1));
  addEventListener("hashchange", () => reveal(location.hash.slice(1)));
}

function render(api) {
  const groups = new Map();
  for (const entry of operationsOf(api)) {
    groups.set(entry.tag, [...(groups.get(entry.tag) ?? []), entry]);
  }
  const sections = [...groups].map(([tag, entries]) => group(api, tag, entries));
  byId("operations").append(...sections, events(api), schemas(api));
  byId("operations").removeAttribute("aria-busy");
  count();
}

function group(api, tag, entries) {
  const links = el("ul");
  const lines = el("div", { class: "group" }, el("h2", {}, tag), links);
  const whole = el("div", { class: "group" }, el("h2", {}, tag));
  for (const entry of entries) {
    const section = operationSection(api, entry);
    const link = el(
      "a",
      { href: `#${entry.id}` },
      methodBadge(entry.method),
      el("span", {}, entry.title),
    );
    const line = el("li", {}, link);
    links.append(line);
    whole.append(section);
    const text = [entry.method, entry.path, entry.title, entry.tag, entry.id]
      .join(" ")
      .toLowerCase();
    shown.push({ section, line, text, groups: [lines, whole] });
  }
  byId("nav").append(lines);
  return whole;
}

/** What the service sends to webhook endpoints; the filter finds it like an operation. */
function events(api) {
  const links = el("ul");
  const lines = el("div", { class: "group" }, el("h2", {}, "Events"), links);
  const whole = el("div", { class: "group" }, el("h2", {}, "Events"), eventHeaders(api));
  for (const entry of eventsOf(api)) {
    const section = eventSection(api, entry);
    const line = el("li", {}, el("a", { href: `#${entry.id}` }, el("span", {}, entry.type)));
    links.append(line);
    whole.append(section);
    const text = `event webhook ${entry.type} ${entry.operation.summary ?? ""}`.toLowerCase();
    shown.push({ section, line, text, groups: [lines, whole] });
  }
  byId("nav").append(lines);
  return whole;
}

function schemas(api) {
  const all = Object.entries(api.components?.schemas ?? {});
  const links = all.map(([name]) =>
    el("li", {}, el("a", { href: `#${schemaAnchor(name)}` }, el("span", {}, name))),
  );
  byId("nav").append(
    el(
      "div",
      { class: "group", "data-schemas": true },
      el("h2", {}, "Schemas"),
      el("ul", {}, ...links),
    ),
  );
  return el(
    "div",
    { class: "group", "data-schemas": true },
    el("h2", {}, "Schemas"),
    ...all.map(([name, schema]) =>
      el(
        "section",
        { class: "operation", id: schemaAnchor(name), tabindex: "-1" },
        el("h3", {}, el("a", { href: `#${schemaAnchor(name)}` }, name)),
        schema.description ? el("p", {}, schema.description) : null,
        schemaTable(api, "Fields", schema),
      ),
    ),
  );
}

function listenToSearch() {
  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      const first = shown.find(({ section }) => !section.hidden);
      if (first) location.hash = first.section.id;
    }
    if (event.key === "Escape") clear();
  });
  addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
}

/** Shows the operations in whose words every word of the search occurs. */
function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const { section, line, text } of shown) {
    const isHidden = !words.every((word) => text.includes(word));
    section.hidden = isHidden;
    line.hidden = isHidden;
  }
  for (const one of new Set(shown.flatMap(({ groups }) => groups))) {
    one.hidden =
      one.querySelector(":scope > section:not([hidden]), :scope > ul > li:not([hidden])") === null;
  }
  for (const one of document.querySelectorAll("[data-schemas], .guide")) {
    one.hidden = words.length > 0;
  }
  count();
}

function count() {
  const seen = shown.filter(({ section }) => !section.hidden).length;
  byId("count").textContent =
    seen === shown.length ? `${seen} operations and events` : `${seen} of ${shown.length}`;
  byId("nothing").hidden = seen > 0;
}

function clear() {
  search.value = "";
  filter();
}

/** A link to something that the filter hides wins over the filter. */
function reveal(id) {
  const target = byId(id);
  if (target === null) return;
  if (target.closest("[hidden]") !== null) clear();
  target.scrollIntoView();
  target.focus({ preventScroll: true });
}

function listenToCopy() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (button === null) return;
    const code = button.closest("figure").querySelector("code");
    const isDone = await copied(code);
    button.textContent = isDone ? "Copied" : "Press Ctrl+C";
    byId("announce").textContent = isDone ? "Copied to the clipboard" : "Selected; press Ctrl+C";
    setTimeout(() => {
      button.textContent = "Copy";
      byId("announce").textContent = "";
    }, 2_000);
  });
}

/** Pages without TLS have no clipboard: then the text is selected for the reader's own key. */
async function copied(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return false;
  }
}

/** Marks in the contents what is being read. */
function followTheReader() {
  const links = new Map(
    [...byId("nav").querySelectorAll("a")].map((link) => [link.hash.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { isIntersecting, target } of changes) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(target.id)?.setAttribute("aria-current", "true");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const section of document.querySelectorAll("section.operation")) observer.observe(section);
}

/** Beside the text on a wide screen; above it, and closed after each choice, on a narrow one. */
function listenToMenu() {
  const wide = matchMedia("(min-width: 60rem)");
  const adapt = () => {
    byId("menu").open = wide.matches;
  };
  adapt();
  wide.addEventListener("change", adapt);
  byId("nav").addEventListener("click", (event) => {
    if (!wide.matches && event.target.closest("a") !== null) byId("menu").open = false;
  });
}

main().catch((error) => {
  byId("operations").removeAttribute("aria-busy");
  byId("operations").append(
    el(
      "p",
      { class: "notice", role: "alert" },
      `The reference could not be drawn: ${error.message}`,
    ),
  );
});
