import { el, table } from "./dom.js";
import { parameterRow, schemaTable } from "./schema.js";

/** Every kind of event that the document tells of, in its order. */
export function eventsOf(api) {
  return Object.entries(api.webhooks ?? {}).flatMap(([type, item]) =>
    item.post ? [{ type, operation: item.post, id: `event-${type}` }] : [],
  );
}

/** The headers are the same for all kinds, and told once. */
export function eventHeaders(api) {
  const parameters = eventsOf(api)[0]?.operation.parameters ?? [];
  if (parameters.length === 0) return null;
  return table(
    "Headers of every delivery",
    ["Name", "Type", "Description"],
    parameters.map(parameterRow),
  );
}

export function eventSection(api, { type, operation, id }) {
  const content = operation.requestBody?.content?.["application/json"] ?? {};
  return el(
    "section",
    { class: "operation", id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
    el("h3", { id: `${id}-title` }, el("a", { href: `#${id}` }, type)),
    el("p", {}, operation.summary ?? ""),
    el(
      "div",
      { class: "columns" },
      el("div", { class: "details" }, schemaTable(api, "Body", content.schema ?? {})),
      el("div", { class: "aside" }, exampleBlock(type, content.example)),
    ),
  );
}

function exampleBlock(type, example) {
  if (example === undefined) return null;
  return el(
    "figure",
    { class: "example" },
    el(
      "figcaption",
      {},
      "Example",
      el(
        "button",
        { type: "button", "data-copy": true, "aria-label": "Copy the example event" },
        "Copy",
      ),
    ),
    el(
      "pre",
      { tabindex: "0", role: "region", "aria-label": `Example of ${type}` },
      el("code", {}, JSON.stringify(example, null, 2)),
    ),
  );
}
