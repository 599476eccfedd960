import { sql } from "kysely";
import type { Tx } from "../../engine/transaction.ts";

export interface InstalledBootstrap {
  readonly publishedAt: Date;
  readonly content: string;
}

/** The bootstrap file that an operator has installed; null when none was. */
export async function selectBootstrap(tx: Tx): Promise<InstalledBootstrap | null> {
  const row = await tx
    .selectFrom("rdap_bootstrap")
    .select(["published_at", "content"])
    .executeTakeFirst();
  return row ? { publishedAt: row.published_at, content: row.content } : null;
}

/** When the installed file was published; without reading it. */
export async function selectBootstrapTime(tx: Tx): Promise<Date | null> {
  const row = await tx.selectFrom("rdap_bootstrap").select("published_at").executeTakeFirst();
  return row?.published_at ?? null;
}

export async function saveBootstrap(
  tx: Tx,
  { publishedAt, content }: InstalledBootstrap,
  now: Date,
): Promise<void> {
  const values = { published_at: publishedAt, content, installed_at: now };
  await tx
    .insertInto("rdap_bootstrap")
    .values(values)
    .onConflict((conflict) => conflict.column("is_only").doUpdateSet(values))
    .execute();
}

/** Domains that no server answered for are tried with the new file; returns how many. */
export async function wakeWithoutServer(tx: Tx, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`update registrations set ask_at = ${now}, due_at = ${now}
    where outcome = 'no_server' and leased_until is null`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
