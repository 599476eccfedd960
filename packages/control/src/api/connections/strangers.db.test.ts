import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openSession } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import {
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { recordPromise, soakRounds } from "@mooring/testing/processes/soak";
import fc from "fast-check";
import type pg from "pg";

const rounds = proofSize(1, 100);
const sequencesPerRound = proofSize(10, 100);
/** Everyday runs try the same sequences. */
const firstSeed = proofSize(20_261_118, Date.now() % 2 ** 31);

const labels = ["", "www.", "shop."] as const;
const customers = [null, "alice", "bob"] as const;
/** Of the first tenant, of the first tenant, of the second. */
const applications = [0, 1, 2] as const;

interface Caller {
  readonly application: (typeof applications)[number];
  /** A key sees the whole tenant; `copy` tells two tokens of the same kind apart. */
  readonly kind: "key" | "token";
  readonly customer: (typeof customers)[number];
  readonly bound: (typeof labels)[number] | null;
  readonly copy: 0 | 1;
}

type Step =
  | { readonly does: "create"; readonly by: Caller; readonly label: string; readonly way: Way }
  | { readonly does: "use"; readonly by: Caller; readonly which: number; readonly route: number }
  | { readonly does: "list"; readonly by: Caller }
  | { readonly does: "check"; readonly by: Caller; readonly label: string }
  | { readonly does: "prove"; readonly which: number; readonly isLive: boolean }
  | { readonly does: "move"; readonly which: number; readonly customer: string | null }
  | { readonly does: "archive"; readonly which: number };
type Way = "plain" | "contest" | "pair";

interface Sequence {
  readonly owner: Caller;
  readonly label: (typeof labels)[number];
  readonly isLive: boolean;
  readonly steps: readonly Step[];
}

/** A connection as the database has it. */
interface Row {
  readonly id: string;
  readonly tenantId: string;
  readonly applicationId: string;
  readonly customer: string | null;
  readonly hostname: string;
  readonly state: string;
}

const unproven = ["created", "pending_ownership", "verifying"];
const over = ["failed", "archived"];
const isHeld = ({ state }: Row): boolean => ![...unproven, ...over].includes(state);

const label = fc.constantFrom(...labels);
const which = fc.nat(7);
const caller: fc.Arbitrary<Caller> = fc.record({
  // Mostly of one application and without a customer, where strangers are closest.
  application: fc.constantFrom(0, 0, 0, 0, ...applications),
  kind: fc.constantFrom("token", "token", "token", "token", "token", "key"),
  customer: fc.constantFrom(null, ...customers),
  bound: fc.constantFrom(null, null, null, null, ...labels),
  copy: fc.constantFrom(0, 1),
});
const way = fc.constantFrom<Way>("plain", "plain", "plain", "contest", "pair");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant("create"), by: caller, label, way }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("use"), by: caller, which, route: fc.nat(99) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("list"), by: caller }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("check"), by: caller, label }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("prove"), which, isLive: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("move"),
      which,
      customer: fc.constantFrom(...customers),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("archive"), which }) },
) as fc.Arbitrary<Step>;
/** Somebody holds a name before others come. */
const sequence: fc.Arbitrary<Sequence> = fc.record({
  owner: caller,
  label,
  isLive: fc.boolean(),
  steps: fc.array(step, { minLength: 3, maxLength: 12 }),
});

/** What all sequences share. */
interface Stage {
  readonly app: TestApp;
  readonly session: pg.Client;
  /** One for each application. */
  readonly worlds: readonly World[];
  readonly tenantIds: readonly string[];
  readonly seen: { refused: number; served: number };
}

/** Every route of one connection, for keys and tokens. */
const routes = sampledRoutes().filter(({ route }) => route.path.includes("/connections/{id}"));

const readRoute = routes.find(({ name }) => name === "GET /v1/connections/{id}") as SampledRoute;

