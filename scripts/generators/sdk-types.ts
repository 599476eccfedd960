/**
 * Writes the SDK's `schema.gen.ts` from the OpenAPI document: one type per component, the lists of
 * enum values that clients need at run time, and per operation its input, its response and how it
 * is called. The output follows the order of the document; the same document gives the same text.
 */
export function sdkTypes(document: OpenApi): string {
  const operations = listOperations(document);
  return [
    "// Generated from openapi.json by `npm run generate`; changes belong in the API's schemas.\n",
    ...Object.entries(document.components.schemas).map(componentText),
    ...enumLists.flatMap((list) => enumListText(list, document)),
    docComment(["The input and the response of each operation, by its operationId."], 0) +
      `export interface Operations ${braces(operations.map(signatureText), 0)}\n`,
    operationFactsText,
    docComment(["How each operation is called, by its operationId."], 0) +
      `export const operations: { readonly [O in keyof Operations]: OperationFacts } = ${braces(operations.map(factsText), 0)};\n`,
  ].join("\n");
}

/** The part of JSON Schema that our OpenAPI document uses; other keywords are ignored. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Checks for paths and components; their content is ours, generated from the route list. */
export function asOpenApi(document: unknown): OpenApi {
  const isOpenApi =
    typeof document === "object" &&
    document !== null &&
    "paths" in document &&
    "components" in document;
  if (!isOpenApi) throw new Error("not an OpenAPI document with paths and components");
  return document as OpenApi;
}

function componentText([name, schema]: readonly [string, Schema]): string {
  const comment = docComment(schema.description ? [schema.description] : [], 0);
  const text = typeText(schema);
  if (text === typeName(name))
    throw new Error(`the component ${name} is only a reference to itself`);
  const isPlainObject =
    schema.type === "object" && schema.properties !== undefined && !text.includes("} & {");
  return isPlainObject
    ? `${comment}export interface ${typeName(name)} ${text}\n`
    : `${comment}export type ${typeName(name)} = ${text};\n`;
}

interface EnumList {
  readonly constant: string;
  readonly type: string;
  readonly component: string;
  /** An enum, or a list of the values of one. */
  readonly property: string;
  /** A value that stands for others and is not in the list. */
  readonly except?: string;
  readonly comment: string;
}

/** The enums whose values are exported as constants. */
const enumLists: readonly EnumList[] = [
  {
    constant: "connectionStates",
    type: "ConnectionState",
    component: "Connection",
    property: "state",
    comment: "Every state of a connection, in the order of its life.",
  },
  {
    constant: "setupTypes",
    type: "SetupType",
    component: "Connection",
    property: "setup_type",
    comment: "Every way in which a connection's records can be set up.",
  },
  {
    constant: "eventTypes",
    type: "EventType",
    component: "WebhookEndpoint",
    property: "events",
    except: "*",
    comment:
      "Every event type that a webhook endpoint can subscribe to; `*` stands for all of them.",
  },
];

/** Empty for a document without the component, as in tests. */
function enumListText(list: EnumList, document: OpenApi): readonly string[] {
  const { constant, type, component, property, except, comment } = list;
  const schema = document.components.schemas[component];
  if (schema === undefined) return [];
  const found = schema.properties?.[property];
  const values = found?.enum ?? found?.items?.enum;
  if (values === undefined) throw new Error(`${component}.${property} is not an enum`);
  const members = values
    .filter((value) => value !== except)
    .map((value) => `  ${JSON.stringify(value)},\n`)
    .join("");
  return [
    `${docComment([comment], 0)}export const ${constant} = [\n${members}] as const;\n\n` +
      `export type ${type} = (typeof ${constant})[number];\n`,
  ];
}

interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

const methods = ["get", "head", "post", "put", "patch", "delete"];

function listOperations(document: OpenApi): readonly NamedOperation[] {
  const list = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const ids = new Set<string>();
  for (const { operation } of list) {
    const id = operation.operationId;
    if (ids.has(id)) throw new Error(`two operations have the operationId ${id}`);
    ids.add(id);
  }
  return list;
}

function signatureText({ method, path, operation }: NamedOperation): string {
  const body = jsonSchemaOf(operation.requestBody);
  const isBodyRequired = operation.requestBody?.required === true;
  const parts = [
    parametersText(operation, "path", "params"),
    parametersText(operation, "query", "query"),
    body === null ? "" : memberText({ name: "body", schema: body, isRequired: isBodyRequired }, 2),
    `${indent(2)}readonly response: ${responseText(operation)};\n`,
  ].filter((part) => part !== "");
  const paragraphs = [
    `\`${method} ${path}\`: ${operation.summary ?? ""}`,
    operation.description ?? "",
  ].filter((text) => text !== "");
  return `${docComment(paragraphs, 1)}${indent(1)}readonly ${operation.operationId}: ${braces(parts, 1)};\n`;
}

