import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { testConnection } from "@mooring/testing/control/connection";
import { call } from "@mooring/testing/control/http";
import { type Holding, memoryResolver, records } from "@mooring/testing/dns/memory-resolver";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { caaForbidsRenewal } from "../../../domain/certificates/certificate.ts";
import type { Observation } from "../../../domain/connections/observation.ts";
import { observe } from "./observe.ts";

const directory = "https://ca.example/directory";
const account = "https://ca.example/acct/7";

describe("a name whose certificate authority may not issue any more", () => {
  let life: LifecycleApp;
  let caller: Caller;
  /** What DNS has outside the sandbox. */
  let zone: Holding = [];
  const outside = () =>
    memoryResolver({ zone: "caa.example", servers: { "ns1.caa.example": zone }, recursive: zone });
  before(async () => {
    life = await startLifecycle({
      env: { ACME_DIRECTORY_URL: directory },
    });
    caller = await life.caller("Alice");
  });
  after(() => life.close());

  async function issuing(zone: string, ...more: readonly ZoneLine[]): Promise<Made> {
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made), ...more]);
    await life.reach(made.id, "issuing_cert");
    return made;
  }

  const allow = (zone: string, made: Made, value: string) =>
    putZone(caller, zone, [
      proofRecord(made),
      toEdge(made),
      { host: zone, type: "CAA", value: `0 issue "${value}"` },
    ]);

  /** What a check of a live name sees of CAA. */
  async function seen(caa: string): Promise<Observation> {
    zone = records(`caa.example 60 CAA 0 issue "${caa}"`);
    const connection = testConnection({
      state: "live",
      hostname: "shop.caa.example",
      registrableDomain: "caa.example",
    });
    const signal = AbortSignal.timeout(10_000);
    const runtime = { ...life.app.operator, dns: { resolverFor: outside } };
    return (await observe(runtime, connection, signal)).observation;
  }

  async function caaFinding(id: string): Promise<{ evidence: string[]; fix: string } | undefined> {
    const path = `/v1/connections/${id}/diagnosis`;
    const { findings } = (await call(caller.base, path, { key: caller.key })).json() as {
      findings: { code: string; evidence: string[]; fix: string }[];
    };
    return findings.find(({ code }) => code === "caa_forbidden");
  }

  it("is checked for CAA while it is live, and the parameter that forbids is named", async () => {
    const zone = freshZone();
    const made = await issuing(zone);
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    assert.equal(await caaFinding(made.id), undefined);
    await allow(zone, made, "letsencrypt.org; validationmethods=dns-01");
    const found = await caaFinding(made.id);
    assert.match(found?.evidence.join() ?? "", /validationmethods=dns-01 allows none of http-01/);
    assert.match(found?.fix ?? "", /remove the parameter validationmethods=dns-01/);
    await life.checkAll();
    assert.equal(await readState(life.session, made.id), "live");
  });

  it("is judged by the account once an edge has opened one", async () => {
    const zone = freshZone();
    const made = await issuing(zone);
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    const named = `letsencrypt.org; accounturi=${account}`;
    await allow(zone, made, named);
    assert.equal((await seen(named)).caa, "allowed", "no account is known");
    const open = (url: string) =>
      life.session.query(
        `insert into acme_accounts (directory, url, sealed_key, created_at) values ($1, $2, 'x', now())
         on conflict (directory) do update set url = excluded.url`,
        [directory, url],
      );
    await open(`${account}0`);
    const forbidden = await seen(named);
    assert.equal(forbidden.caa, "forbidden");
    const certificate = { notAfter: new Date() };
    assert.equal(caaForbidsRenewal({ ...forbidden, certificate }), true);
    assert.equal(caaForbidsRenewal({ ...forbidden, certificate: null }), false);
    assert.match((await caaFinding(made.id))?.fix ?? "", /remove the parameter accounturi=/);
    await open(account);
    assert.equal((await seen(named)).caa, "allowed");
    assert.equal(await caaFinding(made.id), undefined);
  });
});
