import type { Host } from "../host.ts";

/** What an issuer made. The key is new with every certificate. */
export interface Issued {
  /** Leaf first, then what leads to the root. */
  readonly chain: string;
  /** PKCS#8 in PEM; sealed before it is stored. */
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The CA's name, for people. */
  readonly ca: string;
}

/** Somewhere certificates come from. Throws `IssueError` for what a caller is to be told. */
export interface Issuer {
  /** The directory's address, or `local`. */
  readonly name: string;
  /** Whether orders count against the budgets that a public CA makes us keep. */
  readonly isLimited: boolean;
  /** Obtains one for exactly this name. A half-made order is taken up again. */
  obtain(host: Host, replaces: string | null, signal: AbortSignal): Promise<Issued>;
}

export type IssueErrorCode = "ca_rate_limited" | "caa_forbidden" | "certificate_failed";

export class IssueError extends Error {
  readonly code: IssueErrorCode;
  readonly retryAfterSeconds: number | null;
  constructor(
    code: IssueErrorCode,
    message: string,
    options: { readonly retryAfterSeconds?: number | null; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "IssueError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
