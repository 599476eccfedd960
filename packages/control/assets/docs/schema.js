import { el, inline, table } from "./dom.js";

/** Deeper parts are left to the named schema that they belong to. */
const maxDepth = 4;

const nameOf = (ref) => ref.split("/").at(-1);

export const schemaAnchor = (name) => `schema-${name}`;

function resolved(api, schema) {
  const seen = new Set();
  let one = schema ?? {};
  while (one.$ref !== undefined && !seen.has(one.$ref)) {
    seen.add(one.$ref);
    one = api.components?.schemas?.[nameOf(one.$ref)] ?? {};
  }
  return one;
}

const choicesOf = (schema) => schema.anyOf ?? schema.oneOf ?? [];
const isNull = (schema) => schema.type === "null";
const typesOf = (schema) => [schema.type ?? []].flat();

/** The schema without its "or null", which is told in the type column. */
function withoutNull(schema) {
  const rest = choicesOf(schema).filter((choice) => !isNull(choice));
  return rest.length === 1 && rest.length < choicesOf(schema).length ? rest[0] : schema;
}

/** The type in a few words, named schemas as links. */
export function typeWords(schema) {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return [el("a", { href: `#${schemaAnchor(name)}` }, name)];
  }
  const choices = choicesOf(schema);
  if (choices.length > 0) return joined(choices.map(typeWords));
  if (schema.allOf) return joined(schema.allOf.map(typeWords), " and ");
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  const types = typesOf(schema);
  if (types.length === 0) return [schema.properties ? "object" : schema.enum ? "one of" : "any"];
  return joined(types.map((type) => oneType(type, schema)));
}

function oneType(type, schema) {
  if (type === "array") return ["array of ", ...typeWords(schema.items ?? {})];
  const isMap = type === "object" && typeof schema.additionalProperties === "object";
  if (isMap && !schema.properties) return ["map of ", ...typeWords(schema.additionalProperties)];
  return [schema.format && type === "string" ? `${type} (${schema.format})` : type];
}

function joined(lists, word = " or ") {
  return lists.flatMap((list, index) => (index === 0 ? list : [word, ...list]));
}

/** What else is said of a value: its words, allowed values, default and bounds. */
function notes(schema, described = schema) {
  const inner = withoutNull(schema);
  const values = inner.enum ?? inner.items?.enum;
  const parts = [
    described.description ? inline(described.description) : null,
    values ? ["One of ", ...joined(values.map(codeOf), ", ")] : null,
    inner.default === undefined ? null : ["Default ", codeOf(inner.default)],
    boundsOf(inner),
  ].filter((part) => part !== null);
  return parts.map((part) => el("div", {}, part));
}

const codeOf = (value) => [
  el("code", {}, typeof value === "string" ? value : JSON.stringify(value)),
];

/** Bounds that are those of the number type itself tell nothing. */
function boundsOf(schema) {
  const isSaying = (value) => value !== undefined && Math.abs(value) < 2 ** 31 - 1;
  const range = (least, most, unit) => {
    if (isSaying(least) && isSaying(most)) return `${least} to ${most}${unit}`;
    if (isSaying(most)) return `At most ${most}${unit}`;
    return isSaying(least) && least > 0 ? `At least ${least}${unit}` : null;
  };
  return (
    range(schema.minLength, schema.maxLength, " characters") ??
    range(schema.minItems, schema.maxItems, " items") ??
    range(schema.minimum, schema.maximum, "")
  );
}

/** Each property at any depth as `{ path, schema, isRequired }`, parents before children. */
function flattened(api, schema, prefix = "", depth = 0, within = []) {
  const { node, mark, refs } = objectIn(api, schema, within);
  if (node === null || depth >= maxDepth) return [];
  const start = prefix === "" && mark === "" ? "" : `${prefix}${mark}.`;
  return Object.entries(node.properties).flatMap(([name, property]) => {
    const path = `${start}${name}`;
    const isRequired = (node.required ?? []).includes(name);
    return [
      { path, schema: property, isRequired },
      ...flattened(api, property, path, depth + 1, refs),
    ];
  });
}

