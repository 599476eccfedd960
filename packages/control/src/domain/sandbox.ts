import type { DesiredRecord } from "./connection.ts";

/** A record of a sandbox zone, answered from `visible_at` on. */
export interface SandboxRecord extends DesiredRecord {
  /** ISO 8601; kept as text because it lives in a JSON column. */
  readonly visible_at: string;
}

/** Names under `.test` are answered from sandbox zones, in the test environment only. */
export function isSandboxName(hostname: string): boolean {
  return hostname === "test" || hostname.endsWith(".test");
}
