import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  proofRecord,
  putZone,
  readState,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { emptyObservation } from "../../domain/connections/observation.ts";
import { applyObservation } from "./transition.ts";

const proven = { ...emptyObservation, ownership: { outcome: "match", error: null } } as const;

describe("writing an observation", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle();
  });
  after(() => life.close());

  it("does not archive a drifted holder when the observation is stale", async () => {
    const [alice, bob] = [await life.caller("Alice"), await life.caller("Bob")];
    const zone = freshZone();
    const holder = await connect(alice, `shop.${zone}`);
    await putZone(alice, zone, [proofRecord(holder), toEdge(holder)]);
    await life.reach(holder.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.id, "live");
    await putZone(alice, zone, []);
    await life.checkAll();
    await life.checkAll(6_000);
    assert.equal(await readState(life.session, holder.id), "drifted");

    const taker = await connect(bob, `shop.${zone}`);
    const { operator } = life.app;
    const read = await operator.database.system((tx) => selectConnection(tx, taker.id));
    assert.ok(read);
    const stale = { ...read, version: read.version - 1 };
    assert.equal(await applyObservation(operator, stale, proven), null);
    assert.equal(await readState(life.session, holder.id), "drifted");
    assert.equal(await readState(life.session, taker.id), "pending_ownership");
    assert.deepEqual(await life.broken(), []);
  });
});

describe("a name that the certificate authority refuses", () => {
  let life: LifecycleApp;
  let caller: Caller;
  before(async () => {
    life = await startLifecycle({
      env: { GIVE_UP_AFTER: "2h", ACME_DIRECTORY_URL: "https://ca.example/directory" },
    });
    caller = await life.caller("Alice");
  });
  after(() => life.close());

  const said = {
    type: "urn:ietf:params:acme:error:unauthorized",
    detail: "During secondary validation: <script>404</script>",
  };

  /** As an edge reports it. */
  async function refuse(caError: object | null, message: string): Promise<string> {
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    await life.session.query(
      `update certificates set status = 'failed', error_code = 'certificate_failed', last_error = $2,
         ca_error = $3, version = version + 1 where hostname = $1`,
      [made.hostname, message, caError && JSON.stringify(caError)],
    );
    await life.checkAll(1_000);
    return made.id;
  }

  async function read(id: string) {
    const at = `/v1/connections/${id}`;
    const connection = (await get(caller, id)).json();
    const { last_error: lastError } = connection["certificate"] as { last_error: unknown };
    const events = await call(caller.base, `${at}/events`, { key: caller.key });
    const [newest] = events.json()["data"] as { details: object; error_code: string }[];
    const diagnosis = await call(caller.base, `${at}/diagnosis`, { key: caller.key });
    const findings = diagnosis.json()["findings"] as { code: string; evidence: string[] }[];
    return { state: connection["state"], lastError, newest, findings };
  }

  it("shows the tenant the authority's own words, also when it was given up for it", async () => {
    const id = await refuse(said, "the CA refused: unauthorized");
    const refused = await read(id);
    assert.equal(refused.state, "issuing_cert");
    assert.deepEqual(refused.lastError, said);
    assert.equal(refused.newest?.error_code, "certificate_failed");
    assert.deepEqual(refused.newest?.details, { ca_error: said });
    const line = `The certificate authority said: ${said.detail} (${said.type})`;
    const failed = refused.findings.find(({ code }) => code === "certificate_failed");
    assert.ok(failed?.evidence.includes(line), JSON.stringify(refused.findings));

    await life.checkAll(3 * 3_600_000);
    const given = await read(id);
    assert.equal(given.state, "failed");
    assert.deepEqual(given.lastError, said);
    assert.equal(given.newest?.error_code, "certificate_timeout");
    assert.deepEqual(given.newest?.details, { ca_error: said });
    const gaveUp = given.findings.find(({ code }) => code === "gave_up");
    assert.ok(gaveUp?.evidence.includes(line), JSON.stringify(given.findings));
  });

  it("shows what the edge found where the authority was not asked, and nothing of its troubles", async () => {
    const id = await refuse(null, "no certificate within the time limit");
    const found = { type: null, detail: "no certificate within the time limit" };
    const refused = await read(id);
    assert.deepEqual(refused.lastError, found);
    assert.deepEqual(refused.newest?.details, { cause: found.detail });
    await life.session.query(
      `update certificates set error_code = 'ca_unavailable', last_error = 'connect 10.0.0.1:443'
       where connection_id = $1`,
      [id],
    );
    assert.equal((await read(id)).lastError, null);
  });
});
