import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { makeSides, type Sides, withoutLimits } from "@mooring/testing/control/world";
import pg from "pg";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Index Searches"?: number;
  readonly "Actual Rows"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

const count = 4_000;
const pageSize = 21;

describe("a page of the list of connections", () => {
  let app: TestApp;
  let own: Sides;
  let session: pg.Client;
  let notices: string[] = [];

  before(async () => {
    app = await startTestApp(withoutLimits);
    own = await makeSides(app, "own");
    session = new pg.Client({ connectionString: app.databaseUrl });
    session.on("notice", ({ message }) => notices.push(message ?? ""));
    await session.connect();
    await stock();
    await session.query("load 'auto_explain'");
    await session.query(
      `set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
       set auto_explain.log_analyze = on; set auto_explain.log_buffers = on; set auto_explain.log_timing = off;
       set auto_explain.log_format = json; set auto_explain.log_level = notice; set role mooring_api`,
    );
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  /** Two of them are made at each moment; a tenth is archived, and half of those in the archive. */
  async function stock(): Promise<void> {
    await session.query("set session_replication_role = replica");
    const archive = (table: string, chosen: string) =>
      session.query(
        `insert into ${table} (id, tenant_id, environment, application_id, hostname, registrable_domain, kind,
           setup_type, state, challenge, may_use_credentials, desired_records, phase_started_at, created_at)
         select gen_random_uuid(), $1, 'test', $2, 'h' || n || '.test', 'h' || n || '.test', 'apex', 'manual',
           case when n % 10 = 0 then 'archived' else 'live' end, 'c', true, '[]', at, at
         from generate_series(1, ${count}) as n
         cross join lateral (select $3::timestamptz - n / 2 * interval '1 second' as at) as t where ${chosen}`,
        [own.tenant.tenant.id, own.test.applicationId, app.clock.now()],
      );
    await archive("connections", "n % 20 <> 0");
    await archive("archived_connections", "n % 20 = 0");
    await session.query("set session_replication_role = default");
    await session.query("vacuum (analyze) connections");
    await session.query("vacuum (analyze) archived_connections");
  }

  interface ReadPage {
    readonly rows: readonly { readonly id: string; readonly created_at: string }[];
    readonly plan: PlanNode;
  }

  async function readPage(state: string | null, after: ReadPage | null): Promise<ReadPage> {
    const last = after?.rows.at(-2);
    notices = [];
    const { rows } = await session.query<{ page: ReadPage["rows"] | null }>(
      "select page_connections($1, $2, $3, $4, $5, $6, $7) as page",
      [
        [own.tenant.tenant.id],
        ["test"],
        [state],
        [null],
        [last?.created_at ?? null],
        [last?.id ?? null],
        [pageSize],
      ],
    );
    const plans = notices.flatMap((notice): PlanNode[] => {
      const at = notice.indexOf("{");
      return at === -1 ? [] : [JSON.parse(notice.slice(at)).Plan];
    });
    const plan = plans.find((one) => walk(one).some(isOfConnections));
    assert.ok(plan, "no statement read connections");
    return { rows: rows[0]?.page ?? [], plan };
  }

  function walk(node: PlanNode): readonly PlanNode[] {
    return [node, ...(node.Plans ?? []).flatMap(walk)];
  }

  function isOfConnections(node: PlanNode): boolean {
    return /^(archived_)?connections$/.test(node["Relation Name"] ?? "");
  }

  /** Each table by one range of an index that begins at the position; nothing sorted or dropped. */
  function assertOneRange({ plan }: ReadPage): void {
    const nodes = walk(plan);
    assert.ok(!nodes.some((node) => /Sort/.test(node["Node Type"])), "sorted");
    for (const node of nodes.filter(isOfConnections)) {
      assert.equal(node["Node Type"], "Index Scan");
      assert.match(node["Index Cond"] ?? "", /ROW\(created_at, id\) </);
      assert.equal(node["Index Searches"] ?? 1, 1);
      assert.equal(node["Rows Removed by Filter"] ?? 0, 0);
      assert.ok((node["Actual Rows"] ?? 0) <= pageSize, `${node["Actual Rows"]} rows read`);
    }
  }

  function blocks({ plan }: ReadPage): number {
    return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  }

  for (const state of [null, "live", "archived"]) {
    it(`reads one range of an index on any page, with state ${state ?? "not named"}`, async () => {
      const first = await readPage(state, null);
      assertOneRange(first);
      const seen = new Set(first.rows.slice(0, -1).map(({ id }) => id));
      let page = first;
      for (let read = 0; page.rows.length === pageSize && read < 150; read += 1) {
        page = await readPage(state, page);
        for (const { id } of page.rows.slice(0, pageSize - 1)) seen.add(id);
        assertOneRange(page);
        assert.ok(blocks(page) <= blocks(first) + 12, `${blocks(page)} blocks after ${read} pages`);
      }
      const shares = { live: 0.9, archived: 0.1 } as const;
      const share = state === null ? 1 : shares[state as keyof typeof shares];
      if (share < 0.9) assert.equal(seen.size, count * share);
      else assert.ok(seen.size >= 151 * (pageSize - 1), `${seen.size} rows`);
    });
  }

  it("is searched by the plan for its text, however often the session has searched", async () => {
    const search = (q: string) =>
      session.query("select list_connections($1, null, null, $2)", [
        JSON.stringify({ q }),
        pageSize,
      ]);
    for (let searched = 0; searched < 10; searched += 1) await search("zq");
    notices = [];
    await search("h5");
    const pairs = notices.filter((notice) =>
      /"Filter": .*text_pairs|Cond": .*text_pairs/.test(notice),
    );
    assert.equal(pairs.length, 1);
    assert.match(pairs[0] ?? "", /@> '\{h5\}'/);
  });
});
