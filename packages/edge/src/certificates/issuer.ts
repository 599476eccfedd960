import type { RenewalInfo } from "../acme/ari.ts";
import type { Host } from "../hosts/host.ts";

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

/** Asked right before an order is made, never for one that is taken up again; throws to forbid it. */
export type Permit = () => Promise<void>;

/** Somewhere certificates come from. Throws `IssueError` for what a caller is to be told. */
export interface Issuer {
  /** The directory's address, or `local`. */
  readonly name: string;
  /** Whether orders count against the budgets that a public CA makes us keep. */
  readonly isLimited: boolean;
  /**
   * Obtains one for exactly this name; `replaces` is the chain that this issuer made before. A
   * half-made order is taken up again: it is kept until the certificate is stored.
   */
  obtain(host: Host, replaces: string | null, signal: AbortSignal, permit: Permit): Promise<Issued>;
  /** When it wishes the chain to be renewed; null where it does not say. Absent where it never does. */
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

/** The order waits for its share of our own budget; nobody's failure. */
export class BudgetUsedUp extends Error {
  override readonly name = "BudgetUsedUp";
  readonly waitMs: number;
  constructor(waitMs: number) {
    super("the order waits for its share of the budget");
    this.waitMs = waitMs;
  }
}
