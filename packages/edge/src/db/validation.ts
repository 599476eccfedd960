import type { Queries } from "./queries.ts";

/** A name of the validation zone, by its first label, with what it shows now. */
export interface ValidationName {
  readonly label: string;
  readonly values: readonly string[];
}

export const validationChannel = "mooring_validation";

interface NameRow {
  readonly label: string;
  readonly published: readonly string[];
}

const pageSize = 5_000;

/** Every name of a held claim, page by page. */
export async function* allValidationNames(
  queries: Queries,
  now: () => Date,
): AsyncGenerator<readonly ValidationName[]> {
  for (let after = ""; ; ) {
    const { rows } = await queries.query<NameRow>({
      name: "validation_names_page",
      text: "select label, published from validation_names($1, $2, null, $3)",
      values: [after, pageSize, now()],
    });
    yield rows.map(toName);
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.label;
  }
}

/** Those of these labels whose names exist now. */
export async function validationNames(
  queries: Queries,
  labels: readonly string[],
  now: Date,
): Promise<readonly ValidationName[]> {
  const { rows } = await queries.query<NameRow>({
    name: "validation_names_labelled",
    text: "select label, published from validation_names('', $2, $1, $3)",
    values: [labels, labels.length, now],
  });
  return rows.map(toName);
}

export interface ValidationChange {
  readonly id: number;
  readonly label: string;
}

/** Changes from an id on. Ids are assigned before commit, so callers read with an overlap. */
export async function validationChanges(
  queries: Queries,
  fromId: number,
): Promise<readonly ValidationChange[]> {
  const { rows } = await queries.query<{ id: string; label: string }>({
    name: "validation_changes",
    text: "select id, label from validation_changes where id >= $1 order by id",
    values: [fromId],
  });
  return rows.map(({ id, label }) => ({ id: Number(id), label }));
}

export async function lastValidationChange(queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ id: string | null }>(
    "select max(id) as id from validation_changes",
  );
  return Number(rows[0]?.id ?? 0);
}

function toName({ label, published }: NameRow): ValidationName {
  return { label, values: published };
}

/** The label at which values for a held hostname show; null where it has none. */
export async function validationLabel(queries: Queries, hostname: string): Promise<string | null> {
  const { rows } = await queries.query<{ label: string | null }>(
    "select validation_label_of($1) as label",
    [hostname],
  );
  return rows[0]?.label ?? null;
}

/** Publishes a value for this claim; null when the claim is no longer held. */
export async function publishValidation(
  queries: Queries,
  claim: { readonly hostname: string; readonly epoch: number },
  value: string,
  expiresAt: Date,
): Promise<string | null> {
  const { rows } = await queries.query<{ label: string | null }>(
    "select publish_validation($1, $2, $3, $4) as label",
    [claim.hostname, claim.epoch, value, expiresAt],
  );
  return rows[0]?.label ?? null;
}

/** The label at which a record stays that every name server has shown; null where it does not. */
export async function persistedAt(
  queries: Queries,
  hostname: string,
  record: string,
): Promise<string | null> {
  const { rows } = await queries.query<{ label: string }>(
    `select v.label from validation_values v
     where v.hostname = $1 and v.value = $2 and v.expires_at = 'infinity'
       and v.label = validation_label_of($1)`,
    [hostname, record],
  );
  return rows[0]?.label ?? null;
}

/** A published record stays until the claim ends; one for another account at the same CA goes. */
export async function persistValidation(
  queries: Queries,
  claim: { readonly hostname: string; readonly epoch: number },
  record: string,
): Promise<void> {
  await queries.query(
    `delete from validation_values where hostname = $1 and expires_at = 'infinity'
       and value <> $2 and split_part(value, ';', 1) = split_part($2, ';', 1)`,
    [claim.hostname, record],
  );
  await queries.query("select publish_validation($1, $2, $3, 'infinity')", [
    claim.hostname,
    claim.epoch,
    record,
  ]);
}

/**
 * Removes what was published for orders of the hostname; records that stay only where none are used
 * any more.
 */
export async function withdrawValidation(
  queries: Queries,
  hostname: string,
  isPersistent: boolean,
): Promise<void> {
  await queries.query(
    "delete from validation_values where hostname = $1 and (expires_at < 'infinity' or not $2)",
    [hostname, isPersistent],
  );
}
