import { openRuntime, readConfig } from "../packages/control/src/index.ts";
import { startApi } from "../packages/control/src/process/start-api.ts";
import { countEndedDays } from "../packages/control/src/services/connections/summary.ts";
import { type BenchDatabase, openBenchDatabase } from "./support/bench-database.ts";
import { line, ms } from "./support/report.ts";

const defaultRows = 1_000_000;
const runs = 5;
/** What a person may wait for at the API. */
const limitMs = 200;

const filters = [
  "",
  "state=live",
  "state=stalled",
  "state=stalled&state=failed",
  "state=failed&state=drifted&state=stalled",
  "error_code=record_missing",
  "error_code=caa_forbidden",
  "provider=cloudflare",
  "provider=rare",
  "customer_ref=customer-77",
  "wildcard=true",
  "sort=stuck_since",
  "sort=stuck_since&state=stalled",
  "q=h77777",
  "q=bench",
  "q=zq",
  "q=11",
  "q=absent-everywhere",
  "q=customer-7777",
  "q=h5&state=failed",
];

/**
 * The console's table over a million connections of one tenant: the first page, a later one and
 * each filter, at the API, with the indexes that the server used. Fails on one that takes longer
 * than a person may wait.
 */
export async function benchConsole(rows: number | null): Promise<void> {
  const database = await openBenchDatabase();
  const count = rows ?? defaultRows;
  await database.fill(count);
  await spread(database);
  const config = readConfig({ ...database.env, PORT: "0", BASE_URL: "http://localhost:8080" });
  const api = await startApi(config);
  try {
    console.log(`${count.toLocaleString("en")} connections of one tenant`);
    line("filter", "rows", "best", "worst");
    let isSlow = false;
    for (const filter of filters) {
      const worst = await measure(api.url, database.key, filter);
      isSlow ||= worst > limitMs;
      console.log(`    ${await explainAccess(database, filter)}`);
    }
    await countDays(config, database.url);
    const first = await summarize(api.url, database.key, "connections:summary, first of a day");
    const another = await startApi(config);
    const worst = await summarize(another.url, database.key, "connections:summary").finally(() =>
      another.close(),
    );
    if (isSlow || Math.max(first, worst) > limitMs) process.exitCode = 1;
  } finally {
    await api.close();
    await database.close();
  }
}

/** What a worker does every ten minutes. */
async function countDays(config: ReturnType<typeof readConfig>, url: string): Promise<void> {
  const worker = await openRuntime(config, { url, role: "mooring_worker", name: "worker" });
  const startedAt = performance.now();
  await countEndedDays(worker.runtime).finally(() => worker.close());
  line("days that have ended, by a worker", "", ms(performance.now() - startedAt), "");
}

/** By a process that has connections to the database and no summary in memory. */
async function summarize(url: string, key: string, title: string): Promise<number> {
  await timed(url, key, "/v1/connections?limit=1");
  const { tookMs } = await timed(url, key, "/v1/connections:summary");
  line(title, "", ms(tookMs), "");
  return tookMs;
}

async function measure(url: string, key: string, filter: string): Promise<number> {
  const took: number[] = [];
  let found = 0;
  for (let run = 0; run < runs; run += 1) {
    const answer = await timed(url, key, `/v1/connections?${filter}`);
    took.push(answer.tookMs);
    found = answer.rows;
  }
  const worst = Math.max(...took);
  line(filter === "" ? "(none)" : filter, String(found), ms(Math.min(...took)), ms(worst));
  return worst;
}

async function timed(url: string, key: string, path: string) {
  const startedAt = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
  const body = (await response.json()) as { readonly data?: readonly unknown[] };
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return { tookMs: performance.now() - startedAt, rows: body.data?.length ?? 0 };
}

/** The indexes that the server reads for the ids of a filtered page. */
async function explainAccess({ session }: BenchDatabase, filter: string): Promise<string> {
  const asked = Object.fromEntries(new URLSearchParams(filter));
  const states = new URLSearchParams(filter).getAll("state");
  const { state: _state, ...others } = asked;
  const requested = JSON.stringify({ ...others, ...(states.length > 0 ? { states } : {}) });
  const notices: string[] = [];
  const note = ({ message }: { readonly message?: string | undefined }) =>
    void notices.push(message ?? "");
  session.on("notice", note);
  await session.query("load 'auto_explain'");
  await session.query(
    `set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
     set auto_explain.log_level = notice; set client_min_messages = notice`,
  );
  await session.query(
    `select set_config('app.tenant', (select id::text from tenants limit 1), false),
       set_config('app.environment', 'live', false)`,
  );
  await session.query("select * from list_connections($1, null, null, 21)", [requested]);
  await session.query("set auto_explain.log_min_duration = -1; set client_min_messages = warning");
  session.off("notice", note);
  const indexes =
    notices.join("\n").match(/(?:using|Scan on) (connection\w*)|Seq Scan on \w+/g) ?? [];
  return [...new Set(indexes)].join(", ");
}

/** States, causes, providers and customers as a large installation has them: most are well. */
async function spread({ session }: BenchDatabase): Promise<void> {
  await session.query("set session_replication_role = replica; set synchronous_commit = off");
  await session.query(`
    update connections c set
      state = case when n % 1000 < 2 then 'stalled' when n % 1000 < 5 then 'failed' when n % 1000 < 6 then 'drifted'
        when n % 1000 < 20 then 'pending_ownership' else 'live' end,
      error_code = case when n % 1000 < 2 then 'record_missing' when n % 1000 < 5 then 'ownership_timeout'
        when n % 1000 < 20 then 'txt_not_found' when n % 20000 = 77 then 'caa_forbidden' end,
      provider = case when n % 5000 = 3 then 'rare' when n % 3 = 0 then 'cloudflare' else 'godaddy' end,
      customer_ref = 'customer-' || n / 10,
      finding = case when n % 1000 < 20
        then '{"code":"record_missing","actor":"end_customer","title":"A record is missing"}'::jsonb end,
      state_since = created_at
    from (select id, substr(split_part(hostname, '.', 1), 2)::int as n from connections) as numbered
    where numbered.id = c.id`);
  await session.query(`
    insert into connection_search (connection_id, tenant_id, environment, text, created_at)
    select id, tenant_id, environment, lower(concat_ws(E'\\n', hostname, customer_ref)), created_at from connections
    on conflict (connection_id) do update set text = excluded.text`);
  await session.query(`
    update held_hostnames set held = (select count(*) from connections where state in ('stalled', 'drifted', 'live'))`);
  await session.query("set session_replication_role = default; set synchronous_commit = on");
  await session.query("vacuum (analyze) connections");
  await session.query("vacuum (analyze) connection_search");
}
