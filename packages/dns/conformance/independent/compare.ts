import type { Facts, RequestFact } from "./facts.ts";

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | null;
}

/** The fact that describes the request, and everything in which the request differs from it. */
export function compare(
  sent: SentRequest,
  facts: Facts,
): { readonly fact: RequestFact | null; readonly differences: readonly string[] } {
  const fact =
    facts.requests.find(
      ({ method, path, call }) =>
        method === sent.method && whole(path).test(sent.url.pathname) && isCall(sent, call),
    ) ?? null;
  const label = `${sent.method} ${sent.url.pathname}`;
  if (sent.url.origin !== facts.origin || fact === null) {
    return { fact: null, differences: [`${label}: no client sends it to ${sent.url.origin}`] };
  }
  const differences = [
    ...headerDifferences(sent, facts),
    ...[...sent.url.searchParams.keys()]
      .filter((key) => !fact.query.includes(key))
      .map((key) => `query ${key} is unknown`),
    ...bodyDifferences(sent, fact),
  ];
  return { fact, differences: differences.map((one) => `${label}: ${one}`) };
}

function isCall({ body }: SentRequest, call: RequestFact["call"]): boolean {
  const expected = Object.entries(call);
  if (expected.length === 0) return true;
  const given: unknown = JSON.parse(body ?? "null");
  return isJson(given) && expected.every(([key, value]) => given[key] === value);
}

function headerDifferences(sent: SentRequest, facts: Facts): readonly string[] {
  return Object.entries(facts.headers).flatMap(([name, value]) =>
    whole(value).test(sent.headers.get(name) ?? "") ? [] : [`header ${name} has another form`],
  );
}

function bodyDifferences({ body }: SentRequest, fact: RequestFact): readonly string[] {
  if (fact.body === null) return body === null ? [] : ["no client sends a body"];
  if (body === null) return ["every client sends a body"];
  const { at, required, optional, fields } = fact.body;
  const objects = select(JSON.parse(body), at === "" ? [] : at.split("/"));
  if (objects.length === 0) return [`nothing is at ${at}`];
  return objects.flatMap((one) => [
    ...required.filter((key) => !(key in one)).map((key) => `${key} is missing`),
    ...Object.keys(one)
      .filter((key) => !required.includes(key) && !optional.includes(key))
      .map((key) => `${key} is unknown`),
    ...fields
      .filter(({ when = {} }) => Object.entries(when).every(([key, value]) => one[key] === value))
      .filter(({ field, matches }) => !texts(one[field]).every((text) => whole(matches).test(text)))
      .map(({ field, matches }) => `${field} is ${JSON.stringify(one[field])}, not ${matches}`),
  ]);
}

type Json = Readonly<Record<string, unknown>>;

function select(value: unknown, path: readonly string[]): readonly Json[] {
  const [step, ...rest] = path;
  if (step === undefined) return isJson(value) ? [value] : [];
  if (step === "*") return Array.isArray(value) ? value.flatMap((one) => select(one, rest)) : [];
  return isJson(value) ? select(value[step], rest) : [];
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list is compared entry by entry. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function whole(expression: string): RegExp {
  return new RegExp(`^(?:${expression})$`);
}
