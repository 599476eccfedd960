import type { ColumnType, Generated } from "kysely";
import type {
  CaProblem,
  CertificateSource,
  CertificateStatus,
} from "../domain/certificates/certificate.ts";
import type { ConnectionError } from "../domain/connections/connection.ts";
import type { Environment } from "../domain/tenancy.ts";

type Immutable<T> = ColumnType<T, T, never>;

/** The certificates of hostnames; edges write most of it. */
export interface CertificateTable {
  hostname: Immutable<string>;
  connection_id: string;
  tenant_id: string;
  environment: Environment;
  epoch: number;
  status: CertificateStatus;
  source: Generated<CertificateSource>;
  ca: string | null;
  issuer: ColumnType<string | null, never, never>;
  fingerprint: string | null;
  not_before: Date | null;
  not_after: Date | null;
  last_error: string | null;
  ca_error: ColumnType<CaProblem | null, never, never>;
  error_code: ConnectionError | null;
  issue_id: string | null;
  renewal_info: ColumnType<{ readonly withdrawn: boolean } | null, never, never>;
  failures: number;
  due_at: Date | null;
  leased_until: Date | null;
  waits: Generated<number>;
  cached_until: Generated<Date | null>;
  version: number;
  created_at: Immutable<Date>;
}
