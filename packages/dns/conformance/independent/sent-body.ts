import { parseXml, type XmlElement } from "../../src/providers/adapter/xml.ts";

export type BodyType = "json" | "form" | "xml";

const contentTypes: Readonly<Record<BodyType, RegExp>> = {
  json: /^application\/json\b/,
  form: /^application\/x-www-form-urlencoded\b/,
  xml: /^(?:text|application)\/xml\b/,
};

/**
 * A body as objects and lists, null if its content type is another one.
 *
 * - form: the fields, the numbered ones (`HostName1`) as a list of objects at `numbered`
 * - xml: each element as an object; children of one name are a list, attributes are `@name`
 */
export function readBody(body: string, contentType: string, type: BodyType): unknown {
  if (!contentTypes[type].test(contentType)) return null;
  if (type === "json") return JSON.parse(body);
  if (type === "form") return readForm(new URLSearchParams(body));
  const root = parseXml(body);
  return { [root.name]: [readElement(root)] };
}

function readForm(form: URLSearchParams): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  const numbered = new Map<string, Record<string, string>>();
  for (const [key, value] of form) {
    const [, name, number] = /^([A-Za-z]+)(\d+)$/.exec(key) ?? [];
    if (name === undefined || number === undefined) {
      fields[key] = value;
    } else {
      numbered.set(number, { ...numbered.get(number), [name]: value });
    }
  }
  return numbered.size === 0 ? fields : { ...fields, numbered: [...numbered.values()] };
}

function readElement({ attributes, children, text }: XmlElement): unknown {
  if (children.length === 0) return text;
  const read: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) read[`@${name}`] = value;
  for (const { name } of children) {
    read[name] = children.filter((one) => one.name === name).map(readElement);
  }
  return read;
}

type Fields = Readonly<Record<string, unknown>>;

/** The objects at a path such as "rrsets/*", where `*` is each entry of a list. */
export function select(value: unknown, path: string): readonly Fields[] {
  return follow(value, path === "" ? [] : path.split("/"));
}

function follow(value: unknown, path: readonly string[]): readonly Fields[] {
  const [step, ...rest] = path;
  if (step === undefined) return isFields(value) ? [value] : [];
  if (step === "*") return Array.isArray(value) ? value.flatMap((one) => follow(one, rest)) : [];
  return isFields(value) ? follow(value[step], rest) : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as text; a list gives its entries. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap(textsIn) : [String(value)];
}