function findWorld({ worlds }: Stage, application: number): World {
  const world = worlds[application];
  assert.ok(world);
  return world;
}

/** A domain and its www may be a pair; nothing else is reached by a token of a domain. */
function reachesBound(domain: string, hostname: string): boolean | null {
  if (hostname === domain) return true;
  return hostname === `www.${domain}` || domain === `www.${hostname}` ? null : false;
}

/** Tokens of the same application that are closest to the owner's, and tried in every sequence. */
function listNeighbours(owner: Caller, bound: Caller["bound"]): readonly Caller[] {
  const token: Caller = { ...owner, kind: "token", bound: null, copy: owner.copy === 0 ? 1 : 0 };
  const another = owner.customer === "bob" ? "alice" : "bob";
  return [
    { ...token, customer: null },
    { ...token, customer: another },
    { ...token, customer: another, bound },
  ];
}

/** The connections in the answer to a create. */
function listShown(answer: Answer): readonly Row[] {
  const body = answer.json();
  return (body["connections"] ?? [body]) as readonly Row[];
}

/** What one sequence has: its names, its tokens, and which token made which connection. */
function openNames(stage: Stage, zone: string) {
  const { app, session, tenantIds, seen } = stage;
  const tokens = new Map<string, string>();
  const made = new Set<string>();

  const fullName = (bound: string): string => `${bound}${zone}`;
  const identify = (by: Caller): string => JSON.stringify(by);
  async function openSecret(by: Caller): Promise<string> {
    const { key, applicationId } = findWorld(stage, by.application);
    if (by.kind === "key") return key;
    const known = tokens.get(identify(by));
    if (known !== undefined) return known;
    const body = {
      application_id: applicationId,
      ...(by.customer === null ? {} : { customer_ref: by.customer }),
      ...(by.bound === null ? {} : { domain: fullName(by.bound) }),
    };
    const token = textOf(await call(app.api.url, "/v1/tokens", { key, body }), "auth_token");
    tokens.set(identify(by), token);
    return token;
  }

  async function readRows(): Promise<readonly Row[]> {
    const { rows } = await session.query<Row>(
      `select id, tenant_id as "tenantId", application_id as "applicationId",
         customer_ref as customer, hostname, state
       from connections where hostname = any ($1) order by created_at, id`,
      [labels.map(fullName)],
    );
    return rows;
  }

  /** The table of what a token reaches; null where it depends on whether two are a pair. */
  function reaches(by: Caller, row: Row): boolean | null {
    if (row.tenantId !== tenantIds[by.application]) return false;
    if (by.kind === "key") return true;
    const isOfApplication = row.applicationId === findWorld(stage, by.application).applicationId;
    if (!isOfApplication || row.customer !== by.customer) return false;
    if (by.bound !== null) return reachesBound(fullName(by.bound), row.hostname);
    if (by.customer !== null) return true;
    return unproven.includes(row.state) || made.has(`${identify(by)} ${row.id}`);
  }

  /** No stranger's connection is in the answer, and none was changed. */
  async function judge(by: Caller, rows: readonly Row[], answer: Answer): Promise<void> {
    const later = new Map((await readRows()).map((row) => [row.id, row]));
    for (const row of rows.filter((one) => reaches(by, one) === false)) {
      const what = `${identify(by)} and ${JSON.stringify(row)}: ${answer.text}`;
      assert.ok(!answer.text.includes(row.id), what);
      assert.deepEqual(later.get(row.id), row, what);
    }
    // The sandbox's provider may say of a real call that it has no such zone.
    assert.ok(answer.status < 500 || codeOf(answer) === "provider_error", answer.text);
  }

  function createBody(by: Caller, hostname: string, way: Way): object {
    return {
      application_id: findWorld(stage, by.application).applicationId,
      hostname,
      ...(way === "contest" ? { contest: true } : {}),
      ...(by.kind === "key" && by.customer !== null ? { customer_ref: by.customer } : {}),
    };
  }

  const isStrange = (by: Caller, name: string, rows: readonly Row[]): boolean =>
    rows.some((row) => row.hostname === name && isHeld(row) && reaches(by, row) === false);
  const hasContest = (by: Caller, name: string, rows: readonly Row[]): boolean =>
    rows.some(
      (row) => row.hostname === name && unproven.includes(row.state) && reaches(by, row) !== false,
    );

  function assertConflict(answer: Answer): void {
    seen.refused += 1;
    assert.ok(answer.status >= 400, answer.text);
    if (answer.status !== 409) return;
    assert.equal(codeOf(answer), "HostnameConflict");
    assert.match(answer.text, /"details":null/);
  }

  async function create(by: Caller, bound: string, way: Way): Promise<void> {
    const rows = await readRows();
    const key = await openSecret(by);
    const names = way === "pair" ? [fullName(""), fullName("www.")] : [fullName(bound)];
    const body = createBody(by, names[0] ?? "", way);
    const path = `/v1/connections${way === "pair" ? ":pair" : ""}`;
    const answer = await call(app.api.url, path, { key, body });
    await judge(by, rows, answer);
    const strange = names.filter((name) => isStrange(by, name, rows));
    // A contest of the caller's own, made before, is resumed.
    const isContested = strange.every((name) => hasContest(by, name, rows));
    if (way !== "contest" && !isContested) assertConflict(answer);
    if (answer.status < 300) noteMade(by, strange, listShown(answer));
  }

  function noteMade(by: Caller, strange: readonly string[], shown: readonly Row[]): void {
    seen.served += 1;
    for (const { id, hostname, state } of shown) {
      assert.ok(!strange.includes(hostname) || unproven.includes(state), `${hostname} ${state}`);
      made.add(`${identify(by)} ${id}`);
    }
  }

  async function use(by: Caller, row: Row, one: SampledRoute): Promise<void> {
    const rows = await readRows();
    const world = {
      ...findWorld(stage, by.application),
      connectionId: row.id,
      hostname: row.hostname,
    };
    const { url, method, body } = sampleRequest(one.route, one.sample.request(world));
    const key = await openSecret(by);
    const options = { key, method, ...(body === undefined ? {} : { body }) };
    const answer = await call(app.api.url, url, options);
    await judge(by, rows, answer);
    const canReach = reaches(by, row);
    if (canReach === false) {
      seen.refused += 1;
      const isAllowed = by.kind === "key" || one.route.widget === true;
      if (isAllowed) assert.equal(answer.status, 404, `${one.name}: ${answer.text}`);
      else assert.ok(answer.status >= 400, `${one.name}: ${answer.text}`);
    } else if (answer.status < 300) {
      seen.served += 1;
    }
  }

  async function ask(by: Caller, path: string, body?: unknown): Promise<void> {
    const rows = await readRows();
    const key = await openSecret(by);
    const more = body === undefined ? {} : { body };
    await judge(by, rows, await call(app.api.url, path, { key, ...more }));
  }

  /** The owner's own doing: proof in DNS, and what the edge does at the end. */
  async function prove(row: Row, isLive: boolean): Promise<void> {
    const { key } = findWorld(stage, tenantIds.indexOf(row.tenantId));
    const shown = (await call(app.api.url, `/v1/connections/${row.id}`, { key })).json();
    const { name, value } = shown["ownership_challenge"] as { name: string; value: string };
    const records = [{ host: name, type: "TXT", value, ttl: 60 }];
    const put = { key: findWorld(stage, 0).key, method: "PUT", body: { records } };
    assert.equal((await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, put)).status, 200);
    await call(app.api.url, `/v1/connections/${row.id}/verify`, { key, method: "POST" });
    if (!isLive) return;
    const live = "update connections set state = 'live' where id = $1 and state = 'verified'";
    await session.query(live, [row.id]);
  }

  /** A step on one of the connections that there are. */
  async function takeOn(row: Row, next: Extract<Step, { which: number }>): Promise<void> {
    if (next.does === "prove") return await prove(row, next.isLive);
    if (next.does === "use") {
      const route = routes[next.route % routes.length];
      assert.ok(route);
      return await use(next.by, row, route);
    }
    const { key } = findWorld(stage, tenantIds.indexOf(row.tenantId));
    const change =
      next.does === "archive"
        ? { method: "DELETE" }
        : { method: "PATCH", body: { customer_ref: next.customer } };
    await call(app.api.url, `/v1/connections/${row.id}`, { key, ...change });
  }

  async function take(next: Step): Promise<void> {
    if (next.does === "create") return await create(next.by, next.label, next.way);
    if (next.does === "list") return await ask(next.by, "/v1/connections?limit=100");
    if (next.does === "check") {
      return await ask(next.by, "/v1/domains:check", { domain: fullName(next.label) });
    }
    const rows = await readRows();
    const row = rows[next.which % rows.length];
    if (row !== undefined) await takeOn(row, next);
  }

  async function clear(): Promise<void> {
    const { key } = findWorld(stage, 0);
    for (const row of (await readRows()).filter(({ state }) => !over.includes(state))) {
      const owner = findWorld(stage, tenantIds.indexOf(row.tenantId));
      const path = `/v1/connections/${row.id}`;
      await call(app.api.url, path, { key: owner.key, method: "DELETE" });
    }
    await call(app.api.url, `/v1/sandbox/zones/${zone}/records`, { key, method: "DELETE" });
  }

  return { create, use, readRows, prove, take, clear };
}

