import { ProviderError } from "../adapter/errors.ts";
import { escapeXml, parseXml, type XmlElement } from "../adapter/xml.ts";

/** A fault: what happened, in one word, and its detail. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
}

/** A call has one parameter, which is JSON. */
export function writeEnvelope(operation: string, namespace: string, params: unknown): string {
  const call = `<Params xsi:type="xsd:string">${escapeXml(JSON.stringify(params))}</Params>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"',
    ` xmlns:ns1="${namespace}" xmlns:xsd="http://www.w3.org/2001/XMLSchema"`,
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
    `<SOAP-ENV:Body><ns1:${operation}>${call}</ns1:${operation}></SOAP-ENV:Body>`,
    "</SOAP-ENV:Envelope>",
  ].join("");
}

/** The fault in a body, or null for anything else, also for what is no XML. */
export function readFault(source: string): Fault | null {
  try {
    return findFault(parseXml(source));
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** The fault in an answer, or null for one that returns something. */
export function findFault(root: XmlElement): Fault | null {
  const fault = find(root, "Body", "Fault");
  if (fault === null) return null;
  const text = (name: string) => find(fault, name)?.text.trim() ?? "";
  return { code: text("faultstring"), detail: text("detail") };
}

/** What a call returned, as maps, lists and texts. */
export function readReturn(root: XmlElement): unknown {
  const [answer] = find(root, "Body")?.children ?? [];
  const returned = answer === undefined ? null : find(answer, "return");
  if (returned !== null) return readValue(returned);
  throw new ProviderError("unavailable", "The answer of ALL-INKL.COM returns nothing.");
}

/** Prefixes are not the same in all answers. */
function find(element: XmlElement, ...path: readonly string[]): XmlElement | null {
  let at: XmlElement | null = element;
  for (const name of path) {
    at = at?.children.find((one) => one.name.split(":").at(-1) === name) ?? null;
  }
  return at;
}

function readValue(element: XmlElement): unknown {
  if (element.attributes["xsi:nil"] === "true") return null;
  const items = element.children.filter(({ name }) => name === "item");
  const isArray = /Array$/.test(element.attributes["xsi:type"] ?? "");
  if (items.length === 0) return isArray ? [] : element.text;
  const entries = items.map((item) => [find(item, "key"), find(item, "value")] as const);
  if (entries.some(([key]) => key === null)) return items.map(readValue);
  return Object.fromEntries(
    entries.map(([key, value]) => [key?.text ?? "", value === null ? null : readValue(value)]),
  );
}
