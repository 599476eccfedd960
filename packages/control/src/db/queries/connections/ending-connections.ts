import { type RawBuilder, sql } from "kysely";
import type { StuckSince } from "../../../domain/connections/stuck.ts";
import type { Tx } from "../../engine/transaction.ts";
import type { PageRequest } from "../page.ts";

/** The filters that are read here; of others `list_connections` knows. */
export interface EndingFilter {
  readonly registration_ends_within?: number;
  readonly q?: string;
  readonly stuck?: true;
  readonly sort?: "created" | "stuck_since";
  readonly states?: readonly string[];
  readonly application_id?: string;
  readonly batch_id?: string;
  readonly error_code?: string;
  readonly provider?: string;
  readonly customer_ref?: string;
  readonly hostname?: string;
  readonly wildcard?: boolean;
}

const plain: ReadonlySet<string> = new Set([
  "states",
  "application_id",
  "batch_id",
  "error_code",
  "provider",
  "customer_ref",
  "hostname",
  "wildcard",
]);

export interface ListedId {
  readonly id: string;
  readonly at: Date;
}

const dayMs = 86_400_000;

/**
 * The ids of a page whose domain's registration ends within the filter's days; null without that
 * filter. Ends are found by their index. What other than plain filters select is decided by
 * `list_connections`, whose whole list is then compared.
 */
export async function listEndingIds(
  tx: Tx,
  { registration_ends_within: days, ...filter }: EndingFilter,
  page: PageRequest,
  { since, now }: { readonly since: StuckSince; readonly now: Date },
): Promise<readonly ListedId[] | null> {
  if (days === undefined) return null;
  const by = new Date(now.getTime() + days * dayMs);
  const isPlain = Object.keys(filter).every((name) => plain.has(name));
  const { rows } = await (isPlain
    ? listPlain(filter, page, by)
    : listCompared(filter, page, by, since)
  ).execute(tx);
  return rows;
}

/** The names of the tenant whose domain ends by then; row level security confines both tables. */
const ending = (by: Date) => sql`registered_names n
  join registrations r on r.domain = n.domain and r.expires_at <= ${by}::timestamptz`;

function listPlain(filter: EndingFilter, { after, limit }: PageRequest, by: Date) {
  const { states, hostname, wildcard } = filter;
  const equal = [
    ["application_id", filter.application_id],
    ["batch_id", filter.batch_id],
    ["error_code", filter.error_code],
    ["provider", filter.provider],
    ["customer_ref", filter.customer_ref],
    ["hostname", hostname],
  ] as const;
  const conditions: RawBuilder<unknown>[] = [
    sql`c.state <> 'archived'`,
    ...equal.flatMap(([name, value]) =>
      value === undefined ? [] : [sql`${sql.ref(`c.${name}`)} = ${value}`],
    ),
    ...(states === undefined ? [] : [sql`c.state = any (${[...states]}::text[])`]),
    ...(wildcard === undefined ? [] : [sql`(left(c.hostname, 2) = '*.') = ${wildcard}`]),
    ...(after === null
      ? []
      : [sql`(c.created_at, c.id) < (${after.createdAt}, ${after.id}::uuid)`]),
  ];
  return sql<ListedId>`select c.id, c.created_at as at from ${ending(by)}
    join only connections c on c.id = n.connection_id
    where n.tenant_id = app_tenant() and n.environment = app_environment()
      and ${sql.join(conditions, sql` and `)}
    order by c.created_at desc, c.id desc limit ${limit + 1}`;
}

const noLimit = 2_147_483_647;

function listCompared(
  { q, stuck, ...others }: EndingFilter,
  { after, limit }: PageRequest,
  by: Date,
  since: StuckSince,
) {
  const filter = stuck === undefined ? others : { ...others, stuck: since };
  const search = q === undefined ? sql`'{}'` : sql`jsonb_build_object('q', fold_text(${q}))`;
  const direction = others.sort === "stuck_since" ? sql`asc` : sql`desc`;
  return sql<ListedId>`select l.id, l.at
    from list_connections(${JSON.stringify(filter)}::jsonb || ${search},
      ${after?.createdAt ?? null}::timestamptz, ${after?.id ?? null}::uuid, ${noLimit}) l
    where l.id in (select n.connection_id from ${ending(by)}
      join only connections c on c.id = n.connection_id and c.state <> 'archived')
    order by l.at ${direction}, l.id ${direction} limit ${limit + 1}`;
}
