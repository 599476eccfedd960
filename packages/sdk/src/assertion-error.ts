/** Why an assertion is not to be trusted. */
export type AssertionRefusal =
  | "missing"
  | "malformed"
  | "wrong_algorithm"
  | "wrong_type"
  | "unknown_key"
  | "wrong_signature"
  | "wrong_issuer"
  | "wrong_audience"
  | "wrong_hostname"
  | "expired"
  | "not_yet"
  /** The key set could not be had: nothing is known about the request. */
  | "keys_unavailable";

/** Answer such a request with 403 (503 for `keys_unavailable`) and do nothing else. */
export class AssertionVerificationError extends Error {
  override name = "AssertionVerificationError";
  readonly reason: AssertionRefusal;

  constructor(reason: AssertionRefusal, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
