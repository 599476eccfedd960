import { el, inline, paragraphs, table } from "./dom.js";
import { exampleOf, parameterRow, schemaTable } from "./schema.js";

const methods = ["get", "post", "put", "patch", "delete"];

/** Every operation of the document as one flat list, in its order. */
export function operationsOf(api) {
  return Object.entries(api.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({
        method,
        path,
        operation,
        id: operation.operationId ?? `${method}${path}`,
        tag: operation.tags?.[0] ?? "Other",
        title: operation.summary ?? `${method.toUpperCase()} ${path}`,
      })),
  );
}

export function methodBadge(method) {
  return el("span", { class: `method ${method}` }, method.toUpperCase());
}

export function operationSection(api, entry) {
  const { operation, id, method, path, title } = entry;
  const { words, scope } = split(operation.description ?? "");
  return el(
    "section",
    { class: "operation", id, "aria-labelledby": `${id}-title`, tabindex: "-1" },
    el("h3", { id: `${id}-title` }, el("a", { href: `#${id}` }, title)),
    el("p", { class: "endpoint" }, methodBadge(method), el("code", {}, breakable(path))),
    el("div", { class: "said" }, ...paragraphs(words)),
    facts(api, operation, scope),
    el(
      "div",
      { class: "columns" },
      el("div", { class: "details" }, ...details(api, operation)),
      el("div", { class: "aside" }, curlBlock(api, entry)),
    ),
  );
}

/** Places at which a long path may be broken on a narrow screen. */
function breakable(path) {
  return path.split(/(?<=\/)/).flatMap((part, index) => (index === 0 ? [part] : [el("wbr"), part]));
}

/** The server ends an operation's description with the scope it needs. */
function split(description) {
  const found = /(?:^|\n\n)Scope: ([^\n]+)\.$/.exec(description);
  if (!found) return { words: description, scope: null };
  return { words: description.slice(0, found.index), scope: found[1] };
}

function facts(api, operation, scope) {
  const schemes = (operation.security ?? api.security ?? []).flatMap((one) => Object.keys(one));
  const scopes =
    scope === null || scope === "any"
      ? [scope === null ? null : "Any API key"]
      : ["Scope ", ...inline(scope.replaceAll(/[\w-]+:[\w-]+/g, "`$&`"))];
  const items = [
    scopes[0] === null ? null : scopes,
    schemes.includes("widgetToken") ? ["Widget token accepted"] : null,
    schemes.length === 0 ? ["No authentication"] : null,
  ].filter((item) => item !== null);
  return el("ul", { class: "facts" }, ...items.map((item) => el("li", {}, ...item)));
}

function details(api, operation) {
  const parameters = operation.parameters ?? [];
  const body = jsonOf(operation.requestBody);
  const responses = Object.entries(operation.responses ?? {});
  return [
    parameters.length === 0
      ? null
      : table("Parameters", ["Name", "Type", "Description"], parameters.map(parameterRow)),
    body === null ? null : schemaTable(api, "Body", body, true),
    ...responses
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => success(api, status, response)),
    errorTable(responses.filter(([status]) => !(Number(status) < 400))),
  ];
}

function success(api, status, response) {
  const schema = jsonOf(response);
  if (schema === null) return el("p", { class: "plain" }, `Response ${status}: no body`);
  return schemaTable(api, `Response ${status}`, schema);
}

function errorTable(failures) {
  if (failures.length === 0) return null;
  const rows = failures.map(([status, { description = "" }]) =>
    el("tr", {}, el("th", { scope: "row" }, status), el("td", {}, ...inline(description))),
  );
  const whole = table("Errors", ["Status", "Code"], rows);
  whole.classList.add("errors");
  return whole;
}

function jsonOf(part) {
  return part?.content?.["application/json"]?.schema ?? null;
}

function curlBlock(api, entry) {
  const text = curl(api, entry);
  return el(
    "figure",
    { class: "example" },
    el(
      "figcaption",
      {},
      "curl",
      el(
        "button",
        { type: "button", "data-copy": true, "aria-label": "Copy the curl example" },
        "Copy",
      ),
    ),
    el(
      "pre",
      { tabindex: "0", role: "region", "aria-label": `curl for: ${entry.title}` },
      el("code", {}, text),
    ),
  );
}

/** Path parameters become shell variables of the same name, in braces for a colon that may follow. */
export function curl(api, { method, path, operation }) {
  const isGiven = (name) =>
    (operation.parameters ?? []).some((one) => one.in === "header" && one.name === name);
  const required = (operation.parameters ?? []).filter((one) => one.in === "query" && one.required);
  const query = required.map(({ name }) => `${name}=\${${name}}`).join("&");
  const base = new URL(api.servers?.[0]?.url ?? "/", new URL(".", document.baseURI));
  const address = `${base.href.replace(/\/$/, "")}${path.replaceAll(/\{(\w+)\}/g, "$${$1}")}`;
  const body = jsonOf(operation.requestBody);
  return [
    `curl ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"${address}${query ? `?${query}` : ""}"`,
    '-H "Authorization: Bearer $MOORING_KEY"',
    isGiven("Idempotency-Key") ? '-H "Idempotency-Key: $(uuidgen)"' : null,
    body === null ? null : '-H "Content-Type: application/json"',
    body === null ? null : `-d '${quoted(JSON.stringify(exampleOf(api, body), null, 2))}'`,
  ]
    .filter((line) => line !== null)
    .join(" \\\n  ");
}

function quoted(text) {
  return text.replaceAll("'", "'\\''");
}
