import type { SealContext } from "@mooring/vault";
import type { Queries } from "./queries.ts";

/** The vault context of the account key at a CA. */
export function accountKeyContext(directory: string): SealContext {
  return { tenant: null, table: "acme_accounts", row: directory, column: "sealed_key" };
}

/** The vault context of the local CA's key. */
export const localCaContext: SealContext = {
  tenant: null,
  table: "local_ca",
  row: "1",
  column: "sealed_key",
};

/** The sealed account key of a CA; null before the first order there. */
export async function loadAccountKey(queries: Queries, directory: string): Promise<string | null> {
  const { rows } = await queries.query<{ sealed_key: string }>(
    "select sealed_key from acme_accounts where directory = $1",
    [directory],
  );
  return rows[0]?.sealed_key ?? null;
}

/** Does nothing when another edge has stored an account key first; all use that one. */
export async function storeAccountKey(
  queries: Queries,
  directory: string,
  sealedKey: string,
  now: Date,
): Promise<void> {
  await queries.query(
    `insert into acme_accounts (directory, sealed_key, created_at) values ($1, $2, $3)
     on conflict (directory) do nothing`,
    [directory, sealedKey, now],
  );
}

/** The account's URL, which the control plane reads to check CAA. */
export async function storeAccountUri(
  queries: Queries,
  directory: string,
  uri: string,
): Promise<void> {
  await queries.query(
    "update acme_accounts set url = $2 where directory = $1 and url is distinct from $2",
    [directory, uri],
  );
}

/** The local CA: its certificate and sealed key. */
export interface StoredAuthority {
  readonly certificate: string;
  readonly sealedKey: string;
}

export async function loadAuthority(queries: Queries): Promise<StoredAuthority | null> {
  const { rows } = await queries.query<{ certificate: string; sealed_key: string }>(
    "select certificate, sealed_key from local_ca where id = 1",
  );
  const row = rows[0];
  return row ? { certificate: row.certificate, sealedKey: row.sealed_key } : null;
}

/** Does nothing when another edge has stored a local CA first; all use that one. */
export async function storeAuthority(
  queries: Queries,
  authority: StoredAuthority,
  now: Date,
): Promise<void> {
  await queries.query(
    `insert into local_ca (id, certificate, sealed_key, created_at) values (1, $1, $2, $3)
     on conflict (id) do nothing`,
    [authority.certificate, authority.sealedKey, now],
  );
}
