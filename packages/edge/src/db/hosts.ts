import { setImmediate as tick } from "node:timers/promises";
import type { StoredApplication } from "../hosts/application.ts";
import { type HostLine, hostLines } from "../hosts/host-line.ts";
import type { Queries } from "./queries.ts";

/** After a name, up to another one or to the last. */
type Range = readonly [after: string, last: string | null];

interface Page {
  readonly hosts: readonly HostLine[];
  readonly range: Range;
}

/**
 * Every claimed host, in pages of two ranges at the same time: each is in the order of names. The
 * next page of a range is read while the last one is used. Small pages: loading a large set must
 * not grow the heap.
 */
export async function* allHosts(queries: Queries): AsyncGenerator<readonly HostLine[]> {
  const read = async (range: Range): Promise<Page> => {
    const hosts = await readHosts(queries, {
      name: "edge_claims_page",
      text: "select lines from edge_claims_page($1, $2) as lines",
      values: [...range],
    });
    return { hosts, range };
  };
  const middle = await middleHost(queries);
  const ranges: readonly Range[] =
    middle === null
      ? [["", null]]
      : [
          ["", middle],
          [middle, null],
        ];
  const reading = new Map(ranges.map((range) => [range[1], read(range)]));
  while (reading.size > 0) {
    const { hosts, range } = await Promise.race(reading.values());
    const [, last] = range;
    const next = hosts.at(-1);
    if (next === undefined) {
      reading.delete(last);
      continue;
    }
    const page = read([next.hostname, last]);
    page.catch(() => undefined); // nobody may ask for it any more
    reading.set(last, page);
    // The pool sends a statement in the next tick of the event loop.
    await tick();
    yield hosts;
  }
}

/** The hosts among these names that are claimed now. */
export async function hostsNamed(
  queries: Queries,
  names: readonly string[],
): Promise<readonly HostLine[]> {
  return await readHosts(queries, {
    name: "edge_claims_named",
    text: "select lines from edge_claims_named($1) as lines",
    values: [names],
  });
}

async function readHosts(
  queries: Queries,
  statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
): Promise<readonly HostLine[]> {
  const { rows } = await queries.query<{ readonly lines: string | null }>(statement);
  const lines = rows[0]?.lines ?? null;
  return lines === null ? [] : hostLines(lines);
}

/** By a sample; null where there is no host. */
async function middleHost(queries: Queries): Promise<string | null> {
  const { rows } = await queries.query<{ readonly name: string | null }>(
    "select name from edge_claims_middle() as name",
  );
  return rows[0]?.name ?? null;
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
  readonly suspended: boolean;
}

const applicationColumns =
  "id, tenant_id, environment, origin_url, origin_host_header, edge, origins, origin_tls, sealed_client_key, suspended";

export async function applicationsById(
  queries: Queries,
  ids: readonly string[],
): Promise<StoredApplication[]> {
  const { rows } = await queries.query<ApplicationRow>({
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
    isSuspended: row.suspended,
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
export async function hostChanges(queries: Queries, fromId: number): Promise<HostChange[]> {
  const { rows } = await queries.query<HostChangeRow>(
    "select id, hostname, application_id from host_changes where id >= $1 order by id",
    [fromId],
  );
  return rows.map(toChange);
}

/** The newest change; one with the id 0 where there is none. */
export async function lastHostChange(queries: Queries): Promise<HostChange> {
  const { rows } = await queries.query<HostChangeRow>(
    "select id, hostname, application_id from host_changes order by id desc limit 1",
  );
  return rows[0] ? toChange(rows[0]) : { id: 0, hostname: null, applicationId: null };
}

function toChange(row: HostChangeRow): HostChange {
  return { id: Number(row.id), hostname: row.hostname, applicationId: row.application_id };
}
