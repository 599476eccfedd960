import type {
  Application,
  ConnectionEdge,
  CreateApplication,
  UpdateConnection,
} from "@mooring/sdk";
import { usageFailure } from "../explain.ts";
import { parsedJson, readInput } from "../input.ts";

type EdgeChanges = NonNullable<CreateApplication["edge"]>;
type RuleChanges = NonNullable<UpdateConnection["edge"]>;

/**
 * `key=value` pairs as the `edge` object of an application. A value is JSON (`null` for the
 * default), or else text; `@file` is the content of a file. The API says which keys there are.
 */
export function edgeChangesIn(pairs: readonly string[]): Promise<EdgeChanges> {
  return readPairs(pairs);
}

/** The same for a connection, which has some of the keys. */
export function ruleChangesIn(pairs: readonly string[]): Promise<RuleChanges> {
  return readPairs(pairs);
}

async function readPairs(pairs: readonly string[]): Promise<Record<string, unknown>> {
  const changes: [string, unknown][] = [];
  for (const pair of pairs) {
    const [, key, text] = /^([a-z0-9_]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || text === undefined) {
      throw usageFailure(`${pair} is not a setting like first_byte_timeout_s=30`);
    }
    const content = text.startsWith("@") ? await readInput(text.slice(1)) : text;
    const value = parsedJson(content);
    changes.push([key, value === undefined ? content : value]);
  }
  return Object.fromEntries(changes);
}

/** The keys that are set, in one line; null when none is. */
export function edgeLine(edge: Application["edge"] | ConnectionEdge): string | null {
  const set = Object.entries(edge).filter(([, value]) => value !== null);
  if (set.length === 0) return null;
  return set.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(" ");
}
