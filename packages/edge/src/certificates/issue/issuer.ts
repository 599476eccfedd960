import type { RenewalInfo } from "../../acme/ari.ts";
import type { CaError } from "../../acme/error.ts";
import type { HoldCode } from "../../db/issuance-budget.ts";
import type { QueuePosition } from "../../db/waiting-certificates.ts";
import type { Host } from "../../hosts/host.ts";
import type { HoldScope } from "../budget/budget.ts";

/** A new certificate. Every certificate has a new key. */
export interface Issued {
  /** Leaf first, then the intermediate certificates. */
  readonly chain: string;
  /** SHA-256 of the first certificate, in lower-case hexadecimal. */
  readonly fingerprint: string;
  /** PKCS#8 in PEM; sealed before it is stored. */
  readonly key: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** The CA's name, for people. */
  readonly ca: string;
}

/**
 * Called right before a new order, never before a resumed one; throws to forbid it. The returned
 * function is called when the CA has accepted the order: from then on it counts against its limits.
 */
export type Permit = () => Promise<() => void>;

/** A source of certificates. Throws `IssueError` for failures that the connection reports. */
export interface Issuer {
  /** The directory's address, or `local`. */
  readonly name: string;
  /** Whether orders count against the limits of a public CA. */
  readonly isLimited: boolean;
  /**
   * Obtains a certificate for exactly this name; `replaces` is the previous chain of this issuer.
   * An incomplete order is resumed; it is stored until its certificate is. `methods` are the
   * validation methods that CAA allows; all of them when absent.
   */
  obtain(
    host: Host,
    replaces: string | null,
    signal: AbortSignal,
    permit: Permit,
    methods?: readonly string[],
  ): Promise<Issued>;
  /**
   * When the CA suggests to renew the chain; null without an answer. Absent where there is no ARI.
   */
  readonly renewalInfo?: (chain: string, signal: AbortSignal) => Promise<RenewalInfo | null>;
  /** The account's URL, which CAA may name (RFC 8657 §3). Absent where there is no account. */
  readonly accountUri?: (signal: AbortSignal) => Promise<string>;
}

export type IssueErrorCode = HoldCode | "caa_forbidden" | "certificate_failed";

export class IssueError extends Error {
  readonly code: IssueErrorCode;
  readonly retryAfterSeconds: number | null;
  /** What a rate limit of the CA concerns. */
  readonly scope: HoldScope;
  /** The CA could not validate the name, which counts against another of its limits. */
  readonly isInvalid: boolean;
  /** The CA's own words, for the tenant; null where the failure is none of the CA's. */
  readonly caError: CaError | null;
  constructor(
    code: IssueErrorCode,
    message: string,
    options: {
      readonly retryAfterSeconds?: number | null;
      readonly scope?: HoldScope;
      readonly isInvalid?: boolean;
      readonly caError?: CaError | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "IssueError";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.scope = options.scope ?? "account";
    this.isInvalid = options.isInvalid ?? false;
    this.caError = options.caError ?? null;
  }
}

/** The order waits for our own budget or for the CA; not a failure. */
export class OrderWaits extends Error {
  override readonly name = "OrderWaits";
  readonly waitMs: number;
  readonly code: HoldCode;
  readonly position: QueuePosition | null;
  /** What the CA said when it asked to wait. */
  readonly caError: CaError | null;
  constructor(
    message: string,
    hold: {
      readonly waitMs: number;
      readonly code: HoldCode;
      readonly position: QueuePosition | null;
      readonly caError?: CaError | null;
    },
  ) {
    super(message);
    this.waitMs = hold.waitMs;
    this.code = hold.code;
    this.position = hold.position;
    this.caError = hold.caError ?? null;
  }
}
