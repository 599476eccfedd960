import { isDeepStrictEqual } from "node:util";
import type { Fetch } from "../../src/providers/adapter/http.ts";
import { readBody } from "../independent/sent-body.ts";
import type { Exchange, Recording, Rule } from "./recording.ts";

export interface Replay {
  /** Answers as recorded; a request that no recorded one matches is refused and noted. */
  readonly fetch: Fetch;
  /** Requests that differ from all recorded ones, each with the nearest. */
  differences(): readonly string[];
  /** Recorded exchanges that no request asked for. */
  unused(): readonly string[];
  /** Rules that made a difference. */
  usedRules(): ReadonlySet<Rule>;
}

/** What is played of a scene. */
interface Played {
  readonly exchanges: readonly Exchange[];
  readonly unrecorded: readonly Exchange[];
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly contentType: string;
  readonly body: string | null;
}

/**
 * Plays a scene back. Exchanges are found by method, path, query and body, not by their order: of
 * several that match, each is given once and the last one from then on. The host is not compared.
 */
export function replay(
  { exchanges: recorded, unrecorded: besides }: Played,
  { rules: allRules, unrecorded }: Pick<Recording, "rules" | "unrecorded">,
): Replay {
  const supplied = [...besides, ...unrecorded];
  const differences: string[] = [];
  const played = new Map<Exchange, number>();
  const usedRules = new Set<Rule>();
  const note = (rule: Rule) => usedRules.add(rule);

  const find = (asked: Asked): Exchange | null => {
    const request = `${asked.method} ${asked.url.pathname}`;
    const rules = allRules.filter(({ only = "" }) => request.startsWith(only));
    const near = recorded.filter((one) => isSameTarget(asked, one, rules, note));
    const matching = near.filter((one) => bodyDifference(asked, one, rules, note) === null);
    const next = matching.find((one) => !played.has(one)) ?? matching.at(-1);
    if (next !== undefined) return next;
    const made = supplied.find(
      (one) => isSameTarget(asked, one, [], note) && holdsFields(asked, one),
    );
    if (made !== undefined) return made;
    differences.push(describeMiss(asked, near, recorded, rules));
    return null;
  };

  return {
    async fetch(url, init) {
      const { method = "GET", body } = init;
      const headers = new Headers(init.headers);
      const contentType = headers.get("content-type") ?? "";
      const text = body === undefined || body === null ? null : String(body);
      const found = find({ method, url: new URL(url), headers, contentType, body: text });
      // Not repeated by the HTTP client.
      if (found === null) return new Response("not recorded", { status: 400 });
      played.set(found, (played.get(found) ?? 0) + 1);
      return toResponse(found);
    },
    differences: () => differences,
    unused: () =>
      recorded.filter((one) => !played.has(one)).map(({ method, path }) => `${method} ${path}`),
    usedRules: () => usedRules,
  };
}

function toResponse({ status, headers, answer, answerText }: Exchange): Response {
  const text = answerText ?? (answer === undefined ? "" : JSON.stringify(answer));
  return new Response(status === 204 ? null : text, { status, headers });
}

function isSameTarget(
  asked: Asked,
  recorded: Exchange,
  rules: readonly Rule[],
  note: (rule: Rule) => void,
): boolean {
  if (asked.method !== recorded.method || !hasHeaders(asked, recorded)) return false;
  const moved = rules.find(
    (rule) => "recordedBelow" in rule && recorded.path.startsWith(rule.recordedBelow),
  );
  if (decodePath(asked.url.pathname) !== decodePath(movePath(recorded.path, moved))) return false;
  const ours = new Map(asked.url.searchParams);
  const theirs = new Map(Object.entries(recorded.query));
  const used = rules.filter((rule) => alignQueries(rule, ours, theirs));
  const same =
    ours.size === theirs.size && [...theirs].every(([key, value]) => isMatch(ours.get(key), value));
  if (same) [...used, ...(moved === undefined ? [] : [moved])].forEach(note);
  return same;
}

function hasHeaders({ headers }: Asked, { requestHeaders }: Exchange): boolean {
  return Object.entries(requestHeaders).every(([name, value]) => headers.get(name) === value);
}

/** Takes out of both queries in what they may differ; says whether they did. */
function alignQueries(rule: Rule, ours: Map<string, string>, theirs: Map<string, string>): boolean {
  if ("ignoreQuery" in rule) {
    const differing = rule.ignoreQuery.filter((key) => ours.get(key) !== theirs.get(key));
    for (const key of differing) {
      ours.delete(key);
      theirs.delete(key);
    }
    return differing.length > 0;
  }
  if (!("defaultQuery" in rule)) return false;
  const absent = Object.entries(rule.defaultQuery).filter(
    ([key]) => ours.has(key) !== theirs.has(key),
  );
  for (const [key, value] of absent) (ours.has(key) ? theirs : ours).set(key, value);
  return absent.length > 0;
}

