import type { Certificate } from "./certificate.ts";
import type { Connection } from "./connection.ts";

/** What a TLS connection to a hostname's own addresses showed. */
export type Probe =
  | { readonly outcome: "valid"; readonly certificate: ProbedCertificate }
  /** Somebody answers there, without a certificate that a browser would take for this name. */
  | { readonly outcome: "invalid"; readonly reason: string }
  /** Nobody could be reached: says nothing about certificates. */
  | { readonly outcome: "unknown" };

export interface ProbedCertificate {
  readonly ca: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The same for the same certificate, another for its renewal. */
  readonly issueId: string;
}

/** The certificate as the lifecycle sees it, where the edge is not ours and has no row of its own. */
export function probedCertificate(
  probe: Probe,
  connection: Pick<Connection, "state">,
  stored: Certificate | null,
): Certificate | null {
  const epoch = stored?.epoch ?? 0;
  if (probe.outcome === "valid") {
    const { ca, notAfter, issueId } = probe.certificate;
    return { status: "issued", ca, notAfter, issueId, errorCode: null, epoch };
  }
  // What was good once is not undone by a look from here: visitors may see something else.
  if (probe.outcome === "unknown" || connection.state !== "issuing_cert") return stored;
  const nothing = { ca: null, notAfter: null, issueId: null };
  return { status: "failed", ...nothing, errorCode: "certificate_failed", epoch };
}
