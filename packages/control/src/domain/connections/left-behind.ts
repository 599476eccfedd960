import { isAtOrBelow } from "@mooring/dns";
import { acceptedNames } from "../ownership/target.ts";
import type { Connection } from "./connection.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** For how long after an archive the name is looked up. */
export const watchedMs = 90 * dayMs;

/** `in_use`: somebody has connected the name since; nothing is asked or said about it then. */
export type Sight = "here" | "gone" | "unknown" | "in_use";

/** What is known of a name whose connection was archived. */
export interface LeftBehind {
  readonly connectionId: string;
  readonly tenantId: string;
  readonly hostname: string;
  readonly archivedAt: Date;
  /** What the last lookups agree on, and how many. */
  readonly seen: "here" | "gone" | null;
  readonly agreeing: number;
  /** Since when it is known to resolve to us; null while it is not. */
  readonly danglingSince: Date | null;
  /** When that was reported: once for each archive. */
  readonly reportedAt: Date | null;
}

export type Watch = Pick<LeftBehind, "seen" | "agreeing" | "danglingSince" | "reportedAt">;

export interface WatchStep {
  readonly watch: Watch;
  /** Whether the event is sent. */
  readonly isNews: boolean;
  readonly nextMs: number;
}

/** A first answer that says something new is confirmed by another after this. */
const confirmMs = hourMs;
const enough = 2;

/** What a lookup adds. Two that agree decide; what is not known changes nothing. */
export function followSight(before: Watch, sight: Sight, now: Date): WatchStep {
  if (sight === "unknown") return { watch: before, isNews: false, nextMs: dayMs };
  if (sight === "in_use") {
    const watch = { ...before, seen: null, agreeing: 0, danglingSince: null };
    return { watch, isNews: false, nextMs: dayMs };
  }
  const agreeing = before.seen === sight ? before.agreeing + 1 : 1;
  const isKnown = (sight === "here") === (before.danglingSince !== null);
  const isSettled = isKnown || agreeing >= enough;
  const settled = sight === "here" ? (before.danglingSince ?? now) : null;
  const isNews = isSettled && sight === "here" && before.reportedAt === null;
  return {
    watch: {
      seen: sight,
      agreeing,
      danglingSince: isSettled ? settled : before.danglingSince,
      reportedAt: isNews ? now : before.reportedAt,
    },
    isNews,
    nextMs: isSettled ? dayMs : confirmMs,
  };
}

/**
 * When the first lookup is due: at a time of its own within a day, so that many names that are
 * archived together are not looked up together. `random` is from 0 to 1.
 */
export function firstLookupAt(archivedAt: Date, random: number): Date {
  return new Date(archivedAt.getTime() + hourMs + random * dayMs);
}

/** ±10 %, so that lookups that fell together drift apart. */
export function nextLookupAt(now: Date, nextMs: number, random: number): Date {
  return new Date(now.getTime() + Math.round(nextMs * (0.9 + random * 0.2)));
}

/** A record of the name by which visitors still arrive here. */
export interface LeftRecord {
  readonly host: string;
  readonly type: "A" | "AAAA" | "CNAME";
  readonly value: string;
}

/** What the name's own servers answered for its addresses. */
export interface NameAnswer {
  /** The CNAME targets that were followed, in order. */
  readonly chain: readonly string[];
  readonly records: readonly { readonly type: string; readonly value: string }[];
}

/**
 * The records to remove; empty when the name does not resolve to us for the sake of this
 * connection. A CNAME to the target of another connection is that one's.
 */
export function leftRecords(
  { hostname, targetLabel }: Pick<Connection, "hostname" | "targetLabel">,
  answer: NameAnswer,
  edge: { readonly cname: string; readonly addresses: ReadonlySet<string> },
): readonly LeftRecord[] {
  const [alias] = answer.chain;
  const asAlias = alias === undefined ? [] : [{ host: hostname, type: "CNAME", value: alias }];
  const atEdge = answer.chain.find((name) => isAtOrBelow(name, edge.cname));
  if (atEdge !== undefined) {
    return acceptedNames(edge.cname, { targetLabel }).includes(atEdge) ? typed(asAlias) : [];
  }
  const ours = answer.records.filter(({ value }) => edge.addresses.has(value));
  if (ours.length === 0) return [];
  if (asAlias.length > 0) return typed(asAlias);
  return typed(ours.map(({ type, value }) => ({ host: hostname, type, value })));
}

function typed(records: readonly { host: string; type: string; value: string }[]) {
  return records.flatMap(({ host, type, value }): LeftRecord[] =>
    type === "A" || type === "AAAA" || type === "CNAME" ? [{ host, type, value }] : [],
  );
}
