import type { Purpose } from "./purpose.ts";
import { VaultError } from "./vault-error.ts";

/**
 * The one place where a value is stored. It is authenticated with the value, so a ciphertext moved
 * to another tenant, table, row or column does not open. `tenant` is null for what belongs to the
 * installation as a whole.
 */
export interface SealContext {
  readonly tenant: string | null;
  readonly table: string;
  readonly row: string;
  readonly column: string;
}

/** The additional data `v1|purpose|tenant|table|row|column`; no two contexts give the same bytes. */
export function additionalData(purpose: Purpose, context: SealContext): Buffer {
  const tenant = context.tenant === null ? "" : field(context.tenant);
  const place = [context.table, context.row, context.column].map(field);
  return Buffer.from(["v1", purpose, tenant, ...place].join("|"), "utf8");
}

function field(text: string): string {
  // A lone surrogate would become U+FFFD in UTF-8 and so equal another name.
  if (text === "" || !text.isWellFormed()) {
    throw new VaultError("malformed", "each field of the context must be non-empty Unicode text");
  }
  return text.replaceAll("%", "%25").replaceAll("|", "%7C");
}
