import type { Selectable } from "kysely";
import type {
  Registration,
  RegistrationFacts,
} from "../../../domain/registrations/registration.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { QuestionOutcome, RegistrationTables } from "../../registration-tables.ts";

/** A row that a worker has leased. */
export interface DueRegistration {
  readonly domain: string;
  /** What the registry last answered; null when it has not, or does not know the domain. */
  readonly registration: Registration | null;
  readonly askAt: Date | null;
  readonly isReserved: boolean;
  readonly version: number;
}

type Row = Pick<
  Selectable<RegistrationTables["registrations"]>,
  "domain" | "expires_at" | "status" | "registrar" | "checked_at"
>;

function toRegistration(row: Row): Registration | null {
  if (row.checked_at === null) return null;
  return {
    domain: row.domain,
    expiresAt: row.expires_at,
    status: row.status,
    registrar: row.registrar,
    checkedAt: row.checked_at,
  };
}

/**
 * What registries last said of domains, for readers who have names below them. Reads that arrive
 * together share a round trip.
 */
export function registrationLoader(database: Database): Loader<string, Registration> {
  const statement = { name: "read_registrations", text: "select * from read_registrations($1)" };
  return createLoader({
    identify: (domain) => domain,
    fetch: async (domains) => {
      const rows = await database.prepared<Row>(statement, [domains]);
      return rows.flatMap((row) => {
        const registration = toRegistration(row);
        return registration === null ? [] : [[row.domain, registration] as const];
      });
    },
  });
}

const claimText = `
  with due as (
    select domain from registrations
    where due_at <= $1 and (leased_until is null or leased_until <= $1)
    order by due_at limit $3 for update skip locked
  )
  update registrations r set leased_until = $2, due_at = $2, version = r.version + 1
  where r.domain = any (array(select domain from due))
  returning r.domain, r.expires_at, r.status, r.registrar, r.checked_at, r.ask_at, r.is_reserved, r.version`;

/** Rows another worker is claiming are skipped; the version grows with the claim. */
export async function claimDueRegistrations(
  database: Database,
  now: Date,
  leasedUntil: Date,
  limit: number,
): Promise<DueRegistration[]> {
  const rows = await database.prepared<
    Row &
      Pick<Selectable<RegistrationTables["registrations"]>, "ask_at" | "is_reserved" | "version">
  >({ name: "claim_due_registrations", text: claimText }, [now, leasedUntil, limit]);
  return rows.map((row) => ({
    domain: row.domain,
    registration: toRegistration(row),
    askAt: row.ask_at,
    isReserved: row.is_reserved,
    version: Number(row.version),
  }));
}

const extendText = `update registrations r set leased_until = $3, due_at = $3
  from unnest($1::text[], $2::bigint[]) as h (domain, version)
  where r.domain = h.domain and r.version = h.version and r.leased_until is not null`;

export async function extendRegistrations(
  database: Database,
  leased: ReadonlyMap<string, number>,
  leasedUntil: Date,
): Promise<void> {
  await database.prepared({ name: "extend_registration_leases", text: extendText }, [
    [...leased.keys()],
    [...leased.values()],
    leasedUntil,
  ]);
}

const releaseText =
  "update registrations set leased_until = null, due_at = $3 where domain = $1 and version = $2";

export async function releaseRegistration(
  database: Database,
  { domain, version }: DueRegistration,
  dueAt: Date,
): Promise<void> {
  await database.prepared({ name: "release_registration", text: releaseText }, [
    domain,
    version,
    dueAt,
  ]);
}

/** What a question has brought. */
export interface QuestionResult {
  readonly outcome: QuestionOutcome;
  /** `keep`: nothing new was learned; null: the registry has no answer for the domain. */
  readonly facts: RegistrationFacts | null | "keep";
  /** When the next question is due; null where no server answers. */
  readonly askAt: Date | null;
  readonly isReserved: boolean;
}

/**
 * Stores what a question has brought, under the lease; false when the lease was lost. The row stays
 * leased: `endRegistrationRun` ends the run.
 */
export async function storeQuestion(
  tx: Tx,
  { domain, version }: Pick<DueRegistration, "domain" | "version">,
  { outcome, facts, askAt, isReserved }: QuestionResult,
  now: Date,
): Promise<boolean> {
  const learned =
    facts === "keep"
      ? {}
      : {
          expires_at: facts?.expiresAt ?? null,
          status: [...(facts?.status ?? [])],
          registrar: facts?.registrar ?? null,
          checked_at: facts === null ? null : now,
        };
  const row = await tx
    .updateTable("registrations")
    .set({ outcome, ask_at: askAt, is_reserved: isReserved, ...learned })
    .where("domain", "=", domain)
    .where("version", "=", version)
    .returning("domain")
    .executeTakeFirst();
  return row !== undefined;
}

/** Gives the lease back; the row is due at its next question or notice. */
export async function endRegistrationRun(
  tx: Tx,
  { domain, version }: Pick<DueRegistration, "domain" | "version">,
  dueAt: Date | null,
): Promise<void> {
  await tx
    .updateTable("registrations")
    .set((eb) => ({ due_at: dueAt, leased_until: null, version: eb("version", "+", 1) }))
    .where("domain", "=", domain)
    .where("version", "=", version)
    .execute();
}

/** The domain has no names any more. */
export async function deleteRegistration(
  tx: Tx,
  { domain, version }: Pick<DueRegistration, "domain" | "version">,
): Promise<void> {
  await tx
    .deleteFrom("registrations")
    .where("domain", "=", domain)
    .where("version", "=", version)
    .execute();
}
