import type { DomainConnectKey } from "../domain/domain-connect.ts";
import type { Tx } from "./transaction.ts";

/** Newest first, retired ones too. */
export async function selectDomainConnectKeys(tx: Tx): Promise<DomainConnectKey[]> {
  const rows = await tx
    .selectFrom("domain_connect_keys")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    label: row.label,
    domain: row.domain,
    publicKey: row.public_key,
    sealed: row.sealed,
    createdAt: row.created_at,
    activatedAt: row.activated_at,
    retiredAt: row.retired_at,
  }));
}

export async function insertDomainConnectKey(tx: Tx, key: DomainConnectKey): Promise<void> {
  await tx
    .insertInto("domain_connect_keys")
    .values({
      id: key.id,
      label: key.label,
      domain: key.domain,
      public_key: key.publicKey,
      sealed: key.sealed,
      created_at: key.createdAt,
      activated_at: key.activatedAt,
      retired_at: key.retiredAt,
    })
    .execute();
}

/** The first time counts. */
export async function activateDomainConnectKey(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("domain_connect_keys")
    .set({ activated_at: now })
    .where("id", "=", id)
    .where("activated_at", "is", null)
    .where("retired_at", "is", null)
    .execute();
}

export async function retireDomainConnectKey(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable("domain_connect_keys")
    .set({ retired_at: now })
    .where("id", "=", id)
    .where("retired_at", "is", null)
    .execute();
}
