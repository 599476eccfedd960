/** What went wrong, for callers that branch; the message never carries key material or plaintext. */
export type VaultErrorKind =
  /** The list of root keys cannot be used. */
  | "bad_root_key"
  /** The value was sealed under a root key that is not loaded. */
  | "unknown_key"
  /** Authentication failed: other bytes, another place, another purpose, or another key of that id. */
  | "tampered"
  /** The text is not a sealed value, or the context cannot name a place. */
  | "malformed"
  /** This vault was created without that purpose. */
  | "purpose_withheld";

export class VaultError extends Error {
  override readonly name = "VaultError";
  readonly kind: VaultErrorKind;

  constructor(kind: VaultErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
