import type { Tx } from "../../engine/transaction.ts";

export interface Passkey {
  readonly id: string;
  readonly memberId: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export async function insertPasskey(tx: Tx, tenantId: string, passkey: Passkey): Promise<void> {
  await tx
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      tenant_id: tenantId,
      member_id: passkey.memberId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: [...passkey.transports],
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .execute();
}

const columns = [
  "id",
  "member_id",
  "credential_id",
  "public_key",
  "counter",
  "transports",
  "name",
  "created_at",
  "last_used_at",
] as const;

function query(tx: Tx) {
  return tx.selectFrom("passkeys").select(columns);
}

type PasskeyRow = Awaited<ReturnType<ReturnType<typeof query>["execute"]>>[number];

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    memberId: row.member_id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: Number(row.counter),
    transports: row.transports,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export async function selectPasskeys(tx: Tx, memberId: string): Promise<Passkey[]> {
  const rows = await query(tx)
    .where("member_id", "=", memberId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map(toPasskey);
}

/** With the tenant and name of its member, across tenants: for sign-in. */
export async function lockPasskey(tx: Tx, credentialId: Buffer) {
  const row = await query(tx)
    .select("tenant_id")
    .where("credential_id", "=", credentialId)
    .forUpdate()
    .executeTakeFirst();
  return row ? { passkey: toPasskey(row), tenantId: row.tenant_id } : null;
}

export async function notePasskeyUse(
  tx: Tx,
  id: string,
  use: { readonly counter: number; readonly at: Date },
): Promise<void> {
  await tx
    .updateTable("passkeys")
    .set({ counter: use.counter, last_used_at: use.at })
    .where("id", "=", id)
    .execute();
}

export async function deletePasskey(tx: Tx, memberId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("member_id", "=", memberId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
