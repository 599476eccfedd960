import { parseXml } from "../../src/providers/adapter/xml.ts";
import type { BodyFact, Facts, RequestFact } from "./facts.ts";
import { readBody, select, textsIn } from "./sent-body.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | null;
}

export interface Comparison {
  readonly fact: RequestFact | null;
  /** The parts of the fact's body that the request has. */
  readonly bodies: readonly BodyFact[];
  readonly differences: readonly string[];
}

/** The fact that describes the request, and everything in which the request differs from it. */
export function compare(sent: SentRequest, facts: Facts): Comparison {
  const label = `${sent.method} ${sent.url.pathname}`;
  const fact = facts.requests.find((one) => isDescribedBy(sent, one, facts));
  if (fact === undefined) {
    const differences = [`${label}: no client sends it to ${sent.url.origin}`];
    return { fact: null, bodies: [], differences };
  }
  const body = compareBody(sent, fact);
  const differences = [
    ...headerDifferences(sent, fact.headers ?? facts.headers),
    ...[...sent.url.searchParams.keys()]
      .filter((key) => !fact.query.includes(key))
      .map((key) => `query ${key} is unknown`),
    ...body.differences,
  ];
  return {
    fact,
    bodies: body.compared,
    differences: differences.map((one) => `${label}: ${one}`),
  };
}

function isDescribedBy(sent: SentRequest, fact: RequestFact, { origin }: Facts): boolean {
  if (sent.url.origin !== (fact.origin ?? origin)) return false;
  if (sent.method !== fact.method || !whole(fact.path).test(sent.url.pathname)) return false;
  const asked = Object.entries(fact.commandQuery ?? {});
  if (asked.some(([name, value]) => sent.url.searchParams.get(name) !== value)) return false;
  const named = Object.entries(fact.commandHeaders ?? {});
  if (named.some(([name, value]) => sent.headers.get(name) !== value)) return false;
  if (fact.command === undefined) return true;
  const given = parseBody(sent.body, fact.bodyType);
  return Object.entries(fact.command).every(([key, value]) => given[key] === value);
}

/** The fields at the top of a body. */
function parseBody(
  body: string | null,
  type: RequestFact["bodyType"],
): Readonly<Record<string, unknown>> {
  if (type === "form") return Object.fromEntries(new URLSearchParams(body ?? ""));
  if (type === "xml") {
    const { children } = parseXml(body ?? "");
    return Object.fromEntries(children.map(({ name, text }) => [name, text]));
  }
  const given: unknown = JSON.parse(body ?? "null");
  return typeof given === "object" && given !== null ? { ...given } : {};
}

function headerDifferences(
  sent: SentRequest,
  headers: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    whole(value).test(sent.headers.get(name) ?? "") ? [] : [`header ${name} has another form`],
  );
}

function compareBody(
  { body, headers }: SentRequest,
  { body: parts, bodyType }: RequestFact,
): { readonly compared: readonly BodyFact[]; readonly differences: readonly string[] } {
  if (parts.length === 0) {
    return { compared: [], differences: body === null ? [] : ["no client sends a body"] };
  }
  if (body === null) return { compared: [], differences: ["every client sends a body"] };
  const value = readBody(body, headers.get("content-type") ?? "", bodyType);
  if (value === null) return { compared: [], differences: [`the body is not ${bodyType}`] };
  const found = parts.map((part) => ({ part, objects: select(value, part.at) }));
  return {
    compared: found.filter(({ objects }) => objects.length > 0).map(({ part }) => part),
    differences: found.flatMap(({ part, objects }) =>
      objects.length === 0 && !part.canBeAbsent
        ? [`nothing is at ${part.at}`]
        : objects.flatMap((one) => objectDifferences(one, part)),
    ),
  };
}

function objectDifferences(
  one: Readonly<Record<string, unknown>>,
  { required, optional, fields }: BodyFact,
): readonly string[] {
  const holds = (when: Readonly<Record<string, string | number>>): boolean =>
    Object.entries(when).every(([key, value]) => textsIn(one[key]).join() === String(value));
  return [
    ...required.filter((key) => !(key in one)).map((key) => `${key} is missing`),
    ...Object.keys(one)
      .filter((key) => !required.includes(key) && !optional.includes(key))
      .map((key) => `${key} is unknown`),
    ...fields
      .filter(({ when = {}, field }) => field in one && holds(when))
      .filter(
        ({ field, matches }) => !textsIn(one[field]).every((text) => whole(matches).test(text)),
      )
      .map(({ field, matches }) => `${field} is ${JSON.stringify(one[field])}, not ${matches}`),
  ];
}

function whole(expression: string): RegExp {
  return new RegExp(`^(?:${expression})$`);
}
