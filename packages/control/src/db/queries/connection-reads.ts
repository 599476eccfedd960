import type { Certificate } from "../../domain/certificate.ts";
import type { Connection } from "../../domain/connection.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { type Batch, createBatch } from "../engine/loader.ts";
import type { Database } from "../engine/pool.ts";
import { readInTenant } from "../tenant-read.ts";
import { type ConnectionRow, connectionColumns, toConnection } from "./connections.ts";

export interface ScopedId extends TenantScope {
  readonly id: string;
}

export interface ConnectionWithCertificate {
  readonly connection: Connection;
  readonly certificate: Certificate | null;
}

type DetailRow = ConnectionRow & {
  readonly certificate_status: Certificate["status"] | null;
  readonly certificate_ca: string | null;
  readonly certificate_not_after: Date | null;
  readonly certificate_error: Certificate["errorCode"];
  readonly certificate_issue: string | null;
  readonly certificate_epoch: number | null;
};

/**
 * One connection with its certificate, for clients that poll it. Questions of a tenant that arrive
 * together share a round trip; each tenant is read in a transaction of its own.
 */
export function connectionReader(database: Database): Batch<ScopedId, ConnectionWithCertificate> {
  return createBatch({
    identify: nameOf,
    fetch: async (keys) => {
      const byScope = Map.groupBy(keys, (key) => `${key.tenantId}/${key.environment}`);
      const found = await Promise.all([...byScope.values()].map((group) => read(database, group)));
      return found.flat();
    },
  });
}

async function read(
  database: Database,
  keys: readonly ScopedId[],
): Promise<(readonly [string, ConnectionWithCertificate])[]> {
  const scope = keys[0];
  if (!scope) return [];
  const query = database.query
    .selectFrom("connections")
    .leftJoin("certificates", (join) =>
      join
        .onRef("certificates.hostname", "=", "connections.hostname")
        .onRef("certificates.connection_id", "=", "connections.id"),
    )
    .select(connectionColumns.map((column) => `connections.${column}` as const))
    .select([
      "certificates.status as certificate_status",
      "certificates.ca as certificate_ca",
      "certificates.not_after as certificate_not_after",
      "certificates.error_code as certificate_error",
      "certificates.issue_id as certificate_issue",
      "certificates.epoch as certificate_epoch",
    ])
    .where("connections.id", "in", [...new Set(keys.map((key) => key.id))])
    .compile();
  const [rows = []] = await readInTenant(database, scope, [query]);
  return rows.map((row) => {
    const detail = asDetail(row);
    return [nameOf({ ...scope, id: detail.id }), toDetail(detail)] as const;
  });
}

/** The columns are those of the query above, parsed as the driver parses every other result. */
function asDetail(row: Record<string, unknown>): DetailRow {
  return row as DetailRow;
}

function toDetail(row: DetailRow): ConnectionWithCertificate {
  const connection = toConnection(row);
  if (row.certificate_status === null) return { connection, certificate: null };
  return {
    connection,
    certificate: {
      status: row.certificate_status,
      ca: row.certificate_ca,
      notAfter: row.certificate_not_after,
      errorCode: row.certificate_error,
      issueId: row.certificate_issue,
      epoch: row.certificate_epoch ?? 0,
    },
  };
}

function nameOf({ tenantId, environment, id }: ScopedId): string {
  return `${tenantId}/${environment}/${id}`;
}