/** The parameters in the path or the query as one object; optional when all of them are. */
function parametersText(operation: OpenApiOperation, location: string, name: string): string {
  const members: readonly Member[] = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === location)
    .map((parameter) => ({
      name: parameter.name,
      schema: {
        ...parameter.schema,
        ...(parameter.description === undefined ? {} : { description: parameter.description }),
      },
      isRequired: parameter.required === true,
    }));
  if (members.length === 0) return "";
  const mark = members.some(({ isRequired }) => isRequired) ? "" : "?";
  const text = braces(
    members.map((one) => memberText(one, 3)),
    2,
  );
  return `${indent(2)}readonly ${name}${mark}: ${text};\n`;
}

/** The bodies of the 2xx responses; `undefined` for a response without a body. */
function responseText(operation: OpenApiOperation): string {
  const texts = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => jsonSchemaOf(response))
    .map((schema) => (schema === null ? "undefined" : typeText(schema, 2)));
  return union(texts, "undefined");
}

function jsonSchemaOf(part: Content | undefined): Schema | null {
  return part?.content?.["application/json"]?.schema ?? null;
}

const operationFactsText = `export interface OperationFacts {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With each path parameter in braces. */
  readonly path: string;
  readonly hasBody: boolean;
  /** Accepts an Idempotency-Key: a repeated request gets the first response and is not executed. */
  readonly isIdempotent: boolean;
}
`;

function factsText({ method, path, operation }: NamedOperation): string {
  const isIdempotent = (operation.parameters ?? []).some(
    (parameter) => parameter.in === "header" && parameter.name.toLowerCase() === "idempotency-key",
  );
  const members = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    `hasBody: ${jsonSchemaOf(operation.requestBody) !== null}`,
    `isIdempotent: ${isIdempotent}`,
  ].map((text) => `${indent(2)}${text},\n`);
  return `${indent(1)}${operation.operationId}: ${braces(members, 1)},\n`;
}

/** Components that would shadow a global of TypeScript, the web or Node get another name. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorBody", Record: "DnsRecord" };
const globals = new Set(
  (
    "Array Blob Boolean Date Event File Function Headers Iterator Map Number Object Promise Proxy " +
    "Request Response Set String Symbol URL " +
    "Awaited Exclude Extract NonNullable Omit Parameters Partial Pick Readonly Required ReturnType"
  ).split(" "),
);

function typeName(component: string): string {
  const name = component.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return renamed[name] ?? (globals.has(name) ? `${name}Body` : name);
}

/** The TypeScript type of a schema as source text; its further lines are indented by `depth`. */
export function typeText(schema: Schema, depth = 0): string {
  if (schema.$ref !== undefined) return typeName(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return literals(schema.enum, depth);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => typeText(choice, depth)));
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeText(part, depth))).join(" & ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return schema.properties ? objectText(schema, depth) : "unknown";
  return union(types.map((type) => namedTypeText(type, schema, depth)));
}

function namedTypeText(type: string, schema: Schema, depth: number): string {
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
  const rest = additionalOf(schema);
  if (properties.length === 0) {
    return rest === null
      ? "{ readonly [key: string]: never }"
      : `{ readonly [key: string]: ${typeText(rest, depth)} }`;
  }
  const required = new Set(schema.required);
  const members = properties.map(([name, value]) =>
    memberText({ name, schema: value, isRequired: required.has(name) }, depth + 1),
  );
  const text = braces(members, depth);
  return rest === null || Object.keys(rest).length === 0
    ? text
    : `${text} & { readonly [key: string]: ${typeText(rest, depth)} }`;
}

/** The schema of additional properties; null where none are allowed. */
function additionalOf(schema: Schema): Schema | null {
  if (schema.additionalProperties === false) return null;
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
}

interface Member {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

function memberText({ name, schema, isRequired }: Member, depth: number): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const mark = isRequired ? "" : "?";
  const text = typeText(schema, depth);
  const gap = text.startsWith("\n") ? "" : " ";
  const paragraphs = [
    ...(schema.description ? [schema.description] : []),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\``]),
  ];
  return `${docComment(paragraphs, depth)}${indent(depth)}readonly ${key}${mark}:${gap}${text};\n`;
}

/** A doc comment of these paragraphs, or the empty string. */
function docComment(paragraphs: readonly string[], depth: number): string {
  const lines = paragraphs
    .join("\n\n")
    .replaceAll("*/", "*\\/")
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.join("") === "") return "";
  const margin = indent(depth);
  if (lines.length === 1) return `${margin}/** ${lines[0]} */\n`;
  const middle = lines.map((line) => `${margin} * ${line}`.trimEnd()).join("\n");
  return `${margin}/**\n${middle}\n${margin} */\n`;
}

function braces(members: readonly string[], depth: number): string {
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent(depth)}}`;
}

function indent(depth: number): string {
  return "  ".repeat(depth);
}

/** On one line when they fit, else one per line. */
function literals(values: readonly unknown[], depth: number): string {
  const parts = values.map((value) => JSON.stringify(value));
  const line = union(parts);
  return line.length <= 70 ? line : parts.map((part) => `\n${indent(depth + 1)}| ${part}`).join("");
}

function union(parts: readonly string[], empty = "never"): string {
  return [...new Set(parts)].join(" | ") || empty;
}

function grouped(text: string): string {
  const isOneObject = text.startsWith("{") && text.endsWith("}") && !text.includes("} & {");
  return text.includes(" ") && !isOneObject ? `(${text})` : text;
}
