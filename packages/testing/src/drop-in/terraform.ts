import { isDeepStrictEqual } from "node:util";

/**
 * What a Terraform provider does with the attributes of a resource, as its public source has it. It
 * sends requests of its own making: here is only which fields they have, what the state becomes
 * from an answer, and what the next plan would change.
 */
export type Attributes = Readonly<Record<string, unknown>>;

type Kind = "required" | "optional" | "computed" | "computed_optional";

export interface Attribute {
  readonly kind: Kind;
  /** What the plan has where the configuration has nothing. */
  readonly byDefault?: unknown;
  /** A refresh leaves it as it is. */
  readonly isRetained?: boolean;
  readonly fields?: Schema;
}

export type Schema = Readonly<Record<string, Attribute>>;

/** The body of a request: what is configured, or a default; nothing that the server computes. */
export function encode(schema: Schema, planned: Attributes): Attributes {
  return fromSchema(schema, ({ kind, fields, byDefault }, name) => {
    if (kind === "computed") return undefined;
    const value = planned[name] ?? byDefault;
    return fields && isAttributes(value) ? encode(fields, value) : (value ?? undefined);
  });
}

/** The state after a change: what was planned, with what the answer has computed. */
export function applyAnswer(schema: Schema, planned: Attributes, answer: Attributes): Attributes {
  return fromSchema(schema, ({ kind, fields, byDefault }, name) => {
    const value = planned[name] ?? byDefault ?? null;
    if (kind === "computed") return answer[name] ?? null;
    if (kind === "computed_optional") return value ?? answer[name] ?? null;
    if (fields === undefined || !isAttributes(value)) return value;
    const nested = answer[name];
    return applyAnswer(fields, value, isAttributes(nested) ? nested : {});
  });
}

/** The state after a refresh or an import: what the answer has; what it lacks is null. */
export function refresh(schema: Schema, state: Attributes, answer: Attributes): Attributes {
  return fromSchema(schema, ({ fields, isRetained }, name) => {
    if (isRetained) return state[name] ?? null;
    const value = answer[name] ?? null;
    if (fields === undefined || !isAttributes(value)) return value;
    const before = state[name];
    return refresh(fields, isAttributes(before) ? before : {}, value);
  });
}

/**
 * The attributes that a plan would change. Those that the server computes do not count: they become
 * unknown only in a plan that changes something else.
 */
export function listChanges(
  schema: Schema,
  configured: Attributes,
  state: Attributes,
  path = "",
): readonly string[] {
  return Object.entries(schema).flatMap(([name, { kind, fields, byDefault }]) => {
    if (kind === "computed") return [];
    const stored = state[name] ?? null;
    const asked = configured[name] ?? byDefault ?? (kind === "computed_optional" ? stored : null);
    if (fields && isAttributes(asked) && isAttributes(stored)) {
      return listChanges(fields, asked, stored, `${path}${name}.`);
    }
    return isDeepStrictEqual(asked, stored) ? [] : [`${path}${name}`];
  });
}

function fromSchema(
  schema: Schema,
  read: (attribute: Attribute, name: string) => unknown,
): Attributes {
  const entries = Object.entries(schema).map(
    ([name, attribute]) => [name, read(attribute, name)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isAttributes(value: unknown): value is Attributes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The resources of a type in a document's HCL: attributes with strings, numbers, truth values and
 * objects, and the expressions that are given their values here.
 */
export function readResources(
  hcl: string,
  type: string,
  expressions: Readonly<Record<string, string>>,
): readonly Attributes[] {
  const start = new RegExp(`^resource "${type}" "\\w+" \\{$`);
  const lines = hcl.split("\n").map((line) => line.trim());
  return lines.flatMap((line, index) =>
    start.test(line) ? [readObject(lines.slice(index + 1), expressions)] : [],
  );
}

function readObject(
  lines: readonly string[],
  expressions: Readonly<Record<string, string>>,
): Attributes {
  const root: Record<string, unknown> = {};
  const open = [root];
  for (const line of lines) {
    if (line === "") continue;
    if (line === "}") open.pop();
    const inner = open.at(-1);
    if (inner === undefined) return root;
    if (line === "}") continue;
    const [, name = "", value = ""] = /^(\w+)\s*=\s*(.+)$/.exec(line) ?? [];
    if (value === "{") {
      const object = {};
      inner[name] = object;
      open.push(object);
    } else inner[name] = expressions[value] ?? (JSON.parse(value) as unknown);
  }
  throw new Error("the resource has no end");
}
