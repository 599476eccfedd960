import type { ProviderErrorKind } from "@mooring/dns";
import type { CredentialEventType } from "../webhooks/event.ts";

/** Whether a stored credential works, as far as its uses have shown. */
export interface CredentialHealth {
  /** Since when its provider refuses it; null while it works. */
  readonly failingSince: Date | null;
  /** When `credential.failing` was last sent for it. */
  readonly reportedAt: Date | null;
}

export interface CredentialChange {
  readonly health: CredentialHealth;
  readonly event: CredentialEventType | null;
}

const reportEveryMs = 86_400_000;

/**
 * What a use of a credential shows about it; `failure` is null for a use that went well. Only a
 * refusal is the credential's own fault: a provider that is away or asks to wait says nothing about
 * it. Each episode is reported once, and at most one a day, so that a provider that changes its
 * mind with every call does not flood the tenant; a recovery is reported only if the failure was.
 */
export function afterUse(
  health: CredentialHealth,
  failure: ProviderErrorKind | null,
  now: Date,
): CredentialChange {
  const { failingSince, reportedAt } = health;
  const isReported = failingSince !== null && reportedAt !== null && reportedAt >= failingSince;
  if (failure === null) {
    const event = isReported ? "credential.recovered" : null;
    return { health: { failingSince: null, reportedAt }, event };
  }
  if (failure !== "auth") return { health, event: null };
  const since = failingSince ?? now;
  const isRecent = reportedAt !== null && now.getTime() - reportedAt.getTime() < reportEveryMs;
  if (isReported || isRecent) return { health: { failingSince: since, reportedAt }, event: null };
  return { health: { failingSince: since, reportedAt: now }, event: "credential.failing" };
}
