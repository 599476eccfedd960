import type { RenewalInfo } from "../acme/ari.ts";
import type { Host } from "../hosts/host.ts";

/** A new certificate. Every certificate has a new key. */
export interface Issued {
  /** Leaf first, then the intermediate certificates. */
  readonly chain: string;
  /** PKCS#8 in PEM; sealed before it is stored. */
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The CA's name, for people. */
  readonly ca: string;
}

/** Called right before a new order, never before a resumed one; throws to forbid it. */
export type Permit = () => Promise<void>;

/** A source of certificates. Throws `IssueError` for failures that the connection reports. */
export interface Issuer {
  /** The directory's address, or `local`. */
  readonly name: string;
  /** Whether orders count against the limits of a public CA. */
  readonly isLimited: boolean;
  /**
   * Obtains a certificate for exactly this name; `replaces` is the previous chain of this issuer. An
   * incomplete order is resumed; it is stored until its certificate is.
   */
  obtain(host: Host, replaces: string | null, signal: AbortSignal, permit: Permit): Promise<Issued>;
  /** When the CA suggests to renew the chain; null without an answer. Absent where there is no ARI. */
  readonly renewalInfo?: (chain: string, signal: AbortSignal) => Promise<RenewalInfo | null>;
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

/** The order must wait for our own budget; not a failure. */
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
  readonly waitMs: number;
  constructor(waitMs: number) {
    super("the order waits for its share of the budget");
    this.waitMs = waitMs;
  }
}
