import type { Schema } from "./json-schema.ts";

/** Names of components that would hide a global of TypeScript, the web or Node. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorBody", Record: "DnsRecord" };
const taken = new Set(
  (
    "Array Blob Boolean Date Event File Function Headers Iterator Map Number Object Promise Proxy " +
    "Request Response Set String Symbol URL " +
    "Awaited Exclude Extract NonNullable Omit Parameters Partial Pick Readonly Required ReturnType"
  ).split(" "),
);

export function typeName(component: string): string {
  const name = component.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return renamed[name] ?? (taken.has(name) ? `${name}Body` : name);
}

/** The TypeScript type of a schema, as source text whose further lines stand at `depth`. */
export function typeText(schema: Schema, depth = 0): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return literals(schema.enum, depth);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => typeText(choice, depth)));
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeText(part, depth))).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return schema.properties ? objectText(schema, depth) : "unknown";
  return union(types.map((type) => oneType(type, schema, depth)));
}

function oneType(type: string, schema: Schema, depth: number): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return arrayText(schema, depth);
    case "object":
      return objectText(schema, depth);
    default:
      return "unknown";
  }
}

function arrayText(schema: Schema, depth: number): string {
  if (schema.prefixItems) {
    return `readonly [${schema.prefixItems.map((item) => typeText(item, depth)).join(", ")}]`;
  }
  return `readonly ${grouped(typeText(schema.items ?? {}, depth))}[]`;
}

function objectText(schema: Schema, depth: number): string {
  const properties = Object.entries(schema.properties ?? {});
  const rest = restOf(schema);
  if (properties.length === 0) {
    return rest === null
      ? "{ readonly [key: string]: never }"
      : `{ readonly [key: string]: ${typeText(rest, depth)} }`;
  }
  const required = new Set(schema.required);
  const members = properties.map(([name, value]) =>
    member({ name, schema: value, isRequired: required.has(name) }, depth + 1),
  );
  const known = braces(members, depth);
  return rest === null || Object.keys(rest).length === 0
    ? known
    : `${known} & { readonly [key: string]: ${typeText(rest, depth)} }`;
}

/** What further keys may hold; null where there can be none. */
function restOf(schema: Schema): Schema | null {
  if (schema.additionalProperties === false) return null;
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
}

export interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export function member({ name, schema, isRequired }: Member, depth: number): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const mark = isRequired ? "" : "?";
  const text = typeText(schema, depth);
  const gap = text.startsWith("\n") ? "" : " ";
  return `${remark(words(schema), depth)}${indent(depth)}readonly ${key}${mark}:${gap}${text};\n`;
}

function words(schema: Schema): readonly string[] {
  const fallback =
    schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\``];
  return [...(schema.description ? [schema.description] : []), ...fallback];
}

/** A doc comment of these paragraphs, or nothing. */
export function remark(paragraphs: readonly string[], depth: number): string {
  const lines = paragraphs
    .join("\n\n")
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.join("") === "") return "";
  const at = indent(depth);
  if (lines.length === 1) return `${at}/** ${lines[0]} */\n`;
  return `${at}/**\n${lines.map((line) => `${at} * ${line}`.trimEnd()).join("\n")}\n${at} */\n`;
}

export function braces(members: readonly string[], depth: number): string {
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent(depth)}}`;
}

export function indent(depth: number): string {
  return "  ".repeat(depth);
}

/** One to a line when they would not fit on one. */
function literals(values: readonly unknown[], depth: number): string {
  const parts = values.map((value) => JSON.stringify(value));
  const line = union(parts);
  return line.length <= 70 ? line : parts.map((part) => `\n${indent(depth + 1)}| ${part}`).join("");
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(" | ") || "never";
}

function grouped(text: string): string {
  const isOneObject = text.startsWith("{") && text.endsWith("}") && !text.includes("} & {");
  return text.includes(" ") && !isOneObject ? `(${text})` : text;
}
