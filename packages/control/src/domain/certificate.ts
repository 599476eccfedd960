import type { ConnectionError } from "./connection.ts";

export const certificateStatuses = [
  "none",
  "pending",
  "issued",
  "renewing",
  "failed",
  "expired",
  "revoked",
] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

/** What the control plane sees of a hostname's certificate. */
export interface Certificate {
  readonly status: CertificateStatus;
  readonly ca: string | null;
  readonly notAfter: Date | null;
  readonly errorCode: ConnectionError | null;
  /** New with every certificate, renewals included; null while there is none. */
  readonly issueId: string | null;
  /** The claim that it was wanted for; one of an older claim is not this connection's. */
  readonly epoch: number;
}
