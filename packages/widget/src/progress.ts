import type { ConnectionDetail, DomainCheck, RecordCheck } from "@mooring/sdk";

export type Stage = "ownership" | "records" | "certificate" | "live";

export interface StageProgress {
  readonly stage: Stage;
  readonly status: "done" | "active" | "waiting";
}

const stages = ["ownership", "records", "certificate", "live"] as const;

/** Which stage a connection is in; the order of the stages is the order of the work. */
const activeStage: Readonly<Record<ConnectionDetail["state"], Stage | "done">> = {
  created: "ownership",
  pending_ownership: "ownership",
  verifying: "ownership",
  verified: "records",
  dns_writing: "records",
  propagating: "records",
  stalled: "records",
  issuing_cert: "certificate",
  live: "done",
  drifted: "records",
  failed: "ownership",
  archived: "ownership",
};

export function progressOf({ state }: ConnectionDetail): readonly StageProgress[] {
  const active = activeStage[state];
  const at = active === "done" ? stages.length : stages.indexOf(active);
  return stages.map((stage, index) => ({
    stage,
    status: index < at ? "done" : index === at ? "active" : "waiting",
  }));
}

export function countFound(records: readonly RecordCheck[] | null): {
  readonly found: number;
  readonly all: number;
} | null {
  if (records === null || records.length === 0) return null;
  return { found: records.filter(({ propagated }) => propagated).length, all: records.length };
}

/**
 * How long visitors may still be sent to the old place: what was there is cached for its TTL. The
 * connection itself is quicker, since the service asks the domain's own servers.
 */
export function cacheMinutes(check: DomainCheck | null): number {
  const seconds = Math.max(0, ...(check?.record_conflicts ?? []).map(({ ttl }) => ttl ?? 0));
  return Math.ceil(seconds / 60);
}
