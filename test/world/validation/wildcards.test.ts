import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  hurry,
  type Made,
  putZone,
  verify,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type SandboxEdge, startSandboxEdge } from "@mooring/testing/edge/sandbox-edge";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const labels = proofSize(40, 10_000);

describe("a wildcard", () => {
  let world: SandboxEdge;
  let holder: Caller;
  let other: Caller;
  const zone = freshZone();
  const base = `shop.${zone}`;
  let wildcard: Made;
  let lines: readonly ZoneLine[] = [];
  before(async () => {
    world = await startSandboxEdge();
    holder = await world.tenant("wildcard");
    other = await world.tenant("exact");
  });
  after(() => world.close());

  const write = async (...more: readonly ZoneLine[]): Promise<void> => {
    lines = [...lines, ...more];
    await putZone(holder, zone, lines);
  };
  const proof = ({ hostname, challenge }: Made): ZoneLine => ({
    host: `_service-challenge.${hostname.replace("*.", "")}`,
    type: "TXT",
    value: challenge,
  });
  const allows = async (name: string): Promise<number> =>
    (await call(holder.base, `/internal/ask?domain=${name}`)).status;
  const refusal = async (body: object) => {
    const sent = { application_id: holder.applicationId, ...body };
    const answer = await call(holder.base, "/v1/connections", { key: holder.key, body: sent });
    return [answer.status, answer.text] as const;
  };

  it("is refused where it covers more than one label, a name of ours, or the application says no", async () => {
    for (const hostname of [
      "*.test",
      "a.*.acme.test",
      "**.acme.test",
      "*",
      "*.*.acme.test",
      "*.com",
    ]) {
      assert.equal((await refusal({ hostname }))[0], 400, hostname);
    }
    // It counts as configured for names of the sandbox only.
    const [status, text] = await refusal({ hostname: "*.acme.example" });
    assert.equal(status, 400);
    assert.match(text, /delegated validation, which is not configured/);
    for (const hostname of ["validation.test", "x.validation.test", "*.validation.test"]) {
      assert.match((await refusal({ hostname }))[1], /belongs to the service itself/, hostname);
    }
    const options = { key: holder.key, method: "PUT", body: { records: [] } };
    assert.equal(
      (await call(holder.base, "/v1/sandbox/zones/validation.test/records", options)).status,
      400,
    );
    const patch = { key: holder.key, method: "PATCH", body: { wildcards: false } };
    const path = `/v1/applications/${holder.applicationId}`;
    assert.equal((await call(holder.base, path, patch)).json()["wildcards"], false);
    assert.match((await refusal({ hostname: `*.${base}` }))[1], /does not accept wildcards/);
    // The CNAME for validation is the exact name's too, and would prove it.
    await call(holder.base, path, { ...patch, body: { wildcards: true, proofs: ["txt"] } });
  });

  it("goes live with the records that it asks for", async () => {
    wildcard = await connect(holder, `*.${base}`);
    const detail = (await get(holder, wildcard.id)).json();
    const records = detail["desired_records"] as ZoneLine[];
    const validation = detail["validation"] as { name: string; target: string; status: string };
    assert.equal(detail["kind"], "subdomain");
    assert.equal(validation.name, `_acme-challenge.${base}`);
    assert.match(validation.target, /^[a-z2-7]{26}\.validation\.test$/);
    assert.equal(validation.status, "absent");
    assert.deepEqual(
      records.map(({ host, type, value }) => [host, type, value]),
      [
        [`*.${base}`, "CNAME", "edge.localhost"],
        [`_acme-challenge.${base}`, "CNAME", validation.target],
      ],
    );
    assert.equal(await allows(`a.${base}`), 403, "not proven yet");
    await write(proof(wildcard), ...records);
    await world.life.reach(wildcard.id, "live");
    const live = (await get(holder, wildcard.id)).json();
    assert.deepEqual(
      [live["wildcard"], (live["validation"] as { status: string }).status],
      [true, "right"],
    );
    // One CNAME serves the name itself too, in the same application only.
    const exact = (await get(holder, (await connect(holder, base)).id)).json();
    assert.equal((exact["validation"] as { target: string }).target, validation.target);
    const foreign = (await get(other, (await connect(other, base)).id)).json();
    assert.notEqual((foreign["validation"] as { target: string }).target, validation.target);
  });

  it(`serves ${labels} labels by one certificate, and exactly one level`, async () => {
    const names = Array.from({ length: labels }, () => `${randomBytes(5).toString("hex")}.${base}`);
    for (const name of names) assert.equal(await world.page(name), `wildcard ${name}`);
    const { rows } = await world.life.session.query("select hostname from certificates");
    assert.deepEqual(rows, [{ hostname: `*.${base}` }]);
    const table = [
      [`a.${base}`, 200],
      [`A.${base.toUpperCase()}.`, 200],
      [base, 403],
      [`a.b.${base}`, 403],
      [zone, 403],
      [`other.${zone}`, 403],
    ] as const;
    for (const [name, status] of table) assert.equal(await allows(name), status, name);
    await assert.rejects(world.page(`a.b.${base}`));
    await assert.rejects(world.page(base));
    const routed = await call(holder.base, `/internal/route?domain=a.${base}`);
    assert.equal(routed.status, 200, routed.text);
  });

  it("yields to the exact name of another tenant within 2 s, and has it back within 2 s", async (t) => {
    const name = `mine.${base}`;
    assert.equal(await world.page(name), `wildcard ${name}`);
    const exact = await connect(other, name);
    await write(proof(exact));
    assert.equal((await verify(other, exact.id)).status, 200);
    const provenAt = performance.now();
    // Without a certificate of its own it is served with the wildcard's, by its own origin.
    await until(async () => (await world.page(name)) === `exact ${name}`, "the exact name");
    const takenMs = Math.round(performance.now() - provenAt);
    const { rows } = await world.life.session.query<{ hostname: string }>(
      "select hostname from certificates where chain is not null",
    );
    assert.deepEqual(
      rows.map(({ hostname }) => hostname),
      [`*.${base}`],
    );
    await write({ host: name, type: "CNAME", value: "edge.localhost" });
    await world.life.reach(exact.id, "live");
    assert.equal(await world.page(name), `exact ${name}`);
    assert.equal((await archive(other, exact.id)).status, 200);
    const archivedAt = performance.now();
    await until(async () => (await world.page(name)) === `wildcard ${name}`, "the wildcard again");
    t.diagnostic(
      `exact after ${takenMs} ms, back after ${Math.round(performance.now() - archivedAt)} ms`,
    );
  });

  it("is proven by nothing but its own record, in either order", async () => {
    const own = freshZone();
    // Whose record is where, and which connection must not be proven by it.
    const table = [
      { claimed: `a.${own}`, published: own },
      { claimed: own, published: `a.${own}` },
      { claimed: `*.${own}`, published: `a.${own}` },
      { claimed: `a.${own}`, published: `*.${own}` },
      { claimed: `*.b.${own}`, published: `*.${own}` },
    ];
    for (const { claimed, published } of table) {
      const [victim, attacker] = [await connect(holder, published), await connect(other, claimed)];
      // The attacker's value stands at the name that it can write: that of the other connection.
      const at = `_service-challenge.${published.replace("*.", "")}`;
      await putZone(holder, own, [{ host: at, type: "TXT", value: attacker.challenge }]);
      const isSame = claimed.replace("*.", "") === published.replace("*.", "");
      assert.equal(isSame, false);
      assert.equal((await verify(other, attacker.id)).status, 409, `${claimed} by ${published}`);
      assert.equal((await verify(holder, victim.id)).status, 409, "a value of another connection");
      await archive(holder, victim.id);
      await archive(other, attacker.id);
    }
    // A wildcard that gives the TXT name itself is no proof.
    const made = await connect(holder, `*.${own}`);
    await putZone(holder, own, [{ host: `*.${own}`, type: "TXT", value: made.challenge }]);
    assert.equal((await verify(holder, made.id)).status, 409);
    await hurry(world.life.session);
  });
});
