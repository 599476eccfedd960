import { foreignLine } from "@mooring/dns/lookup";
import type { Connection, ConnectionError } from "../connections/connection.ts";

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

/** Obtained from a CA, brought by the tenant, or that of another edge. */
export const certificateSources = ["automatic", "own", "external"] as const;
export type CertificateSource = (typeof certificateSources)[number];

/** Why the last attempt to obtain a certificate failed. */
export interface CertificateFault {
  /** Of the CA's problem document (RFC 8555 §6.7); null for what the edge found itself. */
  readonly type: string | null;
  /** Foreign text: one line, at most 500 characters. */
  readonly detail: string;
}

/** What a CA said of a name, as an edge stores it. */
export interface CaProblem {
  readonly type: string;
  readonly detail: string | null;
}

/** What may be shown of a failed attempt; what only concerns the operator stays in the log. */
export function readFault(row: {
  readonly ca_error?: CaProblem | null;
  readonly last_error?: string | null;
  readonly error_code: ConnectionError | null;
}): CertificateFault | null {
  const { ca_error: said, last_error: found, error_code: code } = row;
  if (said) {
    const type = foreignLine(said.type, maxFaultLength);
    return { type, detail: foreignLine(said.detail ?? said.type, maxFaultLength) };
  }
  if (!found || (code !== null && isWaitingForCa(code))) return null;
  return { type: null, detail: foreignLine(found, maxFaultLength) };
}

const maxFaultLength = 500;

/** A hostname's certificate, as far as the control plane reads it. */
export interface Certificate {
  readonly status: CertificateStatus;
  readonly ca: string | null;
  readonly notAfter: Date | null;
  readonly errorCode: ConnectionError | null;
  /** When it is tried again to obtain it; null while a valid one needs nothing. */
  readonly nextAttemptAt: Date | null;
  /** New with every certificate, renewals included; null while there is none. */
  readonly issueId: string | null;
  /** The epoch of the claim it was ordered for; one of an older claim is not this connection's. */
  readonly epoch: number;
  /** Another server obtained it before the hostname was connected. */
  readonly isImported?: boolean;
  /** Absent where it was not read. */
  readonly fault?: CertificateFault | null;
}

/** The same, with what a caller is shown besides. */
export interface ShownCertificate extends Certificate {
  readonly source: CertificateSource;
  /** SHA-256 of the served certificate; null where it is not known. */
  readonly fingerprint: string | null;
}

/** A valid certificate without a failure waits for its renewal, which is not reported. */
export function nextAttempt<T>(
  dueAt: T | null,
  issueId: string | null,
  errorCode: string | null,
): T | null {
  return issueId === null || errorCode !== null ? dueAt : null;
}

/**
 * The names of certificate authorities in CAA records (RFC 8659 §4.2), by the host of their
 * directory.
 */
const identities: Readonly<Record<string, readonly string[]>> = {
  "acme-v02.api.letsencrypt.org": ["letsencrypt.org"],
  "acme-staging-v02.api.letsencrypt.org": ["letsencrypt.org"],
  "acme.zerossl.com": ["sectigo.com", "zerossl.com"],
  "dv.acme-v02.api.pki.goog": ["pki.goog"],
  "dv.acme-v02.test-api.pki.goog": ["pki.goog"],
  "api.buypass.com": ["buypass.com"],
  "acme.ssl.com": ["ssl.com"],
};

/** Assumed for an unset or private directory. */
const defaultIssuers = ["letsencrypt.org"];

/**
 * The issuers of which CAA must allow one, the challenge methods in use, and where to look up the
 * URLs of our accounts at the CAs.
 */
export function caaIssuer(
  directories: readonly string[],
  accountUris?: (directories: readonly string[]) => Promise<readonly string[]>,
  methods: readonly string[] = networkMethods,
): {
  readonly issuers: readonly string[];
  readonly methods: readonly string[];
  readonly accountUri: () => Promise<readonly string[] | null>;
} {
  const named = directories.flatMap((url) => identities[new URL(url).hostname] ?? defaultIssuers);
  const issuers = [...new Set(named.length > 0 ? named : defaultIssuers)];
  const accountUri = async () => {
    const known = (await accountUris?.(directories)) ?? [];
    // An edge opens its accounts when it first needs them; until then none can be judged.
    return known.length < directories.length || known.length === 0 ? null : known;
  };
  return { issuers, methods, accountUri };
}

const networkMethods = ["http-01", "tls-alpn-01"];

/** The validation methods by which a certificate for the hostname can be obtained. */
export function validationMethods(
  { hostname, validationStatus }: Pick<Connection, "hostname" | "validationStatus">,
  isPersistent: boolean,
): readonly string[] {
  const byDns = isPersistent ? ["dns-01", "dns-persist-01"] : ["dns-01"];
  if (hostname.startsWith("*.")) return byDns;
  return validationStatus === "right" ? [...networkMethods, ...byDns] : networkMethods;
}

/**
 * Whether CAA forbids the next renewal of a served name: its certificate is at risk, however long
 * the present one is valid.
 */
export function caaForbidsRenewal({
  caa,
  certificate,
}: {
  readonly caa: "allowed" | "forbidden" | "unknown" | null;
  readonly certificate: Pick<Certificate, "notAfter"> | null;
}): boolean {
  return caa === "forbidden" && certificate !== null && certificate.notAfter !== null;
}

/** The name waits for the CA or for the budget of its orders, and nothing has failed. */
export function isWaitingForCa(error: ConnectionError | null): boolean {
  return error === "ca_rate_limited" || error === "ca_unavailable";
}

/** What a name can wait for at a CA, as the rows of the issuance budget are named. */
export const caLimits = ["orders", "renewals", "domain", "name", "failures"] as const;

export type CaLimit = (typeof caLimits)[number];
