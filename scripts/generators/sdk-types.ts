import { jsonOf, type OpenApi, type OpenApiOperation, type Schema } from "./json-schema.ts";
import { braces, indent, type Member, member, remark, typeName, typeText } from "./type-text.ts";

/**
 * The SDK's types: one interface per component, and per operation what it takes and gives, all from
 * the OpenAPI document, in its order. The same document gives the same text.
 */
export function sdkTypes(document: OpenApi): string {
  const operations = operationsOf(document);
  return [
    "// Generated from openapi.json by `npm run generate`; changes belong in the API's schemas.\n",
    ...Object.entries(document.components.schemas).map(component),
    remark(["What each operation takes and gives, by its operationId."], 0) +
      `export interface Operations ${braces(operations.map(signature), 0)}\n`,
    factsText,
    remark(["How each operation is called, by its operationId."], 0) +
      `export const operations: { readonly [O in keyof Operations]: OperationFacts } = ${braces(operations.map(facts), 0)};\n`,
  ].join("\n");
}

const factsText = `export interface OperationFacts {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With each path parameter in braces. */
  readonly path: string;
  readonly hasBody: boolean;
  /** Takes an Idempotency-Key, so that a repeated request is answered and not done again. */
  readonly isIdempotent: boolean;
}
`;

interface NamedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

const methods = ["get", "head", "post", "put", "patch", "delete"];

function operationsOf(document: OpenApi): readonly NamedOperation[] {
  const list = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const seen = new Set<string>();
  for (const { operation } of list) {
    const id = operation.operationId;
    if (seen.has(id)) throw new Error(`two operations are called ${id}`);
    seen.add(id);
  }
  return list;
}

function component([name, schema]: readonly [string, Schema]): string {
  const said = remark(schema.description ? [schema.description] : [], 0);
  const text = typeText(schema);
  if (text === typeName(name))
    throw new Error(`the component ${name} is only a reference to itself`);
  const isPlainObject =
    schema.type === "object" && schema.properties !== undefined && !text.includes("} & {");
  return isPlainObject
    ? `${said}export interface ${typeName(name)} ${text}\n`
    : `${said}export type ${typeName(name)} = ${text};\n`;
}

function signature({ method, path, operation }: NamedOperation): string {
  const body = jsonOf(operation.requestBody);
  const isBodyRequired = operation.requestBody?.required === true;
  const parts = [
    place(operation, "path", "params"),
    place(operation, "query", "query"),
    body === null ? "" : member({ name: "body", schema: body, isRequired: isBodyRequired }, 2),
    `${indent(2)}readonly response: ${responseText(operation)};\n`,
  ].filter((part) => part !== "");
  const said = [`\`${method} ${path}\`: ${operation.summary ?? ""}`, operation.description ?? ""];
  const about = remark(
    said.filter((text) => text !== ""),
    1,
  );
  return `${about}${indent(1)}readonly ${operation.operationId}: ${braces(parts, 1)};\n`;
}

/** The parameters of one place as one object, which may be left out when each of them may. */
function place(operation: OpenApiOperation, where: string, name: string): string {
  const members: readonly Member[] = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === where)
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
    members.map((one) => member(one, 3)),
    2,
  );
  return `${indent(2)}readonly ${name}${mark}: ${text};\n`;
}

/** The body of a success; `undefined` for an answer without one. */
function responseText(operation: OpenApiOperation): string {
  const texts = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, response]) => jsonOf(response))
    .map((schema) => (schema === null ? "undefined" : typeText(schema, 2)));
  return [...new Set(texts)].join(" | ") || "undefined";
}

function facts({ method, path, operation }: NamedOperation): string {
  const isIdempotent = (operation.parameters ?? []).some(
    (parameter) => parameter.in === "header" && parameter.name.toLowerCase() === "idempotency-key",
  );
  const members = [
    `method: ${JSON.stringify(method)}`,
    `path: ${JSON.stringify(path)}`,
    `hasBody: ${jsonOf(operation.requestBody) !== null}`,
    `isIdempotent: ${isIdempotent}`,
  ].map((text) => `${indent(2)}${text},\n`);
  return `${indent(1)}${operation.operationId}: ${braces(members, 1)},\n`;
}
