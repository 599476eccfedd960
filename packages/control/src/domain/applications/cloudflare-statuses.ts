import type { ConnectionState } from "../connections/connection.ts";

/** The statuses of a custom hostname at Cloudflare, and of its certificate. */
export interface CloudflareStatuses {
  readonly status: "pending" | "active" | "moved" | "blocked";
  readonly ssl:
    | "initializing"
    | "pending_validation"
    | "pending_issuance"
    | "active"
    | "validation_timed_out";
}

const unproven: CloudflareStatuses = { status: "pending", ssl: "initializing" };
const proven: CloudflareStatuses = { status: "pending", ssl: "pending_validation" };

/**
 * The two statuses of a custom hostname by the state of its connection; an archived one is not
 * shown.
 */
export const cloudflareStatuses: Readonly<Record<ConnectionState, CloudflareStatuses | null>> = {
  created: unproven,
  pending_ownership: unproven,
  verifying: unproven,
  verified: proven,
  dns_writing: proven,
  propagating: proven,
  stalled: proven,
  issuing_cert: { status: "pending", ssl: "pending_issuance" },
  live: { status: "active", ssl: "active" },
  drifted: { status: "moved", ssl: "active" },
  failed: { status: "blocked", ssl: "validation_timed_out" },
  archived: null,
};
