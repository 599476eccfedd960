import type { ConnectionState, VisibleConnection } from "../../domain/connection.ts";
import type { Cutover } from "../../domain/cutover.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { createLoader, type Loader } from "../engine/loader.ts";
import type { Database } from "../engine/pool.ts";
import type { Tx } from "../engine/transaction.ts";
import { type ConnectionRow, type JsonRow, toContest, toDate } from "./connections.ts";
import { fetchPage, type Page, type PageRequest, toPage } from "./page.ts";

export interface ConnectionFilter {
  readonly state: ConnectionState | null;
  readonly hostname: string | null;
}

/** A list shows a connection without its records. */
const summaryColumns = [
  "id",
  "application_id",
  "environment",
  "hostname",
  "kind",
  "setup_type",
  "state",
  "provider",
  "batch_id",
  "error_code",
  "contest_since",
  "contest_deadline",
  "redirect_to",
  "origin_url",
  "origin_host_header",
  "customer_ref",
  "created_at",
] as const satisfies readonly (keyof ConnectionRow)[];

type Summary = Pick<ConnectionRow, (typeof summaryColumns)[number]>;
type SummaryRow = JsonRow<Summary>;

export interface ConnectionPageRequest extends ConnectionFilter, PageRequest {
  readonly scope: TenantScope;
}

const pageConnections = {
  name: "page_connections",
  text: "select page_connections($1, $2, $3, $4, $5, $6, $7) as page",
};

/**
 * Pages of lists, newest first. Requests that arrive together share a round trip, and equal ones a read.
 * The index is entered at the position, so every page costs the same.
 */
export function connectionPageLoader(
  database: Database,
): Loader<ConnectionPageRequest, Page<VisibleConnection>> {
  return createLoader({
    identify: pageIdentity,
    fetch: async (requests) => {
      const rows = await database.prepared<{ readonly page: readonly SummaryRow[] | null }>(
        pageConnections,
        [
          requests.map(({ scope }) => scope.tenantId),
          requests.map(({ scope }) => scope.environment),
          requests.map(({ state }) => state),
          requests.map(({ hostname }) => hostname),
          requests.map(({ after }) => after?.createdAt ?? null),
          requests.map(({ after }) => after?.id ?? null),
          requests.map(({ limit }) => limit + 1),
        ],
      );
      // One row for each request, in their order.
      return requests.map((request, index) => [
        pageIdentity(request),
        toPage((rows[index]?.page ?? []).map(withTime), request.limit, toSummary),
      ]);
    },
    // Larger than a single row: a few rounds side by side use more than one core of the server.
    maxKeys: 32,
    maxInFlight: 4,
  });
}

function pageIdentity({ scope, state, hostname, after, limit }: ConnectionPageRequest): string {
  const position = after ? `${after.createdAt.getTime()}/${after.id}` : "";
  return [scope.tenantId, scope.environment, state, hostname, position, limit].join("\n");
}

function withTime(row: SummaryRow) {
  return {
    ...row,
    contest_since: toDate(row.contest_since),
    contest_deadline: toDate(row.contest_deadline),
    created_at: new Date(row.created_at),
  };
}

function toSummary(row: Summary): VisibleConnection {
  return {
    id: row.id,
    applicationId: row.application_id,
    environment: row.environment,
    hostname: row.hostname,
    kind: row.kind,
    setupType: row.setup_type,
    state: row.state,
    provider: row.provider,
    batchId: row.batch_id,
    errorCode: row.error_code,
    contest: toContest(row),
    redirectTo: row.redirect_to,
    originUrl: row.origin_url,
    originHostHeader: row.origin_host_header,
    // Of few connections; read apart.
    cutover: null,
    customerRef: row.customer_ref,
    createdAt: row.created_at,
  };
}

/** The cut-overs among these connections of the transaction's tenant. */
export async function selectCutovers(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Cutover | null>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom("connections")
    .select(["id", "cutover"])
    .where("id", "in", [...ids])
    .where("cutover", "is not", null)
    .execute();
  return new Map(rows.map(({ id, cutover }) => [id, cutover]));
}

export interface CustomerFilter extends ConnectionFilter {
  readonly customerRef: string;
  readonly applicationId: string | null;
  /** The hostname that a token is bound to. */
  readonly domain: string | null;
}

/** A page of one customer's connections, by an index of its own. */
export function pageCustomerConnections(
  tx: Tx,
  scope: TenantScope,
  filter: CustomerFilter,
  page: PageRequest,
): Promise<Page<VisibleConnection>> {
  let query = tx
    .selectFrom("connections")
    .select(summaryColumns)
    .where("tenant_id", "=", scope.tenantId)
    .where("environment", "=", scope.environment)
    .where("customer_ref", "=", filter.customerRef);
  if (filter.applicationId !== null)
    query = query.where("application_id", "=", filter.applicationId);
  for (const hostname of [filter.hostname, filter.domain]) {
    if (hostname !== null) query = query.where("hostname", "=", hostname);
  }
  if (filter.state !== null) query = query.where("state", "=", filter.state);
  return fetchPage(query, page, toSummary);
}
