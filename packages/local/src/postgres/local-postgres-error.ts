/**
 * A reason the embedded database cannot run that its operator can act on. The message is meant to
 * be shown as it is, without a stack; it names files and settings, never a secret.
 */
export class LocalPostgresError extends Error {
  override readonly name = "LocalPostgresError";
  /** Another start of the product has the database; nothing is wrong with it. */
  readonly isBusy: boolean;
  constructor(message: string, options: ErrorOptions & { readonly isBusy?: boolean } = {}) {
    super(message, options);
    this.isBusy = options.isBusy ?? false;
  }
}
