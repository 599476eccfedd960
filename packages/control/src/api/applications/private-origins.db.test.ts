import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  connect,
  issueCertificates,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

describe("private origins in a default configuration", () => {
  let dns: ScriptedDns;
  let life: LifecycleApp;
  /** What names resolve to; others have no answer. */
  const addresses = new Map<string, string>();
  before(async () => {
    dns = await startScriptedDns({
      address: "127.0.0.1",
      port: await freePort(),
      behave: ({ name, type }) => {
        const data = type === "A" ? addresses.get(name) : undefined;
        if (data === undefined) return {};
        return { answers: [{ type: "A", name, ttl: 0, data }] };
      },
    });
    const EGRESS_RESOLVERS = `127.0.0.1:${dns.port}`;
    life = await startLifecycle({ env: { EGRESS_RESOLVERS, EGRESS_ALLOW: "10.1.0.0/16" } });
  });
  after(async () => {
    await life.close();
    await dns.stop();
  });

  it("are refused with the reason when they are set, by what their names resolve to", async () => {
    addresses.set("app.internal", "10.2.0.9");
    addresses.set("opened.internal", "10.1.0.9");
    const { base, key, applicationId } = await life.caller("Acme");
    const set = (body: object, path = `/v1/applications/${applicationId}`) =>
      call(base, path, { key, method: "PATCH", body });
    const refused = await set({ origin_url: "http://app.internal:3000" });
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /"path":"origin_url".*refused: private use \(RFC 1918\)/);
    const listed = { origins: [{ url: "https://a.invalid" }, { url: "http://app.internal" }] };
    assert.match((await set(listed)).text, /"path":"origins\.1\.url".*private use/);
    const made = await connect({ base, key, applicationId }, "shop.private-origins.test");
    const own = await set({ origin_url: "http://app.internal" }, `/v1/connections/${made.id}`);
    assert.match(own.text, /"path":"origin_url".*private use/);
    // A name that the operator has opened, and one that has no address yet.
    for (const url of ["http://opened.internal:3000", "https://not-yet.internal"]) {
      const answer = await set({ origin_url: url });
      assert.equal(textOf(answer, "origin_url"), url);
    }
  });

  it("are named by the diagnosis as the cause, when DNS has changed after they were set", async () => {
    addresses.set("moving.example", "93.184.216.34");
    const caller = await life.caller("Moving");
    const { base, key, applicationId } = caller;
    const body = { origin_url: "https://moving.example" };
    const path = `/v1/applications/${applicationId}`;
    assert.equal((await call(base, path, { key, method: "PATCH", body })).status, 200);
    const zone = "moving-origin.test";
    const connection = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(connection), toEdge(connection)]);
    await life.reach(connection.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(connection.id, "live");
    const diagnose = async () =>
      (await call(base, `/v1/connections/${connection.id}/diagnosis`, { key })).text;
    assert.doesNotMatch(await diagnose(), /origin_unreachable/);
    addresses.set("moving.example", "10.2.0.9");
    // Answers are cached for a moment, also those that may not be.
    await until(async () => /origin_unreachable/.test(await diagnose()), "the finding");
    const found = await diagnose();
    assert.match(
      found,
      /https:\/\/moving\.example is not dialled \(refused_address\): [^"]*private use/,
    );
    assert.match(found, /public addresses only/);
  });
});
