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

/** What certificate authorities call themselves in CAA records (RFC 8659 §4.2), by their directory. */
const identities: Readonly<Record<string, readonly string[]>> = {
  "acme-v02.api.letsencrypt.org": ["letsencrypt.org"],
  "acme-staging-v02.api.letsencrypt.org": ["letsencrypt.org"],
  "acme.zerossl.com": ["sectigo.com", "zerossl.com"],
  "dv.acme-v02.api.pki.goog": ["pki.goog"],
  "dv.acme-v02.test-api.pki.goog": ["pki.goog"],
  "api.buypass.com": ["buypass.com"],
  "acme.ssl.com": ["ssl.com"],
};

/** Where nothing else is known: an unset or private directory stands in for the usual one. */
const usual = ["letsencrypt.org"];

/** The names of which CAA must allow one, and how the names will be validated. */
export function caaIssuer(directories: readonly string[]): {
  readonly issuers: readonly string[];
  readonly methods: readonly string[];
} {
  const named = directories.flatMap((url) => identities[new URL(url).hostname] ?? usual);
  const issuers = [...new Set(named.length > 0 ? named : usual)];
  return { issuers, methods: ["http-01", "tls-alpn-01"] };
}
