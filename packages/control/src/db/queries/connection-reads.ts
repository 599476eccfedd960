import type { Certificate } from "../../domain/certificate.ts";
import type { Connection, ConnectionState, VisibleConnection } from "../../domain/connection.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { createLoader, type Loader } from "../engine/loader.ts";
import type { Database } from "../engine/pool.ts";
import { type ConnectionRow, toConnection } from "./connections.ts";
import { type Page, type PageRequest, toPage } from "./page.ts";

/**
 * The reads that clients repeat all the time. Each is one call of a database function that sets the
 * tenant and reads under row level security with a cached plan; rows come as JSON, which costs a
 * fraction of parsing every column.
 */

export interface ScopedId extends TenantScope {
  readonly id: string;
}

export interface ConnectionWithCertificate {
  readonly connection: Connection;
  readonly certificate: Certificate | null;
}

type CertificateColumns = {
  readonly certificate_status: Certificate["status"] | null;
  readonly certificate_ca: string | null;
  readonly certificate_not_after: Date | null;
  readonly certificate_error: Certificate["errorCode"];
  readonly certificate_issue: string | null;
  readonly certificate_epoch: number | null;
};

/** A row as JSON: times are text. */
type JsonRow<R> = {
  readonly [K in keyof R]: R[K] extends Date
    ? string
    : R[K] extends Date | null
      ? string | null
      : R[K];
};

const readConnections = {
  name: "read_connections",
  text: "select tenant_id, environment, connection from read_connections($1, $2, $3)",
};

/**
 * One connection with its certificate, for clients that poll it. Reads that arrive together share a
 * round trip, also those of different tenants; each row is read as its own tenant.
 */
export function connectionLoader(database: Database): Loader<ScopedId, ConnectionWithCertificate> {
  return createLoader({
    identify: identityOf,
    fetch: async (keys) => {
      const rows = await database.prepared<
        TenantScopeRow & { readonly connection: JsonRow<ConnectionRow & CertificateColumns> }
      >(readConnections, [
        keys.map((key) => key.tenantId),
        keys.map((key) => key.environment),
        keys.map((key) => key.id),
      ]);
      return rows.map(({ tenant_id: tenantId, environment, connection }) => [
        identityOf({ tenantId, environment, id: connection.id }),
        toDetail(connection),
      ]);
    },
  });
}

interface TenantScopeRow {
  readonly tenant_id: string;
  readonly environment: TenantScope["environment"];
}

function identityOf({ tenantId, environment, id }: ScopedId): string {
  return `${tenantId}/${environment}/${id}`;
}

function toDetail(row: JsonRow<ConnectionRow & CertificateColumns>): ConnectionWithCertificate {
  const connection = toConnection({
    ...row,
    phase_started_at: new Date(row.phase_started_at),
    first_miss_at: toDate(row.first_miss_at),
    last_checked_at: toDate(row.last_checked_at),
    first_live_at: toDate(row.first_live_at),
    created_at: new Date(row.created_at),
    archived_at: toDate(row.archived_at),
  });
  if (row.certificate_status === null) return { connection, certificate: null };
  return {
    connection,
    certificate: {
      status: row.certificate_status,
      ca: row.certificate_ca,
      notAfter: toDate(row.certificate_not_after),
      errorCode: row.certificate_error,
      issueId: row.certificate_issue,
      epoch: row.certificate_epoch ?? 0,
    },
  };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

export interface ConnectionFilter {
  readonly state: ConnectionState | null;
  readonly hostname: string | null;
}

/** A list shows a connection without its records. */
type SummaryRow = JsonRow<
  Pick<
    ConnectionRow,
    | "id"
    | "application_id"
    | "environment"
    | "hostname"
    | "kind"
    | "setup_type"
    | "state"
    | "provider"
    | "batch_id"
    | "error_code"
    | "created_at"
  >
>;

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
  return { ...row, created_at: new Date(row.created_at) };
}

function toSummary(row: ReturnType<typeof withTime>): VisibleConnection {
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
    createdAt: row.created_at,
  };
}
