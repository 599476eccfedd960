import type { EventType } from "../webhooks/event.ts";
import type { Connection, ConnectionError, ConnectionState } from "./connection.ts";
import type { ClaimState, Observation } from "./observation.ts";

/** A provider's own servers usually answer with a change within a second. */
export const visibleAfterMs = 1_000;

interface OwnershipStep {
  readonly state: ConnectionState;
  readonly errorCode?: ConnectionError | null;
  readonly claim?: "take";
  readonly events?: readonly EventType[];
  readonly nextCheckMs?: number;
  readonly setupType?: Connection["setupType"];
}

/** It is woken when there is room; what is checked meanwhile changes nothing. */
export const overQuota = {
  state: "verified",
  errorCode: "quota_exceeded",
  nextCheckMs: 6 * 3_600_000,
} as const;

export function ownershipStep(
  connection: Connection,
  observation: Observation,
  claim: ClaimState,
  { exceedsQuota = false }: { readonly exceedsQuota?: boolean },
): OwnershipStep {
  const proof = observation.ownership;
  if (!proof) return { state: connection.state, errorCode: connection.errorCode };
  switch (proof.outcome) {
    case "match":
      if (claim === "held" || (proof.isByDns === true && claim !== "free")) {
        return { state: "pending_ownership", errorCode: "hostname_conflict" };
      }
      return {
        state: "verified",
        claim: "take",
        events: ["domain.verified"],
        ...(exceedsQuota ? overQuota : {}),
      };
    case "partial":
      return { state: "verifying", errorCode: proof.error };
    case "mismatch":
    case "absent":
      return {
        state: "pending_ownership",
        errorCode: proof.error,
        ...afterOwnWrite(connection, observation),
      };
    case "unknown":
      return {
        state: connection.state === "verifying" ? "verifying" : "pending_ownership",
        errorCode: proof.error,
      };
  }
}

/** The ownership record was absent and the service has just written it: check again soon. */
function afterOwnWrite(connection: Connection, { write }: Observation): Partial<OwnershipStep> {
  if (write?.outcome === "written") {
    const nextCheckMs = visibleAfterMs * 2 ** Math.min(connection.checks, 8);
    return { nextCheckMs, setupType: "automatic" };
  }
  if (write?.outcome === "refused") return { errorCode: write.error, setupType: "manual" };
  return {};
}
