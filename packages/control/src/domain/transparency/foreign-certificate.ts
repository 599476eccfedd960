/** A certificate of a log with a name that may be claimed. */
export interface SeenCertificate {
  /** SHA-256 over issuer and serial number, which a precertificate shares with its certificate. */
  readonly id: Buffer;
  readonly publicKey: Buffer;
  readonly issuer: string;
  readonly serial: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** All of them, up to a limit; first those that passed the filter. */
  readonly names: readonly string[];
  /** Those that passed the filter. */
  readonly candidates: readonly string[];
}

/** One that somebody else obtained for a name of a connection. */
export interface ForeignCertificate
  extends Pick<SeenCertificate, "issuer" | "serial" | "notBefore" | "notAfter" | "names"> {
  readonly log: string;
  readonly seenAt: Date;
}

/** Its fields in events. */
export function foreignCertificateData(foreign: ForeignCertificate): object {
  return {
    issuer: foreign.issuer,
    serial: foreign.serial,
    not_before: foreign.notBefore.toISOString(),
    names: foreign.names,
    log: foreign.log,
  };
}

/**
 * How long a certificate waits before it is reported: an edge of the release before stores no keys,
 * but its certificate within minutes; one that a tenant brings itself is public before we have it.
 */
export const settleMs = 15 * 60_000;

/** How long the finding of a certificate stays. */
export const findingMs = 14 * 86_400_000;
