import { ProviderError } from "./errors.ts";

/** An element of an answer. Namespaces, comments and processing instructions are not kept. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The character data directly inside, joined. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN =
  /<\?.*?\?>|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|<\/([\w.:-]+)\s*>|<([\w.:-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/sy;

/**
 * Reads the XML that provider interfaces answer: elements, attributes and text. Document types are
 * refused, so that no entity can be defined. Anything malformed, such as an answer that is cut short,
 * is a ProviderError of kind `unavailable`.
 */
export function parseXml(source: string): XmlElement {
  const root: OpenElement = { name: "", attributes: {}, children: [], text: "" };
  const stack: OpenElement[] = [root];
  const text = source.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (found === null) throw malformed();
    take(found, stack);
  }
  const [only, ...others] = root.children;
  if (stack.length !== 1 || only === undefined || others.length > 0) throw malformed();
  return only;
}

function take(found: RegExpExecArray, stack: OpenElement[]): void {
  const [, cdata, closed, opened, attributes = "", selfClosing, plain] = found;
  const current = stack.at(-1);
  if (current === undefined) throw malformed();
  if (cdata !== undefined) current.text += cdata;
  if (plain !== undefined) current.text += decodeEntities(plain);
  if (opened !== undefined) {
    const element = {
      name: opened,
      attributes: readAttributes(attributes),
      children: [],
      text: "",
    };
    current.children.push(element);
    if (selfClosing === "") stack.push(element);
  }
  if (closed !== undefined) {
    if (stack.length === 1 || current.name !== closed) throw malformed();
    stack.pop();
  }
}

function readAttributes(source: string): Readonly<Record<string, string>> {
  const found = source.matchAll(/([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries(
    Array.from(found, ([, name = "", double, single]) => [
      name,
      decodeEntities(double ?? single ?? ""),
    ]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (_, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? raise();
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : raise();
  });
}

function raise(): never {
  throw malformed();
}

function malformed(): ProviderError {
  return new ProviderError(
    "unavailable",
    "The provider's answer is not well-formed XML, or is cut short.",
  );
}

export function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };
  return text.replace(/[&<>"]/g, (character) => `&${names[character]};`);
}

/** The first element down the path, or null. */
export function child(element: XmlElement, ...path: readonly string[]): XmlElement | null {
  let at: XmlElement | null = element;
  for (const name of path) at = at?.children.find((one) => one.name === name) ?? null;
  return at;
}

export function childrenOf(element: XmlElement | null, name: string): readonly XmlElement[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

/** The text down the path; an absent element is an answer of the wrong shape. */
export function textAt(element: XmlElement, ...path: readonly string[]): string {
  const found = child(element, ...path);
  if (found === null) {
    throw new ProviderError("unavailable", `The provider's answer lacks ${path.join("/")}.`);
  }
  return found.text.trim();
}
