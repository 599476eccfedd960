import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, codeOf, textOf } from "@mooring/testing/control/http";
import {
  type SampledRoute,
  sampledRoutes,
  sampleRequest,
} from "@mooring/testing/control/routes/route-samples";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";

/**
 * Whose connections there are: two customers' and nobody's, each proven and not; and another
 * tenant's.
 */
const names = {
  aliceHeld: "shop.alice.test",
  aliceOpen: "new.alice.test",
  bobHeld: "shop.bob.test",
  bobOpen: "new.bob.test",
  plainHeld: "shop.plain.test",
  plainOpen: "new.plain.test",
  foreignHeld: "shop.foreign.test",
} as const;
type Name = keyof typeof names;
const own = [
  "aliceHeld",
  "aliceOpen",
  "bobHeld",
  "bobOpen",
  "plainHeld",
  "plainOpen",
] as const satisfies readonly Name[];

function customerOf(name: Name): string | undefined {
  return /^(alice|bob)/.exec(name)?.[0];
}

describe("what a widget token reaches", () => {
  let app: TestApp;
  let world: World;
  let foreign: World;
  const ids = new Map<Name, string>();

  before(async () => {
    app = await startTestApp({ ...withoutLimits, EDGE_IPV4: "192.0.2.7" });
    world = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
    foreign = await makeWorld(app, (await app.tenant("foreign")).keys.test, "foreign");
    for (const name of own) await make(world, name, names[name]);
    await make(foreign, "foreignHeld", names.foreignHeld);
  });
  after(() => app.close());

  async function make(owner: World, name: Name, hostname: string): Promise<void> {
    const { key, applicationId } = owner;
    const customer = customerOf(name);
    const body = {
      application_id: applicationId,
      hostname,
      ...(customer ? { customer_ref: customer } : {}),
    };
    const made = await call(app.api.url, "/v1/connections", { key, body });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json()["customer_ref"], customer ?? null);
    ids.set(name, textOf(made, "id"));
    if (name.endsWith("Held")) await prove(owner, made);
  }

  async function prove(owner: World, made: Answer): Promise<void> {
    const challenge = made.json()["ownership_challenge"] as { name: string; value: string };
    const zone = textOf(made, "hostname").split(".").slice(-2).join(".");
    const records = [{ host: challenge.name, type: "TXT", value: challenge.value, ttl: 60 }];
    const { key } = owner;
    const path = `/v1/sandbox/zones/${zone}/records`;
    assert.equal(
      (await call(app.api.url, path, { key, method: "PUT", body: { records } })).status,
      200,
    );
    const verify = `/v1/connections/${textOf(made, "id")}/verify`;
    const verified = await call(app.api.url, verify, { key, method: "POST" });
    assert.equal(verified.status, 200, verified.text);
  }

  async function token(more: object = {}): Promise<string> {
    const { key, applicationId } = world;
    const body = { application_id: applicationId, ...more };
    return textOf(await call(app.api.url, "/v1/tokens", { key, body }), "auth_token");
  }

  function create(key: string, hostname: string, more: object = {}): Promise<Answer> {
    const body = { application_id: world.applicationId, hostname, ...more };
    return call(app.api.url, "/v1/connections", { key, body });
  }

  /** Every route of a connection that a widget token may use, with a request that would succeed. */
  function routesOfConnection(): readonly SampledRoute[] {
    const found = sampledRoutes().filter(
      ({ route }) => route.widget === true && route.path.includes("{id}"),
    );
    assert.ok(
      found.length >= 7,
      "create, get, check, apply, mail, domain connect, diagnosis, share",
    );
    return found;
  }

  function send(one: SampledRoute, key: string, connectionId: string): Promise<Answer> {
    const { url, method, body } = sampleRequest(
      one.route,
      one.sample.request({ ...world, connectionId }),
    );
    return call(app.api.url, url, { key, method, ...(body === undefined ? {} : { body }) });
  }

  const rows: readonly {
    readonly token: string;
    readonly claims: object;
    readonly reaches: readonly Name[];
  }[] = [
    { token: "of alice", claims: { customer_ref: "alice" }, reaches: ["aliceHeld", "aliceOpen"] },
    { token: "of bob", claims: { customer_ref: "bob" }, reaches: ["bobHeld", "bobOpen"] },
    { token: "of a customer who has nothing", claims: { customer_ref: "carol" }, reaches: [] },
    {
      token: "of alice, bound to a domain of hers",
      claims: { customer_ref: "alice", domain: names.aliceHeld },
      reaches: ["aliceHeld"],
    },
    {
      token: "of alice, bound to a domain of bob",
      claims: { customer_ref: "alice", domain: names.bobHeld },
      reaches: [],
    },
    {
      token: "bound to a domain of nobody",
      claims: { domain: names.plainHeld },
      reaches: ["plainHeld"],
    },
    { token: "bound to a domain of alice", claims: { domain: names.aliceHeld }, reaches: [] },
    { token: "of neither", claims: {}, reaches: ["plainOpen"] },
  ];
  for (const row of rows) {
    it(`${row.token}: reads and acts on ${row.reaches.join(", ") || "nothing"}`, async () => {
      const key = await token(row.claims);
      for (const name of [...own, "foreignHeld"] as const) {
        const isReached = (row.reaches as readonly Name[]).includes(name);
        for (const one of routesOfConnection()) {
          const answer = await send(one, key, ids.get(name) ?? "");
          const what = `${one.name} of ${name}: ${answer.text}`;
          if (isReached) assert.ok(![401, 403, 404].includes(answer.status), what);
          else assert.equal(answer.status, 404, what);
        }
      }
    });
  }

  const resumes: readonly {
    readonly token: string;
    readonly claims: object;
    readonly resumed: readonly Name[];
    readonly refused: readonly Name[];
  }[] = [
    {
      token: "of alice",
      claims: { customer_ref: "alice" },
      resumed: ["aliceHeld", "aliceOpen"],
      refused: ["bobHeld", "plainHeld", "foreignHeld"],
    },
    {
      token: "bound to a domain of nobody",
      claims: { domain: names.plainHeld },
      resumed: ["plainHeld"],
      refused: [],
    },
    {
      token: "bound to a domain of alice",
      claims: { domain: names.aliceHeld },
      resumed: [],
      refused: ["aliceHeld"],
    },
    {
      token: "of alice, bound to a domain of bob",
      claims: { customer_ref: "alice", domain: names.bobHeld },
      resumed: [],
      refused: ["bobHeld"],
    },
    {
      token: "of neither",
      claims: {},
      resumed: ["plainOpen"],
      refused: ["aliceHeld", "bobHeld", "plainHeld", "foreignHeld"],
    },
  ];
  for (const row of resumes) {
    it(`${row.token}: resumes ${row.resumed.join(", ") || "nothing"}`, async () => {
      const key = await token(row.claims);
      for (const name of row.resumed) {
        const answer = await create(key, names[name]);
        assert.equal(answer.status, 200, `${name}: ${answer.text}`);
        assert.equal(answer.json()["id"], ids.get(name));
      }
      for (const name of row.refused) {
        const answer = await create(key, names[name]);
        assert.equal(answer.status, 409, `${name}: ${answer.text}`);
        assert.deepEqual(answer.json(), {
          error: {
            code: "HostnameConflict",
            message: `${names[name]} is already connected: if it is yours, send \`contest: true\` and prove it`,
            details: null,
          },
        });
      }
    });
  }

  it("a name that another customer has not proven gets a connection of its own, for keys too", async () => {
    const made = await create(await token({ customer_ref: "alice" }), names.bobOpen);
    const plain = await create(world.key, names.bobOpen);
    const again = await create(world.key, names.bobOpen, { customer_ref: "bob" });
    assert.deepEqual([made.status, plain.status, again.status], [201, 201, 200]);
    assert.equal(made.json()["customer_ref"], "alice");
    assert.equal(plain.json()["customer_ref"], null);
    assert.equal(again.json()["id"], ids.get("bobOpen"));
    const challenges = [made, plain, again].map((one) =>
      JSON.stringify(one.json()["ownership_challenge"]),
    );
    assert.equal(new Set(challenges).size, 3);
  });

  it("a key learns of the holder only when it names the holder's customer", async () => {
    const holder = async (more: object) => {
      const answer = await create(world.key, names.aliceHeld, more);
      assert.equal(codeOf(answer), "HostnameConflict");
      return (answer.json()["error"] as { details: unknown }).details;
    };
    assert.deepEqual(await holder({ customer_ref: "alice" }), {
      connection_id: ids.get("aliceHeld"),
    });
    assert.equal(await holder({ customer_ref: "bob" }), null);
    assert.equal(await holder({}), null);
  });

  it("a contest of a name does not learn whether the holder is of the same application", async () => {
    const contests = [];
    for (const name of ["bobHeld", "foreignHeld"] as const) {
      const key = await token({ customer_ref: "dora" });
      const answer = await create(key, names[name], { contest: true });
      contests.push([answer.status, answer.json()["state"], answer.json()["error_code"]]);
    }
    assert.deepEqual(contests[0], contests[1]);
    assert.deepEqual(contests[0], [201, "pending_ownership", null]);
  });

  it("a token of neither keeps what it made or resumed when that is proven; another one loses it", async () => {
    const mine = await token();
    const other = await token();
    const made = await create(mine, "ours.plain-two.test");
    const id = textOf(made, "id");
    const get = async (key: string) =>
      (await call(app.api.url, `/v1/connections/${id}`, { key })).status;
    assert.deepEqual([await get(mine), await get(other)], [200, 200]);
    const late = await token();
    assert.equal((await create(late, "ours.plain-two.test")).status, 200);
    await prove(world, made);
    assert.deepEqual([await get(mine), await get(late), await get(other)], [200, 200, 404]);
    assert.equal((await create(other, "ours.plain-two.test")).status, 409);
  });

  it("the list of a token is its customer's own, and is for customers only", async () => {
    const list = async (key: string, query = "") => {
      const answer = await call(app.api.url, `/v1/connections?${query}`, { key });
      const data = (answer.json()["data"] ?? []) as readonly { hostname: string }[];
      return [answer.status, data.map(({ hostname }) => hostname).sort()] as const;
    };
    const alice = await token({ customer_ref: "alice" });
    const all = [names.aliceOpen, names.bobOpen, names.aliceHeld].toSorted();
    assert.deepEqual(await list(alice), [200, all]);
    assert.deepEqual(await list(alice, "customer_ref=alice"), [200, all]);
    assert.deepEqual(await list(alice, `hostname=${names.aliceHeld}`), [200, [names.aliceHeld]]);
    assert.deepEqual(await list(alice, `hostname=${names.bobHeld}`), [200, []]);
    assert.deepEqual(await list(alice, "state=verified"), [200, [names.aliceHeld]]);
    assert.equal((await list(alice, "customer_ref=bob"))[0], 403);
    const bound = await token({ customer_ref: "alice", domain: names.aliceOpen });
    assert.deepEqual(await list(bound), [200, [names.aliceOpen]]);
    assert.equal((await list(await token()))[0], 403);
    assert.equal((await list(await token({ domain: names.plainHeld })))[0], 403);
    const byKey = await list(world.key, "customer_ref=bob");
    assert.deepEqual(byKey, [200, [names.bobOpen, names.bobHeld].toSorted()]);
    // The customer of another application has the same name and is another customer.
    const body = { name: "Second" };
    const second = await call(app.api.url, "/v1/applications", { key: world.key, body });
    const applicationId = textOf(second, "id");
    const elsewhere = await call(app.api.url, "/v1/tokens", {
      key: world.key,
      body: { application_id: applicationId, customer_ref: "alice" },
    });
    assert.deepEqual(await list(textOf(elsewhere, "auth_token")), [200, []]);
  });

  it("a customer pages through the list and removes a domain; nobody else can", async () => {
    const key = await token({ customer_ref: "erin" });
    const made: string[] = [];
    for (const label of ["one", "two", "three"]) {
      const answer = await create(key, `${label}.erin.test`);
      assert.equal(answer.json()["customer_ref"], "erin", "the token's, without asking");
      made.push(textOf(answer, "id"));
    }
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = `limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const page = await call(app.api.url, `/v1/connections?${query}`, { key });
      seen.push(...(page.json()["data"] as { id: string }[]).map(({ id }) => id));
      cursor = page.json()["next_cursor"] as string | null;
    }
    assert.deepEqual(seen, made.toReversed());
    const remove = (by: string, id: string) =>
      call(app.api.url, `/v1/connections/${id}`, { key: by, method: "DELETE" });
    const [first = ""] = made;
    assert.equal((await remove(await token({ customer_ref: "bob" }), first)).status, 404);
    assert.equal((await remove(await token(), first)).status, 403);
    assert.equal((await remove(await token({ domain: names.plainHeld }), first)).status, 403);
    const removed = await remove(key, first);
    assert.deepEqual([removed.status, removed.json()["state"]], [200, "archived"]);
  });

  it("a browser cannot choose its customer", async () => {
    const alice = await token({ customer_ref: "alice" });
    const neither = await token();
    assert.equal((await create(alice, "x.alice.test", { customer_ref: "bob" })).status, 403);
    assert.equal((await create(neither, "x.alice.test", { customer_ref: "alice" })).status, 403);
    assert.equal((await create(alice, "x.alice.test", { customer_ref: "alice" })).status, 201);
  });

  it("an Idempotency-Key of one customer answers no other", async () => {
    const headers = { "idempotency-key": "once" };
    const send = async (customer_ref: string) =>
      call(app.api.url, "/v1/connections", {
        key: await token({ customer_ref }),
        body: { application_id: world.applicationId, hostname: "once.plain-three.test" },
        headers,
      });
    const [first, second, again] = [await send("fay"), await send("gus"), await send("fay")];
    assert.deepEqual([first.status, second.status, again.status], [201, 201, 201]);
    assert.notEqual(first.json()["id"], second.json()["id"]);
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(second.headers.get("idempotency-replayed"), null);
  });

  it("is opaque: 1 to 200 characters as they are, nothing trimmed", async () => {
    const good = ["a", " a ", "7", "Ünïcode/日本", "😀".repeat(200), "null", "%", "a'b\"c\\d"];
    for (const [index, customer_ref] of good.entries()) {
      const answer = await create(world.key, `ref-${index}.opaque.test`, { customer_ref });
      assert.equal(answer.json()["customer_ref"], customer_ref);
      const key = await token({ customer_ref });
      const path = `/v1/connections/${textOf(answer, "id")}`;
      assert.equal((await call(app.api.url, path, { key })).status, 200, customer_ref);
      const query = new URLSearchParams({ customer_ref }).toString();
      const listed = await call(app.api.url, `/v1/connections?${query}`, { key: world.key });
      assert.equal((listed.json()["data"] as unknown[]).length, 1, customer_ref);
    }
    for (const customer_ref of [
      "",
      "a".repeat(201),
      "😀".repeat(201),
      "a\nb",
      "a\u0000",
      "\u007f",
      "\u0085",
      7,
    ]) {
      for (const path of ["/v1/connections", "/v1/tokens"]) {
        const hostname = path.endsWith("tokens") ? {} : { hostname: "bad.opaque.test" };
        const body = { application_id: world.applicationId, ...hostname, customer_ref };
        const answer = await call(app.api.url, path, { key: world.key, body });
        assert.deepEqual(
          [answer.status, codeOf(answer)],
          [400, "invalid"],
          JSON.stringify(customer_ref),
        );
      }
    }
    const lone = await fetch(`${app.api.url}/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Bearer ${world.key}`, "content-type": "application/json" },
      body: `{"application_id":"${world.applicationId}","customer_ref":"\\ud800"}`,
    });
    assert.equal(lone.status, 400);
  });

  it("is on events and in their list, by a filter", async () => {
    const list = async (query: string) => {
      const answer = await call(app.api.url, `/v1/events?${query}`, { key: world.key });
      return answer.json()["data"] as readonly {
        customer_ref: string | null;
        data: { connection: { customer_ref: string | null } | null };
      }[];
    };
    const bobs = await list("customer_ref=bob");
    assert.ok(bobs.length >= 3, "added twice, verified once");
    for (const event of bobs) {
      assert.equal(event.customer_ref, "bob");
      assert.equal(event.data.connection?.customer_ref, "bob");
    }
    const refs = new Set((await list("limit=100")).map((event) => event.customer_ref));
    assert.ok(refs.has("alice") && refs.has("bob") && refs.has(null));
  });

  it("changes by PATCH, which an event tells, and not for one half of a redirect", async () => {
    const patch = (id: string, body: object) =>
      call(app.api.url, `/v1/connections/${id}`, { key: world.key, method: "PATCH", body });
    const apex = await create(world.key, "moving.test", { customer_ref: "hal" });
    const www = await create(world.key, "www.moving.test");
    const [apexId, wwwId] = [textOf(apex, "id"), textOf(www, "id")];
    const target = { redirect_to: "moving.test" };
    assert.equal((await patch(wwwId, target)).status, 400, "the target is another customer's");
    const moved = await patch(wwwId, { customer_ref: "hal", ...target });
    assert.equal(moved.status, 200, moved.text);
    assert.equal((await patch(wwwId, { customer_ref: "ida" })).status, 400);
    assert.equal((await patch(apexId, { customer_ref: "ida" })).status, 400);
    const freed = await patch(wwwId, { customer_ref: "ida", redirect_to: null });
    assert.deepEqual([freed.status, freed.json()["customer_ref"]], [200, "ida"]);
    const events = await call(app.api.url, "/v1/events?type=domain.changed&customer_ref=ida", {
      key: world.key,
    });
    const [event] = events.json()["data"] as readonly { data: { changed: unknown } }[];
    assert.deepEqual(event?.data.changed, ["redirect_to", "customer_ref"]);
    const get = async (customer_ref: string) =>
      (await call(app.api.url, `/v1/connections/${wwwId}`, { key: await token({ customer_ref }) }))
        .status;
    assert.deepEqual([await get("hal"), await get("ida")], [404, 200]);
  });
});
