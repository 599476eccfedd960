/** What stopped an outgoing connection, for callers that branch. */
export type EgressErrorKind =
  /** The host is, or resolves to, an address that the policy refuses. */
  | "refused_address"
  /** The URL itself is refused: scheme, user info, port or syntax. */
  | "refused_url"
  | "dns"
  | "timeout"
  /** The TLS handshake failed: the certificate, or the protocol. */
  | "tls"
  /** The connection or the HTTP exchange on it failed. */
  | "connect"
  | "too_large"
  | "aborted";

/**
 * The message names the rule or the system's error code and may be shown to the person who chose
 * the URL; it never contains an address of the name or anything else about our network.
 */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly kind: EgressErrorKind;
  /**
   * Every address of the host is public. False also while none is known: a person who chose the
   * host then learns nothing about names and addresses inside our network.
   */
  readonly isPublic: boolean;

  constructor(
    kind: EgressErrorKind,
    message: string,
    options: ErrorOptions & { readonly isPublic?: boolean } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isPublic = options.isPublic ?? false;
  }

  /** The same error about a host whose addresses are public. */
  ofPublicHost(): EgressError {
    return new EgressError(this.kind, this.message, { cause: this.cause ?? this, isPublic: true });
  }
}

/** Returns an EgressError as it is; anything else becomes `kind` with the system's error code. */
export function asEgressError(error: unknown, kind: EgressErrorKind, what: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = systemCode(error);
  return new EgressError(kind, code === null ? what : `${what} (${code})`, { cause: error });
}

function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}
