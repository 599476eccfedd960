import type { DnsRecord } from "@mooring/sdk";
import { paint, type Style } from "./paint.ts";

/** A time as people read it, to the second; a dash for none. */
export function timeOf(value: string | null): string {
  return value === null ? "–" : `${value.slice(0, 19).replace("T", " ")}Z`;
}

export function orDash(value: string | number | null): string {
  return value === null || value === "" ? "–" : String(value);
}

export function yesNo(value: boolean | null): string {
  return value === null ? "unknown" : value ? "yes" : "no";
}

/** As a DNS form wants it, the priority in front of the target. */
export function recordValue({ value, priority }: Pick<DnsRecord, "value" | "priority">): string {
  return priority === null ? value : `${priority} ${value}`;
}

const stateStyles: Readonly<Record<string, Style>> = {
  live: "green",
  issued: "green",
  delivered: "green",
  failed: "red",
  exhausted: "red",
  expired: "red",
  revoked: "red",
  drifted: "yellow",
  stalled: "yellow",
  archived: "dim",
};

export function painted(state: string): string {
  return paint(stateStyles[state] ?? "cyan", state);
}
