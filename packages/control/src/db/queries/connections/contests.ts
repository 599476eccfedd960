import { sql } from "kysely";
import type { Connection, Contest } from "../../../domain/connections/connection.ts";
import type { ContestFacts } from "../../../domain/connections/contest.ts";
import { newId } from "../../../domain/id.ts";
import type { Tx } from "../../engine/transaction.ts";
import { connectionFields, toConnection } from "./connection-row.ts";
import { unmovedConnections } from "./connection-table.ts";
import { announceDue } from "./due-connections.ts";

export type ContestOutcome = "holder" | "prover" | "void";

/** The other connection that holds the hostname. */
export async function selectRival(
  tx: Tx,
  { id, hostname }: Pick<Connection, "id" | "hostname">,
): Promise<Connection | null> {
  const row = await tx
    .selectFrom(unmovedConnections)
    .select(connectionFields)
    .where("id", "=", (eb) =>
      eb.selectFrom("claims").select("connection_id").where("hostname", "=", hostname),
    )
    .where("id", "<>", id)
    .executeTakeFirst();
  return row ? toConnection(row) : null;
}

/**
 * When the holder's records were right again, if it had drifted at the time when the connection was
 * made; null otherwise.
 */
export async function selectRestoredAt(
  tx: Tx,
  holderId: string,
  { createdAt }: Pick<Connection, "createdAt">,
): Promise<Date | null> {
  const first = await tx
    .selectFrom("timeline")
    .select(["from_state", "to_state", "created_at"])
    .where("connection_id", "=", holderId)
    .where("kind", "=", "state")
    .where("created_at", ">=", createdAt)
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return first?.from_state === "drifted" && first.to_state === "live" ? first.created_at : null;
}

/** The open contest in which the connection is the prover. */
export async function selectOwnContest(tx: Tx, proverId: string): Promise<ContestFacts["own"]> {
  const row = await tx
    .selectFrom("contests")
    .select(["holder_id", "since", "deadline"])
    .where("prover_id", "=", proverId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row ? { holderId: row.holder_id, since: row.since, deadline: row.deadline } : null;
}

/**
 * When a holder last stayed against this tenant; a new connection of the tenant does not change
 * that.
 */
export async function selectLastLoss(
  tx: Tx,
  { hostname, tenantId, environment }: Pick<Connection, "hostname" | "tenantId" | "environment">,
): Promise<Date | null> {
  const row = await tx
    .selectFrom("contests")
    .select((eb) => eb.fn.max("ended_at").as("endedAt"))
    .where("hostname", "=", hostname)
    .where("tenant_id", "=", tenantId)
    .where("environment", "=", environment)
    .where("outcome", "=", "holder")
    .executeTakeFirst();
  return row?.endedAt ?? null;
}

export async function insertContest(
  tx: Tx,
  prover: Connection,
  holderId: string,
  contest: Contest,
): Promise<void> {
  await tx
    .insertInto("contests")
    .values({
      id: newId(contest.since),
      hostname: prover.hostname,
      prover_id: prover.id,
      holder_id: holderId,
      tenant_id: prover.tenantId,
      environment: prover.environment,
      since: contest.since,
      deadline: contest.deadline,
      ended_at: null,
      outcome: null,
    })
    .execute();
}

/** Answers whose contest it is; null when it has ended. */
export async function moveDeadline(
  tx: Tx,
  proverId: string,
  deadline: Date,
): Promise<string | null> {
  const row = await tx
    .updateTable("contests")
    .set({ deadline })
    .where("prover_id", "=", proverId)
    .where("ended_at", "is", null)
    .returning("holder_id")
    .executeTakeFirst();
  return row?.holder_id ?? null;
}

/** Ends the prover's open contest; answers the holder, or null when there was none. */
export async function endOwnContest(
  tx: Tx,
  proverId: string,
  outcome: ContestOutcome,
  now: Date,
): Promise<string | null> {
  const row = await tx
    .updateTable("contests")
    .set({ outcome, ended_at: now })
    .where("prover_id", "=", proverId)
    .where("ended_at", "is", null)
    .returning("holder_id")
    .executeTakeFirst();
  return row?.holder_id ?? null;
}

/**
 * Ends every open contest against a holder and shows none to their provers, which are due at once.
 */
export async function endContestsAgainst(
  tx: Tx,
  holderId: string,
  outcome: ContestOutcome,
  now: Date,
): Promise<Connection[]> {
  const ended = await tx
    .updateTable("contests")
    .set({ outcome, ended_at: now })
    .where("holder_id", "=", holderId)
    .where("ended_at", "is", null)
    .returning("prover_id")
    .execute();
  if (ended.length === 0) return [];
  const provers = await tx
    .updateTable(unmovedConnections)
    .set({
      contest_since: null,
      contest_deadline: null,
      due_at: sql<Date>`case when due_at is null then null else ${now}::timestamptz end`,
    })
    .where(
      "id",
      "in",
      ended.map((row) => row.prover_id),
    )
    .returning(connectionFields)
    .execute();
  announceDue(tx, "connections");
  return provers.map(toConnection);
}

/**
 * Shows a holder the contests that are open against it. With an event the row is due at once, and a
 * check that is running cannot write: it would number its events as this one.
 */
export async function showContests(
  tx: Tx,
  holderId: string,
  now: Date,
  { hasEvent }: { readonly hasEvent: boolean },
): Promise<Connection | null> {
  const row = await tx
    .updateTable(unmovedConnections)
    .set((eb) => ({
      contest_since: sql<Date | null>`(select min(since) from contests
        where holder_id = ${holderId} and ended_at is null)`,
      contest_deadline: sql<Date | null>`(select min(deadline) from contests
        where holder_id = ${holderId} and ended_at is null)`,
      ...(hasEvent
        ? {
            sequence: eb("sequence", "+", 1),
            version: eb("version", "+", 1),
            leased_until: null,
            due_at: now,
          }
        : {}),
    }))
    .where("id", "=", holderId)
    .returning(connectionFields)
    .executeTakeFirst();
  if (hasEvent) announceDue(tx, "connections");
  return row ? toConnection(row) : null;
}

/** How many contests are open against a holder. */
export async function countContestsAgainst(tx: Tx, holderId: string): Promise<number> {
  const { open } = await tx
    .selectFrom("contests")
    .select((eb) => eb.fn.countAll<string>().as("open"))
    .where("holder_id", "=", holderId)
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(open);
}

/** Removes contests that ended before `before`; returns how many. */
export async function sweepContests(tx: Tx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from contests where id in (
    select id from contests where ended_at < ${before} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