/** Customers of three applications of two tenants, with every kind of token, on the same names. */
describe("a stranger's domain", () => {
  let app: TestApp;
  let session: pg.Client;
  const worlds: World[] = [];
  const tenantIds: string[] = [];
  const seen = { refused: 0, served: 0 };
  let zones = 0;

  before(async () => {
    app = await startTestApp({ ...withoutLimits, EDGE_IPV4: "192.0.2.7" });
    session = await openSession(app.databaseUrl);
    const [first, second] = [await app.tenant("first"), await app.tenant("second")];
    for (const { keys, tenant } of [first, first, second]) {
      worlds.push(await makeWorld(app, keys.test, `world${worlds.length}`));
      tenantIds.push(tenant.id);
    }
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  async function play({ owner, label: bound, isLive, steps }: Sequence): Promise<void> {
    zones += 1;
    const stage = { app, session, worlds, tenantIds, seen };
    const names = openNames(stage, `strangers-${zones}.test`);
    await names.create({ ...owner, bound: null }, bound, "plain");
    const [first] = await names.readRows();
    assert.ok(first);
    await names.prove(first, isLive);
    for (const by of listNeighbours(owner, bound)) {
      await names.create(by, bound, "plain");
      await names.use(by, first, readRoute);
    }
    for (const next of steps) await names.take(next);
    await names.clear();
  }

  it("is never answered as a success, whatever was done before and by any path", async (t) => {
    const counts = await soakRounds("strangers", rounds, async (round) => {
      const start = { ...seen };
      const property = fc.asyncProperty(sequence, play);
      const limits = { seed: firstSeed + round, numRuns: sequencesPerRound, endOnFailure: true };
      await fc.assert(property, limits);
      return { refused: seen.refused - start.refused, served: seen.served - start.served };
    });
    const sum = (field: "refused" | "served"): number =>
      counts.reduce((all, one) => all + one[field], 0);
    const total = rounds * sequencesPerRound;
    t.diagnostic(`${total} sequences: ${sum("refused")} refused, ${sum("served")} served`);
    assert.ok(sum("refused") >= total && sum("served") >= total, JSON.stringify(counts));
    recordPromise(
      "G33",
      `${total} sequences, ${sum("refused")} requests for a stranger's connection`,
      "0 answered, none changed",
    );
  });
});
