import type { ShownCertificate } from "../../../domain/certificates/certificate.ts";
import type { Connection } from "../../../domain/connections/connection.ts";
import type { TenantScope } from "../../../domain/tenancy.ts";
import { createLoader, type Loader } from "../../engine/loader.ts";
import type { Database } from "../../engine/pool.ts";
import type { RowOrJson } from "../../engine/times.ts";
import { toShownCertificate } from "../certificates/certificates.ts";
import { type ConnectionRow, toConnection } from "./connection-row.ts";

// The reads that clients repeat all the time. Each is one call of a database function that sets the
// tenant and reads under row level security with a cached plan; rows come as JSON, which costs a
// fraction of parsing every column.

export interface ScopedId extends TenantScope {
  readonly id: string;
}

export interface ConnectionWithCertificate {
  readonly connection: Connection;
  readonly certificate: ShownCertificate | null;
}

type CertificateColumns = {
  readonly certificate_status: ShownCertificate["status"] | null;
  readonly certificate_ca: string | null;
  readonly certificate_not_after: Date | null;
  readonly certificate_error: ShownCertificate["errorCode"];
  readonly certificate_issue: string | null;
  readonly certificate_epoch: number | null;
  readonly certificate_due: Date | null;
  readonly certificate_source: ShownCertificate["source"] | null;
  readonly certificate_fingerprint: string | null;
};

/** Of a row that was written before observations had a limit only the rest is read. */
const readConnections = {
  name: "read_connections",
  text: `select tenant_id, environment, case when octet_length(connection::text) <= 1000000 then connection
      else jsonb_set(connection::jsonb, '{observed_records}', '[]')::json end as connection
    from read_connections($1, $2, $3)`,
};

/**
 * One connection with its certificate, for clients that poll it. Reads that arrive together share a
 * round trip, also those of different tenants; each row is read as its own tenant.
 */
export function connectionLoader(database: Database): Loader<ScopedId, ConnectionWithCertificate> {
  return createLoader({
    identify,
    fetch: async (keys) => {
      const rows = await database.prepared<
        TenantScopeRow & { readonly connection: RowOrJson<ConnectionRow & CertificateColumns> }
      >(readConnections, [
        keys.map((key) => key.tenantId),
        keys.map((key) => key.environment),
        keys.map((key) => key.id),
      ]);
      return rows.map(({ tenant_id: tenantId, environment, connection }) => [
        identify({ tenantId, environment, id: connection.id }),
        toDetail(connection),
      ]);
    },
  });
}

interface TenantScopeRow {
  readonly tenant_id: string;
  readonly environment: TenantScope["environment"];
}

function identify({ tenantId, environment, id }: ScopedId): string {
  return `${tenantId}/${environment}/${id}`;
}

function toDetail(row: RowOrJson<ConnectionRow & CertificateColumns>): ConnectionWithCertificate {
  const connection = toConnection(row);
  if (row.certificate_status === null) return { connection, certificate: null };
  const certificate = toShownCertificate({
    status: row.certificate_status,
    source: row.certificate_source ?? "automatic",
    fingerprint: row.certificate_fingerprint,
    ca: row.certificate_ca,
    not_after: row.certificate_not_after,
    error_code: row.certificate_error,
    due_at: row.certificate_due,
    issue_id: row.certificate_issue,
    epoch: row.certificate_epoch ?? 0,
  });
  return { connection, certificate };
}
