import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  get,
  issueCertificates,
  type Made,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type ScriptedDelegation, startDelegation } from "@mooring/testing/dns/scripted-delegation";
import { a, cname, txt } from "@mooring/testing/dns/scripted-zone";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import type { Answer } from "dns-packet";
import type { Config } from "../../../packages/control/src/config/config.ts";

const zone = "acme.example";
const oldEdge = { edgeCname: "edge.mooring.example", edgeIpv4: ["192.0.2.10"] };
const newEdge = { edgeCname: "eu.mooring.example", edgeIpv4: ["192.0.2.20"] };
const hour = 3_600_000;
const minute = 61_000;

describe("desired records move with the edge", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let dns: ScriptedDelegation;
  let shop: Made;
  let apex: Made;

  before(async () => {
    dns = await startDelegation(zone, "127.0.11");
    const env = { EDGE_CNAME: oldEdge.edgeCname, EDGE_IPV4: "192.0.2.10" };
    life = await startLifecycle({ resolver: dns.resolver, env });
    caller = await life.caller("Acme", "live");
    shop = await connect(caller, `shop.${zone}`);
    apex = await connect(caller, zone);
    publish(toOld(), a(zone, "192.0.2.10"));
    for (const { id } of [shop, apex]) await life.reach(id, "issuing_cert");
    await issueCertificates(life.session);
    for (const { id } of [shop, apex]) await life.reach(id, "live");
  });
  after(async () => {
    await life.close();
    await dns.stop();
  });

  const edges = [a(oldEdge.edgeCname, "192.0.2.10"), a(newEdge.edgeCname, "192.0.2.20")];
  const proofs = () =>
    [shop, apex].map(({ hostname, challenge }) => txt(`_service-challenge.${hostname}`, challenge));
  const publish = (...records: readonly Answer[]) => dns.set(...edges, ...proofs(), ...records);
  const toOld = () => cname(shop.hostname, oldEdge.edgeCname);

  const move = (to: Partial<Config>) => life.restartWorker(to);

  async function shown({ id }: Made) {
    const body = (await get(caller, id)).json();
    const values = (field: string) => {
      const records = body[field] as readonly { type: string; value: string }[] | null;
      return records?.map(({ type, value }) => `${type} ${value}`) ?? null;
    };
    return {
      state: body["state"],
      error: body["error_code"],
      desired: values("desired_records"),
      pending: values("pending_records"),
    };
  }

  async function events(type: string): Promise<Record<string, unknown>[]> {
    const { rows } = await life.session.query<{ body: string }>(
      "select body from events where type = $1 order by created_at, id",
      [type],
    );
    return rows.map(({ body }) => JSON.parse(body).data);
  }

  it("keeps a live connection live on the old records, and tells once", async () => {
    await move(newEdge);
    for (let round = 0; round < 3; round += 1) await life.checkAll(hour);
    assert.deepEqual(await shown(shop), {
      state: "live",
      error: "records_changed",
      desired: [`CNAME ${oldEdge.edgeCname}`],
      pending: [`CNAME ${newEdge.edgeCname}`],
    });
    assert.deepEqual(await shown(apex), {
      state: "live",
      error: "records_changed",
      desired: ["A 192.0.2.10"],
      pending: ["A 192.0.2.20"],
    });
    const sent = await events("domain.records_changed");
    assert.equal(sent.length, 2, "once for each");
    assert.match(JSON.stringify(sent[0]?.["pending_records"]), /mooring\.example|192\.0\.2\.20/);
    assert.deepEqual(await events("domain.drift"), []);
  });

  it("takes the new records as soon as they are there, each connection by itself", async () => {
    publish(cname(shop.hostname, newEdge.edgeCname), a(zone, "192.0.2.10"), a(zone, "192.0.2.20"));
    await life.checkAll(hour);
    const moved = {
      state: "live",
      error: null,
      desired: [`CNAME ${newEdge.edgeCname}`],
      pending: null,
    };
    assert.deepEqual(await shown(shop), moved);
    const [seen] = (await get(caller, shop.id)).json()["observed_records"] as readonly object[];
    assert.match(JSON.stringify(seen), /eu\.mooring\.example.*"propagated":true/);
    assert.equal((await shown(apex)).error, "records_changed", "half of the way leads to edges");
    publish(cname(shop.hostname, newEdge.edgeCname), a(zone, "192.0.2.20"));
    await life.checkAll(hour);
    assert.equal((await shown(apex)).error, null);
    assert.deepEqual(await events("domain.drift"), []);
    assert.equal((await events("domain.records_changed")).length, 2);
  });

  it("drifts when what is in DNS leads to no edge of ours", async () => {
    const third = { edgeCname: "us.mooring.example", edgeIpv4: ["192.0.2.30"] };
    await move(third);
    // The old name has lost its address: its CNAME is there as confirmed, and leads nowhere.
    dns.set(
      ...proofs(),
      a(third.edgeCname, "192.0.2.30"),
      cname(shop.hostname, newEdge.edgeCname),
      a(zone, "198.51.100.1"),
    );
    await life.checkAll(hour);
    await life.checkAll(minute);
    assert.equal((await shown(shop)).state, "drifted");
    assert.equal((await shown(apex)).state, "drifted");
    // Either set restores it: here the old one, whose name has its address again.
    publish(
      a(third.edgeCname, "192.0.2.30"),
      cname(shop.hostname, newEdge.edgeCname),
      a(zone, "192.0.2.30"),
    );
    await life.checkAll(hour);
    assert.deepEqual(await shown(shop), {
      state: "live",
      error: "records_changed",
      desired: [`CNAME ${newEdge.edgeCname}`],
      pending: [`CNAME ${third.edgeCname}`],
    });
    assert.deepEqual((await shown(apex)).desired, ["A 192.0.2.30"]);
  });

  it("gives a connection that is not live yet the new records, and forgets a change that is undone", async () => {
    await move(newEdge);
    const fresh = await connect(caller, `new.${zone}`);
    assert.deepEqual(
      (await shown(fresh)).desired,
      [`CNAME ${oldEdge.edgeCname}`],
      "made by the API",
    );
    await life.checkAll(hour);
    assert.deepEqual((await shown(fresh)).desired, [`CNAME ${newEdge.edgeCname}`]);
    assert.equal((await shown(fresh)).pending, null);
    const back = await shown(shop);
    assert.deepEqual([back.state, back.error, back.pending], ["live", null, null]);
  });

  it("follows a template that is changed, at once", async () => {
    const before = (await events("domain.records_changed")).length;
    const record_template = [
      { host: "@", type: "CNAME", value: "{{edge_cname}}" },
      { host: "_dmarc", type: "TXT", value: "v=DMARC1; p=none" },
    ];
    const path = `/v1/applications/${caller.applicationId}`;
    await call(caller.base, path, { key: caller.key, method: "PATCH", body: { record_template } });
    await life.checkAll();
    const { error, pending } = await shown(shop);
    assert.equal(error, "records_changed");
    assert.equal(pending?.length, 2);
    assert.ok((await events("domain.records_changed")).length > before);
  });

  it("knows an edge by its name only: no address is handed out", async () => {
    await life.restartWorker({ ...newEdge, edgeIpv4: [] });
    const path = `/v1/applications/${caller.applicationId}`;
    const body = { record_template: [{ host: "@", type: "A", value: "{{edge_ipv4}}" }] };
    await call(caller.base, path, { key: caller.key, method: "PATCH", body });
    await life.checkAll();
    assert.deepEqual((await shown(apex)).pending, [`ALIAS ${newEdge.edgeCname}`]);
    assert.deepEqual(await life.broken(), []);
  });
});
