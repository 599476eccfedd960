import type { StoredApplication } from "../hosts/application.ts";
import type { Host, OwnSettings } from "../hosts/host.ts";
import type { Queries } from "./queries.ts";

interface HostRow {
  readonly hostname: string;
  readonly epoch: string;
  readonly environment: "test" | "live";
  readonly connection_id: string;
  readonly application_id: string;
  readonly tenant_id: string;
  readonly registrable_domain: string;
  readonly redirect_to: string | null;
  readonly origin_url: string | null;
  readonly origin_host_header: "preserve" | "origin" | null;
}

const columns =
  "hostname, epoch, environment, connection_id, application_id, tenant_id, registrable_domain, redirect_to, origin_url, origin_host_header";
/** Small pages: loading a large set must not grow the heap. */
const pageSize = 2_000;

/** Every claimed host, page by page; the next one is read while the last one is used. */
export async function* allHosts(pool: Queries): AsyncGenerator<readonly Host[]> {
  const read = async (after: string): Promise<readonly HostRow[]> => {
    const { rows } = await pool.query<HostRow>({
      name: "edge_claims_page",
      text: `select ${columns} from edge_claims($1, $2, null)`,
      values: [after, pageSize],
    });
    return rows;
  };
  for (let next: Promise<readonly HostRow[]> | null = read(""); next !== null; ) {
    const rows: readonly HostRow[] = await next;
    const last = rows.length < pageSize ? undefined : rows.at(-1);
    next = last === undefined ? null : read(last.hostname);
    next?.catch(() => undefined); // nobody may ask for it any more
    yield rows.map(toHost);
  }
}

/** The hosts among these names that are claimed now. */
export async function hostsNamed(pool: Queries, names: readonly string[]): Promise<Host[]> {
  const { rows } = await pool.query<HostRow>({
    name: "edge_claims_named",
    text: `select ${columns} from edge_claims('', $2, $1)`,
    values: [names, names.length],
  });
  return rows.map(toHost);
}

interface ApplicationRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly environment: "test" | "live";
  readonly origin_url: string | null;
  readonly origin_host_header: "preserve" | "origin";
  readonly edge: unknown;
  readonly origins: unknown;
  readonly origin_tls: unknown;
  readonly sealed_client_key: string | null;
}

const applicationColumns =
  "id, tenant_id, environment, origin_url, origin_host_header, edge, origins, origin_tls, sealed_client_key";

export async function applicationsById(
  pool: Queries,
  ids: readonly string[],
): Promise<StoredApplication[]> {
  const { rows } = await pool.query<ApplicationRow>({
    name: "edge_applications",
    text: `select ${applicationColumns} from edge_applications($1)`,
    values: [ids],
  });
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    environment: row.environment,
    originUrl: row.origin_url,
    originHostHeader: row.origin_host_header,
    edge: row.edge,
    origins: row.origins,
    originTls: row.origin_tls,
    sealedClientKey: row.sealed_client_key,
  }));
}

export interface HostChange {
  readonly id: number;
  readonly hostname: string | null;
  readonly applicationId: string | null;
}

interface HostChangeRow {
  readonly id: string;
  readonly hostname: string | null;
  readonly application_id: string | null;
}

/** Changes from an id on. Ids are assigned before commit, so callers read with an overlap. */
export async function hostChanges(pool: Queries, fromId: number): Promise<HostChange[]> {
  const { rows } = await pool.query<HostChangeRow>(
    "select id, hostname, application_id from host_changes where id >= $1 order by id",
    [fromId],
  );
  return rows.map(toChange);
}

/** The newest change; one with the id 0 where there is none. */
export async function lastHostChange(pool: Queries): Promise<HostChange> {
  const { rows } = await pool.query<HostChangeRow>(
    "select id, hostname, application_id from host_changes order by id desc limit 1",
  );
  return rows[0] ? toChange(rows[0]) : { id: 0, hostname: null, applicationId: null };
}

function toChange(row: HostChangeRow): HostChange {
  return { id: Number(row.id), hostname: row.hostname, applicationId: row.application_id };
}

function toHost(row: HostRow): Host {
  return {
    hostname: row.hostname,
    epoch: Number(row.epoch),
    environment: row.environment,
    connectionId: row.connection_id,
    applicationId: row.application_id,
    tenantId: row.tenant_id,
    registrableDomain: row.registrable_domain,
    own: ownSettings(row),
  };
}

function ownSettings(row: HostRow): OwnSettings | null {
  const { redirect_to: redirectTo, origin_url: originUrl } = row;
  const { origin_host_header: originHostHeader } = row;
  if (redirectTo === null && originUrl === null && originHostHeader === null) return null;
  return { redirectTo, originUrl, originHostHeader };
}
