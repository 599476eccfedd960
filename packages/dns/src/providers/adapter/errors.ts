/**
 * Why a provider did not do what was asked. The list is closed; callers branch on it.
 * - `auth`: the credential is wrong, expired, lacks a permission, or may not be used from here.
 * - `not_found`: the zone (or what the call named) is not there for this credential.
 * - `rate_limited`: asked too often; `retryAfterSeconds` says when, if the provider did.
 * - `conflict`: something in the zone stands against the change.
 * - `unavailable`: no usable answer; the same call may work later, and may or may not have had effect.
 * - `unsupported`: the provider cannot take this value or kind of record; asking again is useless.
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
  readonly cause?: unknown;
}

/** The message may be shown to the owner of the credential; it never contains a secret. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: ProviderErrorKind;
  readonly retryAfterSeconds: number | null;

  constructor(kind: ProviderErrorKind, message: string, options: ProviderErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
