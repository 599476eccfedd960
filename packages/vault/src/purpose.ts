/**
 * What a sealed value is for. Each purpose has its own key-encryption key, so a value sealed for one
 * never opens as another, and a process can be given only the purposes it needs. The strings enter
 * the key derivation: renaming one makes every value sealed under it unreadable.
 */
export const purposes = [
  "dns_credential",
  "certificate_key",
  "acme_account",
  "webhook_secret",
  "token_signing",
  "assertion_signing",
  "local_ca",
  "domain_connect",
  "share_link",
  "idempotent_reply",
  "cursor",
  /** A known value sealed at first start; opening it proves that the loaded keys are the right ones. */
  "key_check",
] as const;

export type Purpose = (typeof purposes)[number];
