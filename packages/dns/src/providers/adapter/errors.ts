import { foreignText } from "../../foreign-text.ts";

/**
 * Why a call to a provider failed. The list is closed; callers branch on it.
 * - `auth`: the credential is wrong, expired, lacks a permission, or may not be used from here.
 * - `not_found`: the zone, or what the call named, does not exist for this credential.
 * - `rate_limited`: too many requests; `retryAfterSeconds` is when to retry, if the provider says
 *   so.
 * - `conflict`: a record in the zone prevents the change.
 * - `unavailable`: no usable answer; a retry may work, and the call may or may not have had an
 *   effect.
 * - `unsupported`: the provider does not accept this value or type of record; a retry is useless.
 */
export type ProviderErrorKind =
  | "auth"
  | "not_found"
  | "rate_limited"
  | "conflict"
  | "unavailable"
  | "unsupported";

export interface ProviderErrorOptions {
  readonly retryAfterSeconds?: number | null;
  /** The request certainly changed nothing, so that it may be sent again. */
  readonly hadNoEffect?: boolean;
  readonly cause?: unknown;
}

/** A provider that asks for more is asked again after this. */
const maxRetryAfterSeconds = 6 * 3_600;

/** Longer than any sentence of ours with a provider's own text in it. */
const maxMessageLength = 2_000;

/**
 * The message may be shown to the owner of the credential; it never contains a secret. What a
 * provider said is part of it, so that it is made safe here for every adapter.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | null;
  readonly hadNoEffect: boolean;

  constructor(kind: ProviderErrorKind, message: string, options: ProviderErrorOptions = {}) {
    super(
      foreignText(message, maxMessageLength),
      options.cause === undefined ? {} : { cause: options.cause },
    );
    this.kind = kind;
    const { retryAfterSeconds = null, hadNoEffect = kind === "rate_limited" } = options;
    this.hadNoEffect = hadNoEffect;
    this.retryAfterSeconds =
      retryAfterSeconds === null ? null : Math.min(retryAfterSeconds, maxRetryAfterSeconds);
  }
}
