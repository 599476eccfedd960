import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Host } from "../../packages/edge/src/hosts/host.ts";
import type { BenchDatabase } from "./bench-database.ts";

/** Names with a connection of their own; the others have an id only, which is all that counts. */
const connections = 10_000;
const applications = 20;

export interface TrafficNames {
  readonly tenantId: string;
  /** In the order of their visits, the most visited first. */
  readonly hosts: readonly Host[];
}

/** The names of one tenant with some applications. */
export async function makeNames(
  { session, fill }: BenchDatabase,
  count: number,
): Promise<TrafficNames> {
  await fill(Math.min(connections, count));
  const { rows } = await session.query<{ tenantId: string; applicationId: string }>(
    `select tenant_id as "tenantId", application_id as "applicationId" from connections limit 1`,
  );
  const [first] = rows;
  if (first === undefined) throw new Error("there is no connection");
  const { tenantId } = first;
  const more = Array.from({ length: applications - 1 }, () => randomUUID());
  await session.query(
    `insert into applications (id, tenant_id, environment, name, origin_url, created_at)
     select id, $2, 'live', id::text, 'https://origin.example', now() from unnest($1::uuid[]) id`,
    [more, tenantId],
  );
  await session.query(
    `create unlogged table bench_names as
     select n as number, coalesce(c.id, gen_random_uuid()) as id,
       ($2::uuid[])[1 + n % ${applications}] as application_id
     from generate_series(1, $1::int) n
     left join connections c on c.hostname = 'h' || n || '.bench.example'`,
    [count, [first.applicationId, ...more]],
  );
  const { rows: names } = await session.query<{ id: string; applicationId: string }>(
    `select id, application_id as "applicationId" from bench_names order by number`,
  );
  const hosts = names.map(
    ({ id, applicationId }, index): Host => ({
      hostname: `h${index + 1}.bench.example`,
      epoch: 1,
      environment: "live",
      connectionId: id,
      applicationId,
      tenantId,
      registrableDomain: "bench.example",
      own: null,
    }),
  );
  return { tenantId, hosts };
}

/**
 * Rows of an hour as batches have left them, for the names after the first `skipped`: visits fall
 * with the number of the name, and the origin took several times.
 */
export async function fillHour(
  session: pg.Client,
  { tenantId }: TrafficNames,
  hour: Date,
  skipped: number,
): Promise<void> {
  await session.query("select add_traffic_partition($1)", [hour]);
  await session.query("insert into traffic_edges (name) values ('bench') on conflict do nothing");
  await session.query(
    `insert into traffic_hours (tenant_id, subject_id, hour, edge_id, application_id, environment, aborted,
       status_1xx, status_2xx, status_3xx, status_4xx, status_5xx, bytes_in, bytes_out, handshakes, refused,
       unattributed, origin_times)
     select $1, n.id, $2, e.id, n.application_id, 'live', 0, 0, v.visits, 0, 0, v.visits / 50, 0,
       4096 * v.visits, v.visits, 0, 0,
       array(select ((20 + b) << 40) + v.visits / 4 + 1 from generate_series(0::bigint, 3) b)
     from bench_names n cross join traffic_edges e
       cross join lateral (select 3 + 2000000 / (n.number + 20)::bigint as visits) v
     where n.number > $3 order by n.id`,
    [tenantId, hour, skipped],
  );
  await session.query(
    `insert into traffic_hours (tenant_id, subject_id, hour, edge_id, application_id, environment, aborted,
       status_1xx, status_2xx, status_3xx, status_4xx, status_5xx, bytes_in, bytes_out, handshakes, refused,
       unattributed, origin_times)
     select tenant_id, application_id, hour, edge_id, application_id, environment, 0, 0, sum(status_2xx), 0, 0,
       sum(status_5xx), 0, sum(bytes_out), sum(handshakes), 0, 0, '{}'
     from traffic_hours where hour = $1 group by 1, 2, 3, 4, 5, 6`,
    [hour],
  );
  await session.query(
    `insert into traffic_reports (hour, process_id, minutes) values ($1, gen_random_uuid(), 1)`,
    [hour],
  );
}
