import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofOf,
  putZone,
  stateOf,
  toEdge,
  type ZoneLine,
} from "../../../../../test/support/connecting.ts";
import { type LifecycleApp, startLifecycle } from "../../../../../test/support/lifecycle-app.ts";
import { call } from "../../../test/support/http.ts";
import { selectConnection } from "../../db/queries/connections.ts";
import { caaForbidsRenewal } from "../../domain/certificate.ts";
import { observe } from "./observe.ts";

const hour = 3_600_000;
const directory = "https://ca.example/directory";
const account = "https://ca.example/acct/7";

describe("a name whose certificate authority makes it wait, or may not issue any more", () => {
  let life: LifecycleApp;
  let caller: Caller;
  before(async () => {
    life = await startLifecycle({
      env: { GIVE_UP_AFTER: "2h", ACME_DIRECTORY_URL: directory },
    });
    caller = await life.caller("Alice");
  });
  after(() => life.close());

  async function issuing(zone: string, ...more: readonly ZoneLine[]): Promise<Made> {
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofOf(made), toEdge(made), ...more]);
    await life.reach(made.id, "issuing_cert");
    return made;
  }

  const hold = (hostname: string, code: string | null, dueAt: Date) =>
    life.session.query("update certificates set error_code = $2, due_at = $3 where hostname = $1", [
      hostname,
      code,
      dueAt,
    ]);

  it("is not given up however long it waits, says when it is tried, and then goes live", async () => {
    const made = await issuing(freshZone());
    const dueAt = new Date(life.app.clock.now().getTime() + 30 * hour);
    await hold(made.hostname, "ca_rate_limited", dueAt);
    for (let hours = 0; hours < 30; hours += 1) await life.checkAll(hour);
    assert.equal(await stateOf(life.session, made.id), "issuing_cert");
    const answer = (await get(caller, made.id)).json();
    assert.equal(answer["error_code"], "ca_rate_limited");
    assert.deepEqual(answer["certificate"], {
      status: "pending",
      not_after: null,
      ca: null,
      next_attempt_at: dueAt.toISOString(),
    });
    // Held no more: what is left of its time counts from here.
    await hold(made.hostname, null, dueAt);
    await life.checkAll(hour);
    assert.equal(await stateOf(life.session, made.id), "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    assert.deepEqual(await life.broken(), []);
  });

  /** What a check of the connection sees of CAA. */
  async function seen(id: string) {
    const { operator } = life.app;
    const connection = await operator.database.system((tx) => selectConnection(tx, id));
    assert.ok(connection);
    const signal = AbortSignal.timeout(10_000);
    return (await observe(operator, connection, signal)).observation;
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
    assert.equal(caaForbidsRenewal(await seen(made.id)), false);
    const caa = (parameters: string) =>
      putZone(caller, zone, [
        proofOf(made),
        toEdge(made),
        { host: zone, type: "CAA", value: `0 issue "letsencrypt.org${parameters}"` },
      ]);
    await caa("; validationmethods=dns-01");
    assert.equal(caaForbidsRenewal(await seen(made.id)), true);
    const found = await caaFinding(made.id);
    assert.match(found?.evidence.join() ?? "", /validationmethods=dns-01 allows none of http-01/);
    assert.match(found?.fix ?? "", /remove the parameter validationmethods=dns-01/);
    await life.checkAll();
    assert.equal(await stateOf(life.session, made.id), "live");
  });

  it("is judged by the account once an edge has opened one", async () => {
    const zone = freshZone();
    const made = await issuing(zone);
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    await putZone(caller, zone, [
      proofOf(made),
      toEdge(made),
      { host: zone, type: "CAA", value: `0 issue "letsencrypt.org; accounturi=${account}"` },
    ]);
    assert.equal((await seen(made.id)).caa, "allowed", "no account is known");
    const open = (url: string) =>
      life.session.query(
        `insert into acme_accounts (directory, url, sealed_key, created_at) values ($1, $2, 'x', now())
         on conflict (directory) do update set url = excluded.url`,
        [directory, url],
      );
    await open(`${account}0`);
    assert.equal((await seen(made.id)).caa, "forbidden");
    assert.match((await caaFinding(made.id))?.fix ?? "", /remove the parameter accounturi=/);
    await open(account);
    assert.equal((await seen(made.id)).caa, "allowed");
    assert.equal(await caaFinding(made.id), undefined);
  });
});
