import type { Connection } from "../../domain/connection.ts";
import type { FindingActor, Severity } from "../../domain/diagnosis/finding.ts";
import type { RecordStatus } from "../../services/share/shared-record.ts";

/** What a state looks like to the person who manages the domain's DNS. */
export type Tone = "wait" | "good" | "bad";

export function headline({ state }: Connection): { readonly text: string; readonly tone: Tone } {
  switch (state) {
    case "created":
    case "pending_ownership":
    case "verifying":
      return { text: "Waiting for the DNS records", tone: "wait" };
    case "verified":
    case "dns_writing":
    case "propagating":
      return { text: "Ownership is proven; the other records are next", tone: "wait" };
    case "stalled":
      return { text: "Still waiting for the DNS records", tone: "bad" };
    case "issuing_cert":
      return { text: "The records are in place; the certificate is being obtained", tone: "wait" };
    case "live":
      return { text: "Connected", tone: "good" };
    case "drifted":
      return { text: "The DNS records have changed", tone: "bad" };
    case "failed":
    case "archived":
      return { text: "Not connected", tone: "bad" };
  }
}

export const statusWords: Readonly<
  Record<RecordStatus, { readonly text: string; readonly tone: Tone }>
> = {
  found: { text: "Found", tone: "good" },
  partly: { text: "On some servers", tone: "wait" },
  missing: { text: "Not found yet", tone: "wait" },
  other: { text: "Other value", tone: "bad" },
  unknown: { text: "Could not look", tone: "wait" },
};

export const severityTones: Readonly<Record<Severity, Tone>> = {
  error: "bad",
  warning: "wait",
  info: "good",
};

export const moves: Readonly<Record<FindingActor, string>> = {
  end_customer: "Your move",
  tenant: "The sender's move",
  operator: "The service's move",
  wait: "Nothing to do but wait",
};

export const purposes = {
  ownership: "Proves that the domain is yours",
  traffic: "Leads visitors to the service",
} as const;
