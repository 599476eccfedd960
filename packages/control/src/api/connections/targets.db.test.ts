import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { type Answer, call, textOf } from "@mooring/testing/control/http";
import { makeWorld, type World, withoutLimits } from "@mooring/testing/control/world";

const unique = { ...withoutLimits, EDGE_IPV4: "192.0.2.7", EDGE_TARGETS: "unique" };

interface Detail {
  readonly id: string;
  readonly state: string;
  readonly error_code: string | null;
  readonly target: string;
  readonly ownership: { readonly method: string; readonly proven_at: string } | null;
  readonly ownership_challenge: { readonly name: string; readonly value: string };
  readonly validation: { readonly name: string; readonly target: string } | null;
  readonly desired_records: readonly Rec[];
  readonly needed_records: readonly (Rec & {
    readonly purpose: string;
    readonly optional: boolean;
  })[];
}

interface Rec {
  readonly host: string;
  readonly type: string;
  readonly value: string;
}

const plain = ({ host, type, value }: Rec) => ({ host, type, value });

describe("a connection with a target of its own", () => {
  let app: TestApp;
  let own: World;
  let foreign: World;
  before(async () => {
    app = await startTestApp({ ...unique, VALIDATION_ZONE: "validation.test" });
    own = await makeWorld(app, (await app.tenant("own")).keys.test, "own");
    foreign = await makeWorld(app, (await app.tenant("foreign")).keys.test, "foreign");
  });
  after(() => app.close());

  const request = (world: World, path: string, options: object = {}): Promise<Answer> =>
    call(app.api.url, `/v1${path}`, { key: world.key, ...options });

  async function read(world: World, id: string): Promise<Detail> {
    const answer = await request(world, `/connections/${id}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as unknown as Detail;
  }

  async function connect(world: World, hostname: string, more: object = {}): Promise<Detail> {
    const body = { application_id: world.applicationId, hostname, ...more };
    const made = await request(world, "/connections", { body });
    assert.equal(made.status, 201, made.text);
    return read(world, textOf(made, "id"));
  }

  async function publish(world: World, zone: string, records: readonly Rec[]): Promise<void> {
    const path = `/sandbox/zones/${zone}/records`;
    const body = { records: records.map((one) => ({ ...one, ttl: 60 })) };
    const written = await request(world, path, { method: "PUT", body });
    assert.equal(written.status, 200, written.text);
  }

  const verify = (world: World, { id }: Pick<Detail, "id">): Promise<Answer> =>
    request(world, `/connections/${id}/verify`, { method: "POST" });

  async function archive(world: World, { id }: Detail): Promise<void> {
    assert.equal((await request(world, `/connections/${id}`, { method: "DELETE" })).status, 200);
  }

  function errorOf(answer: Answer) {
    return answer.json()["error"] as {
      readonly code: string;
      readonly details: Readonly<Record<string, unknown>> | null;
    };
  }

  it("asks for one record, which proves and leads to us", async () => {
    const made = await connect(own, "shop.one-record.test");
    assert.match(made.target, /^[a-z2-7]{26}\.edge\.localhost$/);
    const expected = { host: "shop.one-record.test", type: "CNAME", value: made.target };
    assert.deepEqual(made.desired_records.map(plain), [expected]);
    assert.deepEqual(made.needed_records.map(plain), [expected]);
    assert.equal(made.ownership, null);
    const missing = errorOf(await verify(own, made));
    assert.equal(missing.code, "ownership_not_found");
    assert.deepEqual(
      [missing.details?.["type"], missing.details?.["expected"]],
      ["CNAME", made.target],
    );
    assert.equal((await read(own, made.id)).error_code, "record_missing");
    await publish(own, "one-record.test", [{ ...expected, value: made.target.toUpperCase() }]);
    assert.equal((await verify(own, made)).status, 200);
    const proven = await read(own, made.id);
    assert.equal(proven.ownership?.method, "cname");
    assert.ok(proven.ownership?.proven_at);
  });

  it("is proven by the TXT record as before, and by the CNAME for validation", async () => {
    const byText = await connect(own, "shop.by-text.test");
    const { name: host, value } = byText.ownership_challenge;
    await publish(own, "by-text.test", [{ host, type: "TXT", value }]);
    assert.equal((await verify(own, byText)).status, 200);
    assert.equal((await read(own, byText.id)).ownership?.method, "txt");
    const delegated = await connect(own, "shop.by-delegation.test");
    assert.ok(delegated.validation);
    const { name, target } = delegated.validation;
    await publish(own, "by-delegation.test", [{ host: name, type: "CNAME", value: target }]);
    assert.equal((await verify(own, delegated)).status, 200);
    assert.equal((await read(own, delegated.id)).ownership?.method, "delegation");
  });

  it("asks for what each kind of name needs, and no more", async () => {
    const types = async (hostname: string) =>
      (await connect(own, hostname)).needed_records.map(({ host, type, purpose }) =>
        [host, type, purpose].join(" "),
      );
    assert.deepEqual(await types("apex-needs.test"), [
      "_service-challenge.apex-needs.test TXT ownership",
      "apex-needs.test ALIAS traffic",
    ]);
    assert.deepEqual(await types("*.wild-needs.test"), [
      "*.wild-needs.test CNAME traffic",
      "_acme-challenge.wild-needs.test CNAME validation",
    ]);
    const pair = await request(own, "/connections:pair", {
      body: { application_id: own.applicationId, hostname: "pair-needs.test" },
    });
    assert.equal(pair.status, 201, pair.text);
    const both = pair.json()["connections"] as readonly { readonly id: string }[];
    const needed = await Promise.all(
      both.map(async ({ id }) => (await read(own, id)).needed_records),
    );
    assert.deepEqual(
      needed.flat().map(({ host, type }) => `${host} ${type}`),
      [
        "_service-challenge.pair-needs.test TXT",
        "pair-needs.test ALIAS",
        "www.pair-needs.test CNAME",
      ],
    );
  });

  it("says what is needed in the answer that makes it", async () => {
    const make = async (path: string, body: object) => {
      const made = await request(own, path, {
        body: { application_id: own.applicationId, ...body },
      });
      assert.ok(made.status < 300, made.text);
      return made.json();
    };
    type Made = Pick<Detail, "id" | "target" | "needed_records">;
    const single = (await make("/connections", { hostname: "shop.answer-one.test" })) as never;
    const pair = await make("/connections:pair", { hostname: "answer-pair.test" });
    const batch = await make("/connections:batch", { hostnames: ["shop.answer-batch.test"] });
    const results = batch["results"] as readonly { readonly connection: Made }[];
    const all: readonly Made[] = [
      single,
      ...(pair["connections"] as readonly Made[]),
      ...results.map(({ connection }) => connection),
    ];
    assert.equal(all.length, 4);
    for (const { id, target, needed_records } of all) {
      const detail = await read(own, id);
      assert.deepEqual([target, needed_records], [detail.target, detail.needed_records]);
    }
  });

  it("tells before it is made whether a TXT record will be asked for", async () => {
    const proof = async (domain: string) => {
      const body = { domain, application_id: own.applicationId };
      const checked = await request(own, "/domains:check", { body });
      assert.equal(checked.status, 200, checked.text);
      return checked.json()["proof"];
    };
    assert.deepEqual(await proof("shop.ask-one.test"), { method: "cname", prepared: "delegation" });
    assert.deepEqual(await proof("ask-apex.test"), { method: "txt", prepared: "delegation" });
    assert.deepEqual(await proof("*.ask-wild.test"), {
      method: "delegation",
      prepared: "delegation",
    });
  });

  it("keeps its target when the same customer makes it again, and nobody else gets it", async () => {
    const alice = { customer_ref: "alice" };
    const first = await connect(own, "shop.again.test", alice);
    await archive(own, first);
    const second = await connect(own, "shop.again.test", alice);
    assert.notEqual(second.id, first.id);
    assert.equal(second.target, first.target);
    const others = [
      await connect(own, "shop.again.test", { customer_ref: "bob" }),
      await connect(own, "shop.again.test"),
      await connect(foreign, "shop.again.test", alice),
      await connect(own, "blog.again.test", alice),
    ];
    const targets = new Set([second, ...others].map(({ target }) => target));
    assert.equal(targets.size, 5);
  });

  /** A token that names neither a customer nor a domain, as any visitor of a page may have. */
  async function visitor(world: World): Promise<World> {
    const body = { application_id: world.applicationId };
    return { ...world, key: textOf(await request(world, "/tokens", { body }), "auth_token") };
  }

  it("proves nothing by what an unnamed customer has left behind", async () => {
    const host = "shop.left-behind.test";
    const first = await connect(own, host);
    assert.ok(first.validation);
    const left = [
      { host, type: "CNAME", value: first.target },
      { host: first.validation.name, type: "CNAME", value: first.validation.target },
    ];
    await publish(own, "left-behind.test", left);
    assert.equal((await verify(own, first)).status, 200);
    await archive(own, first);
    for (const world of [await visitor(own), own]) {
      const again = await connect(world, host);
      assert.notEqual(again.target, first.target);
      assert.notEqual(again.validation?.target, first.validation.target);
      assert.equal(errorOf(await verify(own, again)).code, "ownership_not_found");
      await archive(own, again);
    }
  });

  it("shares the CNAME for validation with its wildcard, but not a visitor's", async () => {
    const settings = { method: "PATCH", body: { wildcards: true } };
    await request(own, `/applications/${own.applicationId}`, settings);
    const [one, other] = [await visitor(own), await visitor(own)];
    const named = async (world: World, hostname: string) =>
      (await connect(world, hostname)).validation?.target;
    const label = await named(own, "shop.shared-label.test");
    assert.equal(await named(own, "*.shop.shared-label.test"), label);
    const visited = await named(one, "shop.visited-label.test");
    assert.equal(await named(one, "*.shop.visited-label.test"), visited);
    const apart = async (zone: string, first: World, second: World) => {
      const [its, theirs] = [await named(first, zone), await named(second, `*.${zone}`)];
      assert.ok(its !== undefined && theirs !== undefined);
      assert.notEqual(theirs, its, zone);
    };
    await apart("shop.other-visitor.test", one, other);
    await apart("shop.after-a-visitor.test", one, own);
    await apart("shop.before-a-visitor.test", own, other);
  });

  it("passes to the customer who gets the connection, and not back", async () => {
    const first = await connect(own, "shop.passed.test", { customer_ref: "alice" });
    const body = { customer_ref: "bob" };
    const changed = await request(own, `/connections/${first.id}`, { method: "PATCH", body });
    assert.equal(changed.status, 200, changed.text);
    const back = await connect(own, "shop.passed.test", { customer_ref: "alice" });
    assert.notEqual(back.target, first.target);
    assert.notEqual(back.validation?.target, first.validation?.target);
    await archive(own, first);
    const again = await connect(own, "shop.passed.test", { customer_ref: "bob" });
    assert.equal(again.target, first.target);
  });

  it("proves nothing by the target of another, nor by a wildcard or the shared name", async () => {
    const theirs = await connect(foreign, "shop.foreign-target.test");
    const made = await connect(own, "shop.foreign-target.test");
    const zone = "foreign-target.test";
    const host = `shop.${zone}`;
    const reasonWith = async (records: readonly Rec[]) => {
      await publish(own, zone, records);
      const { code, details } = errorOf(await verify(own, made));
      return [code, details?.["reason"]];
    };
    const cname = (name: string, value: string) => ({ host: name, type: "CNAME", value });
    assert.deepEqual(await reasonWith([cname(host, theirs.target)]), ["ownership_not_found", null]);
    const diagnosis = await request(own, `/connections/${made.id}/diagnosis`);
    const findings = diagnosis.json()["findings"] as readonly { readonly code: string }[];
    assert.ok(
      findings.some(({ code }) => code === "record_of_another"),
      diagnosis.text,
    );
    assert.deepEqual(await reasonWith([cname(`*.${zone}`, made.target)]), [
      "ownership_not_found",
      "wildcard_answer",
    ]);
    assert.deepEqual(await reasonWith([cname(host, "edge.localhost")]), [
      "ownership_not_found",
      null,
    ]);
    assert.deepEqual(
      await reasonWith([cname(host, `mid.${zone}`), cname(`mid.${zone}`, made.target)]),
      ["ownership_not_found", null],
    );
    await publish(own, zone, [cname(host, theirs.target)]);
    assert.equal((await verify(foreign, theirs)).status, 200, "whose target it is");
  });

  it("is no conflict for the customer whose it is or was, and one for everybody else", async () => {
    const zone = "earlier.test";
    const host = `shop.${zone}`;
    const conflicts = async (world: World, more: object = {}) => {
      const body = { domain: host, application_id: world.applicationId, ...more };
      const answer = await request(world, "/domains:check", { body });
      assert.equal(answer.status, 200, answer.text);
      return (answer.json()["record_conflicts"] as readonly Rec[]).map(({ value }) => value);
    };
    const alice = { customer_ref: "alice" };
    const made = await connect(own, host, alice);
    await publish(own, zone, [{ host, type: "CNAME", value: made.target }]);
    assert.deepEqual(await conflicts(own, alice), []);
    await archive(own, made);
    assert.deepEqual(await conflicts(own, alice), []);
    assert.deepEqual(await conflicts(own, { customer_ref: "bob" }), [made.target]);
    assert.deepEqual(await conflicts(own), [made.target]);
    assert.deepEqual(await conflicts(foreign, alice), [made.target]);
    const unnamed = await connect(own, host);
    await publish(own, zone, [{ host, type: "CNAME", value: unnamed.target }]);
    assert.deepEqual(await conflicts(own), []);
    assert.deepEqual(await conflicts(await visitor(own)), [unnamed.target]);
    await archive(own, unnamed);
    assert.deepEqual(await conflicts(own), [unnamed.target], "the next one's is another");
  });

  it("is refused where nothing can prove it, by the application's own choice", async () => {
    const application = `/applications/${own.applicationId}`;
    const allow = async (proofs: readonly string[]) => {
      const set = await request(own, application, { method: "PATCH", body: { proofs } });
      return set.status;
    };
    assert.equal(await allow([]), 400);
    assert.equal(await allow(["dns"]), 400);
    assert.equal(await allow(["cname"]), 200);
    const body = { application_id: own.applicationId, hostname: "apex-refused.test" };
    const refused = await request(own, "/connections", { body });
    assert.equal(refused.status, 400, refused.text);
    const made = await connect(own, "shop.only-cname.test");
    const { name: host, value } = made.ownership_challenge;
    await publish(own, "only-cname.test", [{ host, type: "TXT", value }]);
    assert.equal(errorOf(await verify(own, made)).code, "ownership_not_found");
    assert.equal(await allow(["delegation"]), 200);
    const delegated = await connect(own, "shop.only-delegation.test");
    assert.deepEqual(
      delegated.needed_records.map((one) => one.host),
      ["shop.only-delegation.test", "_acme-challenge.shop.only-delegation.test"],
    );
    assert.equal(await allow(["txt", "cname", "delegation"]), 200);
  });
});
