import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  toEdge,
  verify,
} from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import { withoutLimits } from "@mooring/testing/control/world";
import type pg from "pg";
import { openDatabase } from "../../../packages/control/src/db/engine/pool.ts";
import { moveArchived } from "../../../packages/control/src/services/connections/move-archived.ts";
import { dropIns } from "../../../packages/drop-in/src/index.ts";

const dayMs = 86_400_000;

/** Everything that shows connections, with those that are archived among the others. */
describe("connections that were archived long ago", () => {
  const zone = freshZone();
  let app: TestApp;
  let session: pg.Client;
  let acme: Caller;
  let live: string;
  let other: Caller;
  const archived: Made[] = [];
  let open: Made[] = [];
  let before31Days: ReadonlyMap<string, unknown>;
  let half: Answer;

  before(async () => {
    app = await startTestApp({ ...withoutLimits, VALIDATION_ZONE: "validation.test" }, { dropIns });
    session = await openSession(app.databaseUrl);
    const { keys } = await app.tenant("Acme");
    live = keys.live;
    acme = await openCaller(app.api.url, keys.test);
    other = await openCaller(app.api.url, (await app.tenant("Other")).keys.test, "Other");
    await call(acme.base, "/v1/webhook-endpoints", {
      key: acme.key,
      body: { application_id: acme.applicationId, url: "https://hooks.example/", events: ["*"] },
    });
    await stock();
    for (const { id } of archived) assert.equal((await archive(acme, id)).status, 200);
    open = [await made(`shop.${zone}`), await made(`new.${zone}`, { customer_ref: "c-1" })];
    await connect(other, `shop.other-${zone}`);
    app.clock.advance(31 * dayMs);
    before31Days = await everything();
    half = await list("limit=2&state=archived");
    await move();
  });
  after(async () => {
    await session.end();
    await app.close();
  });

  const made = (hostname: string, more: Readonly<Record<string, unknown>> = {}): Promise<Made> => {
    app.clock.advance(1_000);
    return connect(acme, hostname, more);
  };
  const list = (query: string, key = acme.key): Promise<Answer> =>
    call(acme.base, `/v1/connections?${query}`, { key });

  async function stock(): Promise<void> {
    const shop = await made(`shop.${zone}`);
    await putZone(acme, zone, [proofRecord(shop), toEdge(shop)]);
    assert.equal((await verify(acme, shop.id)).status, 200);
    archived.push(shop, await made(`a.${zone}`, { customer_ref: "c-1" }));
    await call(acme.base, `/v1/connections/${shop.id}/share`, { key: acme.key, method: "POST" });
    open.push(await made(`open.${zone}`));
    archived.push(await made(`*.${zone}`), await made(`b.${zone}`, { customer_ref: "c-1" }));
    const batch = await call(acme.base, "/v1/connections:batch", {
      key: acme.key,
      body: { application_id: acme.applicationId, hostnames: [`c.${zone}`, `d.${zone}`] },
    });
    assert.equal(batch.status, 200, batch.text);
    const vercel = `/compat/vercel/v9/projects/${acme.applicationId}/domains`;
    await call(acme.base, vercel, { key: acme.key, body: { name: `v.${zone}` } });
    await session.query(
      `update connections set first_live_at = created_at + interval '90 s', provider = 'cloudflare'
       where id = $1`,
      [shop.id],
    );
    for (const hostname of [`c.${zone}`, `v.${zone}`]) {
      const [row] = (await list(`hostname=${hostname}`)).json()["data"] as { id: string }[];
      archived.push({ id: row?.id ?? "", hostname, challenge: "" });
    }
  }

  async function move(afterMs = app.config.archivedConnectionsAfterMs): Promise<void> {
    const worker = openDatabase({ url: app.databaseUrl, role: "mooring_worker" });
    const config = { ...app.config, archivedConnectionsAfterMs: afterMs };
    await moveArchived({ ...app.operator, ...worker, database: worker, config });
    await worker.close();
  }

  async function countArchived(): Promise<
    { readonly moved: number; readonly left: number } | undefined
  > {
    const { rows } = await session.query<{ moved: number; left: number }>(
      `select (select count(*)::int from archived_connections) as moved,
         (select count(*)::int from only connections where state = 'archived') as left`,
    );
    return rows[0];
  }

  /** Every page of a list, in pages of two; the status where there is no list. */
  async function readPages(path: string, key: string): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    let cursor = "";
    do {
      const separator = path.includes("?") ? "&" : "?";
      const answer = await call(acme.base, `${path}${separator}limit=2${cursor}`, { key });
      if (answer.status !== 200) return [answer.status];
      const { data, next_cursor: next } = answer.json() as {
        data: unknown[];
        next_cursor: string | null;
      };
      found.push(...data);
      cursor = next === null ? "" : `&cursor=${encodeURIComponent(next)}`;
    } while (cursor !== "");
    return found;
  }

  function listPaths(): readonly string[] {
    const filters = [
      "",
      "?state=archived",
      "?state=pending_ownership",
      "?state=archived&state=verified",
      `?hostname=shop.${zone}`,
      `?hostname=shop.${zone}&state=archived`,
      "?customer_ref=c-1",
      "?customer_ref=c-1&state=archived",
      `?q=${zone}`,
      "?q=sh",
      "?q=shop&state=archived",
      `?application_id=${acme.applicationId}`,
      "?provider=cloudflare",
      "?error_code=record_missing",
      "?wildcard=true",
      "?wildcard=false",
      "?sort=stuck_since",
      "?sort=stuck_since&state=archived",
    ];
    const ofOne = archived.flatMap(({ id }) => [
      `/v1/connections/${id}/events`,
      `/v1/deliveries?connection_id=${id}`,
      `/v1/audit?object=connection&object_id=${id}`,
    ]);
    return [...filters.map((filter) => `/v1/connections${filter}`), "/v1/events", ...ofOne];
  }

  function singlePaths(): readonly string[] {
    const { applicationId } = acme;
    const cloudflare = `/compat/cloudflare/client/v4/zones/${applicationId.replaceAll("-", "")}/custom_hostnames`;
    const vercel = `/compat/vercel/v9/projects/${applicationId}/domains`;
    const ofOne = archived.flatMap(({ id, hostname }) => [
      ...["", "/sending", "/diagnosis"].map((part) => `/v1/connections/${id}${part}`),
      `${cloudflare}/${id}`,
      `${vercel}/${hostname}`,
    ]);
    return ["/v1/connections:summary", "/v1/usage", cloudflare, vercel, ...ofOne];
  }

  /** What each reader answers, by who asks and what for. */
  async function everything(): Promise<ReadonlyMap<string, unknown>> {
    const bound = { application_id: acme.applicationId, customer_ref: "c-1" };
    const token = await call(acme.base, "/v1/tokens", { key: acme.key, body: bound });
    const customer = textOf(token, "auth_token");
    const answers = new Map<string, unknown>();
    for (const [who, key] of Object.entries({ own: acme.key, live, other: other.key, customer })) {
      for (const path of listPaths()) answers.set(`${who} ${path}`, await readPages(path, key));
      for (const path of singlePaths()) {
        const { status, json } = await call(acme.base, path, { key });
        answers.set(`${who} ${path}`, { status, body: withoutRequest(json()) });
      }
    }
    return answers;
  }

  it("are all moved, and nothing else is", async () => {
    assert.deepEqual(await countArchived(), { moved: archived.length, left: 0 });
  });

  it("are shown as before by every reader, and to nobody else", async () => {
    const now = await everything();
    for (const [what, answer] of before31Days) assert.deepEqual(now.get(what), answer, what);
    const own = (await readPages("/v1/connections", acme.key)) as { id: string; state: string }[];
    const shown = own.filter(({ state }) => state === "archived").map(({ id }) => id);
    assert.deepEqual(new Set(shown), new Set(archived.map(({ id }) => id)));
    for (const { id } of archived) {
      assert.equal((await call(acme.base, `/v1/connections/${id}`, { key: acme.key })).status, 200);
      for (const key of [other.key, live]) {
        assert.equal((await call(acme.base, `/v1/connections/${id}`, { key })).status, 404);
      }
    }
  });

  it("continue a list that was begun before the move", async () => {
    const cursor = encodeURIComponent(textOf(half, "next_cursor"));
    const rest = await list(`limit=100&state=archived&cursor=${cursor}`);
    const ids = [half, rest].flatMap((page) => page.json()["data"] as { id: string }[]);
    assert.deepEqual(
      ids.map(({ id }) => id),
      archived.map(({ id }) => id).toReversed(),
    );
  });

  it("are final: a repeated archive changes nothing, and changes are refused", async () => {
    for (const { id } of archived) {
      const before = (await get(acme, id)).json();
      const again = await archive(acme, id);
      assert.equal(again.status, 200, again.text);
      assert.equal(again.json()["state"], "archived");
      assert.deepEqual((await get(acme, id)).json(), before);
      assert.equal((await archive(other, id)).status, 404);
      for (const verb of ["verify", "records:check", "share", "certificate:retry"]) {
        const path = `/v1/connections/${id}/${verb}`;
        const refused = await call(acme.base, path, { key: acme.key, method: "POST" });
        assert.deepEqual([refused.status, codeOf(refused)], [409, "conflict"], verb);
      }
      const body = { customer_ref: "c-2" };
      const path = `/v1/connections/${id}`;
      const patched = await call(acme.base, path, { key: acme.key, method: "PATCH", body });
      assert.equal(patched.status, 409, patched.text);
    }
  });

  it("let their hostname be connected again", async () => {
    const again = await made(`a.${zone}`, { customer_ref: "c-1" });
    assert.ok(!archived.some(({ id }) => id === again.id));
    const both = (await list(`hostname=a.${zone}`)).json()["data"] as { id: string }[];
    assert.deepEqual(
      both.map(({ id }) => id),
      [again.id, archived[1]?.id],
    );
    open.push(again);
  });

  it("do not hold back the deletion of their application, and outlive it", async () => {
    const second = await openCaller(acme.base, acme.key, "Second");
    const { id } = await connect(second, `second.${zone}`);
    const path = `/v1/applications/${second.applicationId}`;
    const remove = () => call(acme.base, path, { key: acme.key, method: "DELETE" });
    assert.equal((await remove()).status, 409);
    await archive(acme, id);
    app.clock.advance(31 * dayMs);
    await move();
    assert.deepEqual(await countArchived(), { moved: archived.length + 1, left: 0 });
    const before = (await get(acme, id)).json();
    assert.equal((await remove()).status, 204);
    assert.deepEqual((await get(acme, id)).json(), before);
  });

  it("stay where they are for a month, and for ever when the move is off", async () => {
    const { id } = await made(`late.${zone}`);
    await archive(acme, id);
    const left = async () => (await countArchived())?.left;
    await move();
    assert.equal(await left(), 1);
    app.clock.advance(29 * dayMs);
    await move();
    assert.equal(await left(), 1);
    app.clock.advance(2 * dayMs);
    await move(0);
    assert.equal(await left(), 1);
    await move();
    assert.equal(await left(), 0);
    for (const { id: openId } of open) assert.equal((await get(acme, openId)).status, 200);
  });
});

/** Which request an error answers, when a diagnosis was made, and how many requests there were. */
const ofTheRequest: ReadonlySet<string> = new Set(["request_id", "checked_at", "api_call"]);

function withoutRequest(body: Readonly<Record<string, unknown>>): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (ofTheRequest.has(key) ? undefined : value)),
  );
}