/** The object with properties behind references, "or null" and arrays (told by the mark). */
function objectIn(api, schema, within) {
  const none = { node: null, mark: "", refs: within };
  const inner = withoutNull(schema);
  if (inner.$ref !== undefined && within.includes(inner.$ref)) return none;
  const refs = inner.$ref === undefined ? within : [...within, inner.$ref];
  const node = withoutNull(resolved(api, inner));
  if (node.$ref !== undefined && node !== inner) return objectIn(api, node, refs);
  if (node.properties) return { node, mark: "", refs };
  if (!node.items) return none;
  const item = objectIn(api, node.items, refs);
  return { ...item, mark: `[]${item.mark}` };
}

/**
 * The table of a schema's fields; a plain line when it has none. What must be given is marked in
 * what a client sends; an answer has all of its fields.
 */
export function schemaTable(api, caption, schema, isSent = false) {
  const fields = flattened(api, schema);
  const choices = choicesOf(resolved(api, schema)).filter((choice) => !isNull(choice));
  if (fields.length === 0 && choices.length > 1) {
    const each = (choice, index) =>
      schemaTable(api, `${caption}, form ${index + 1}`, choice, isSent);
    return el("div", {}, ...choices.map(each));
  }
  if (fields.length === 0) {
    return el("p", { class: "plain" }, `${caption}: `, ...typeWords(schema), ...notes(schema));
  }
  const rows = fields.map((field) => fieldRow(field, isSent));
  return table(caption, ["Field", "Type", "Description"], rows);
}

function fieldRow({ path, schema, isRequired }, isSent) {
  const at = path.lastIndexOf(".") + 1;
  const prefix = el("span", { class: "prefix" }, path.slice(0, at));
  const name = el("code", {}, prefix, at > 0 ? el("wbr") : null, path.slice(at));
  return row(name, typeWords(schema), isSent && isRequired, notes(schema));
}

export function parameterRow(parameter) {
  const schema = parameter.schema ?? {};
  const name = [el("code", {}, parameter.name), el("span", { class: "place" }, parameter.in)];
  return row(name, typeWords(schema), parameter.required === true, notes(schema, parameter));
}

function row(name, type, isRequired, said) {
  const mark = isRequired ? el("span", { class: "required" }, "required") : null;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name, mark),
    el("td", { class: "type" }, ...type),
    el("td", { class: "notes" }, ...said),
  );
}

/** A body that shows what must be given, or one field where nothing must. */
export function exampleOf(api, schema, name = "", within = []) {
  if (schema.$ref !== undefined && within.includes(schema.$ref)) return {};
  const refs = schema.$ref === undefined ? within : [...within, schema.$ref];
  const one = withoutNull(resolved(api, schema));
  if (one.$ref !== undefined) return exampleOf(api, one, name, refs);
  if (one.const !== undefined) return one.const;
  if (one.enum) return one.enum[0];
  if (one.default !== undefined) return one.default;
  const first = choicesOf(one)[0] ?? one.allOf?.[0];
  if (first) return exampleOf(api, first, name, refs);
  if (one.properties) return exampleObject(api, one, refs);
  if (one.items) return [exampleOf(api, one.items, name, refs)];
  return exampleValue(one, name);
}

function exampleObject(api, schema, refs) {
  const names = Object.keys(schema.properties);
  const required = names.filter((name) => schema.required?.includes(name));
  const shown = required.length > 0 ? required : names.slice(0, 1);
  return Object.fromEntries(
    shown.map((name) => [name, exampleOf(api, schema.properties[name], name, refs)]),
  );
}

const exampleNames = [
  [/host|domain/, "shop.example.com"],
  [/url|uri|origin/, "https://app.example.com"],
  [/name/, "Shop"],
  [/email/, "ops@example.com"],
];

function exampleValue(schema, name) {
  const [type = "object"] = typesOf(schema).filter((one) => one !== "null");
  if (type === "integer" || type === "number") return Math.max(1, schema.minimum ?? 1);
  if (type === "boolean") return true;
  if (type !== "string") return {};
  if (schema.format === "uuid") return "0198c0de-7a11-7000-8000-000000000001";
  if (schema.format === "date-time") return "2027-01-15T08:00:00.000Z";
  return exampleNames.find(([pattern]) => pattern.test(name))?.[1] ?? "…";
}
