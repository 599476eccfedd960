import { XMLParser, XMLValidator } from "fast-xml-parser";
import { entryFor } from "../../foreign-text.ts";
import { ProviderError } from "./errors.ts";
import { isObject } from "./json.ts";

/** An element of an answer. Namespaces, comments and processing instructions are dropped. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The character data directly inside, joined. */
  readonly text: string;
}

const textKey = "#text";
const cdataKey = "#cdata";
const attributesKey = ":@";

/**
 * Entities are decoded below, where an unknown one is refused; the library would leave it as text.
 */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  textNodeName: textKey,
  cdataPropName: cdataKey,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
});

/**
 * Parses the XML answer of a provider: elements, attributes and text. A document type is refused,
 * so no entity can be defined. Anything malformed, such as an answer that is cut short, is a
 * ProviderError of kind `unavailable`.
 */
export function parseXml(source: string): XmlElement {
  const [root, ...others] = elementsIn(parseNodes(source.trim()));
  if (root === undefined || others.length > 0) throw malformed();
  return root;
}

function parseNodes(source: string): unknown {
  if (/<!doctype/i.test(source) || XMLValidator.validate(source) !== true) throw malformed();
  try {
    return parser.parse(source);
  } catch (error) {
    // The parser refuses reserved names such as __proto__, and nesting beyond its limit.
    throw malformed(error);
  }
}

/** A node of the ordered form has one key, its name or the kind of text, and perhaps attributes. */
function elementsIn(nodes: unknown): readonly XmlElement[] {
  return nodesIn(nodes).flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== attributesKey);
    if (name === undefined || name === textKey || name === cdataKey) return [];
    const attributes = Object.entries(node[attributesKey] ?? {}).map(
      ([key, value]) => [key, decodeEntities(String(value))] as const,
    );
    const content = node[name];
    return {
      name,
      attributes: Object.fromEntries(attributes),
      children: elementsIn(content),
      text: textIn(content),
    };
  });
}

function textIn(nodes: unknown): string {
  return nodesIn(nodes)
    .map((node) => {
      if (cdataKey in node) return nodesIn(node[cdataKey]).map(rawText).join("");
      return textKey in node ? decodeEntities(rawText(node)) : "";
    })
    .join("");
}

function rawText(node: Readonly<Record<string, unknown>>): string {
  return String(node[textKey] ?? "");
}

function nodesIn(nodes: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(nodes) ? nodes.filter(isObject) : [];
}

/** XML 1.0 §4.6. */
const predefinedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (_, decimal, hex, name) => {
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const decoded =
      name === undefined
        ? code <= 0x10ffff && String.fromCodePoint(code)
        : entryFor(predefinedEntities, name);
    if (typeof decoded !== "string") throw malformed();
    return decoded;
  });
}

function malformed(cause?: unknown): ProviderError {
  return new ProviderError(
    "unavailable",
    "The provider's answer is not well-formed XML, or is cut short.",
    { cause },
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

export function findChildren(element: XmlElement | null, name: string): readonly XmlElement[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

/** The text down the path; an answer without the element has the wrong shape. */
export function textAt(element: XmlElement, ...path: readonly string[]): string {
  const found = child(element, ...path);
  if (found === null) {
    throw new ProviderError("unavailable", `The provider's answer lacks ${path.join("/")}.`);
  }
  return found.text.trim();
}