function movePath(path: string, rule: Rule | undefined): string {
  if (rule === undefined || !("recordedBelow" in rule)) return path;
  return `${rule.ours}${path.slice(rule.recordedBelow.length)}`;
}

function decodePath(path: string): string {
  return path.split("/").map(decodeURIComponent).join("/");
}

/** Null where the bodies are the same, rules aside. */
function bodyDifference(
  asked: Asked,
  recorded: Exchange,
  rules: readonly Rule[],
  note: (rule: Rule) => void,
): string | null {
  const ours = parseBody(asked.body, asked.contentType);
  const theirs =
    recorded.bodyText === undefined
      ? (recorded.body ?? null)
      : parseBody(recorded.bodyText, asked.contentType);
  if (isMatch(ours, theirs)) return null;
  const [left, right] = [structuredClone(ours), structuredClone(theirs)];
  const used: Rule[] = [];
  for (const rule of rules) {
    if (isMatch(left, right)) break;
    const removed = ignoredIn(rule).map(({ path, value }) =>
      [left, right].map((body) => removeAt(body, path.split("."), value)).includes(true),
    );
    if (removed.includes(true)) used.push(rule);
  }
  if (!isMatch(left, right)) return `${JSON.stringify(left)}, recorded ${JSON.stringify(right)}`;
  used.forEach(note);
  return null;
}

/** The unrecorded exchange's body, if it has one, is part of the request's. */
function holdsFields(asked: Asked, { body }: Exchange): boolean {
  if (!isFields(body)) return true;
  const ours = parseBody(asked.body, asked.contentType);
  return isFields(ours) && Object.entries(body).every(([key, value]) => isMatch(ours[key], value));
}

function parseBody(body: string | null, contentType: string): unknown {
  if (body === null) return null;
  if (contentType.includes("x-www-form-urlencoded")) {
    return parseFields(readBody(body, contentType, "form"));
  }
  if (contentType.includes("xml")) return readBody(body, contentType, "xml");
  return JSON.parse(body);
}

/** The fields of a form; one that is an object in JSON is read. */
function parseFields(form: unknown): unknown {
  if (!isFields(form)) return form;
  const entries = Object.entries(form).map(([key, value]) => {
    const isJson = typeof value === "string" && /^\{.*\}$/s.test(value);
    return [key, isJson ? JSON.parse(value) : value];
  });
  return Object.fromEntries(entries);
}

/** Equal, where a recorded `***` stands for any value. */
function isMatch(ours: unknown, theirs: unknown): boolean {
  if (theirs === "***") return ours !== undefined && ours !== null && ours !== "";
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return ours.length === theirs.length && ours.every((one, at) => isMatch(one, theirs[at]));
  }
  if (isFields(ours) && isFields(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].every(
      (key) => key in ours && key in theirs && isMatch(ours[key], theirs[key]),
    );
  }
  return isDeepStrictEqual(ours, theirs);
}

/** Paths of fields that do not count, those with a value only where they have that value. */
function ignoredIn(rule: Rule): readonly { readonly path: string; readonly value?: unknown }[] {
  if ("ignoreBody" in rule) return rule.ignoreBody.map((path) => ({ path }));
  if (!("defaultBody" in rule)) return [];
  return Object.entries(rule.defaultBody).map(([path, value]) => ({ path, value }));
}

/**
 * Removes what is at the path, `*` being each entry of a list, if it is the value; says whether
 * there was anything to remove.
 */
function removeAt(
  body: unknown,
  [step, ...rest]: readonly string[],
  value: unknown = undefined,
): boolean {
  if (step === undefined) return false;
  if (step === "*") {
    return Array.isArray(body) && body.map((one) => removeAt(one, rest, value)).includes(true);
  }
  if (!isFields(body) || !(step in body)) return false;
  if (rest.length > 0) return removeAt(body[step], rest, value);
  if (value !== undefined && !isDeepStrictEqual(body[step], value)) return false;
  delete body[step];
  return true;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describeMiss(
  asked: Asked,
  near: readonly Exchange[],
  recorded: readonly Exchange[],
  rules: readonly Rule[],
): string {
  const sent = `${asked.method} ${asked.url.pathname}${asked.url.search}`;
  if (near.length === 0) {
    const known = recorded.map(({ method, path, query }) => {
      const search = new URLSearchParams(query).toString();
      return `${method} ${path}${search === "" ? "" : `?${search}`}`;
    });
    return `${sent} is not recorded; recorded are ${[...new Set(known)].join(", ")}`;
  }
  const bodies = near.map((one) => bodyDifference(asked, one, rules, () => undefined));
  return `${sent} has the body ${bodies.join("; ")}`;
}
