import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  archive,
  type Caller,
  connect,
  freshZone,
  get,
  issueCertificates,
  type Made,
  proofRecord,
  putZone,
  readState,
  toEdge,
  type ZoneLine,
} from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";
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

  it("is shown in lists with the words of the diagnosis, before anybody has asked for one", async () => {
    const caller = await life.caller("Words");
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    const readSummary = async () => {
      const path = `/v1/connections?hostname=${made.hostname}`;
      const { data } = (await call(caller.base, path, { key: caller.key })).json();
      return (data as readonly { readonly summary: Record<string, unknown> }[])[0]?.summary;
    };
    const readFirst = async () => {
      const path = `/v1/connections/${made.id}/diagnosis`;
      const { findings } = (await call(caller.base, path, { key: caller.key })).json();
      const wrong = (findings as readonly Record<string, unknown>[]).find(
        ({ severity }) => severity !== "info",
      );
      return { code: wrong?.["code"], actor: wrong?.["actor"], title: wrong?.["title"] };
    };
    await putZone(caller, zone, [{ host: zone, type: "TXT", value: "none" }]);
    await life.checkAll();
    const unproven = await readSummary();
    assert.deepEqual(unproven, await readFirst());
    const stray = { host: made.hostname, type: "A", value: "192.0.2.66" };
    await putZone(caller, zone, [proofRecord(made), stray]);
    await life.reach(made.id, "propagating");
    await life.checkAll();
    const wrong = await readSummary();
    assert.deepEqual(wrong, await readFirst());
    await putZone(caller, zone, [proofRecord(made)]);
    await life.checkAll();
    assert.deepEqual(await readSummary(), await readFirst());
    const authority = { host: zone, type: "CAA", value: '0 issue "digicert.com"' };
    await putZone(caller, zone, [proofRecord(made), toEdge(made), authority]);
    await life.reach(made.id, "issuing_cert");
    await life.checkAll();
    // A worker diagnoses these after its check is written.
    const forbidden = `CAA records forbid a certificate for ${made.hostname}`;
    const isForbidden = async () => (await readSummary())?.["title"] === forbidden;
    await until(isForbidden, "the words of the diagnosis");
    assert.equal((await readFirst()).title, forbidden);
    await life.checkAll(8 * 86_400_000);
    assert.equal(await readState(life.session, made.id), "failed");
    await until(isForbidden, "the words of the diagnosis");
    await archive(caller, made.id);
  });

  it("reports once that a name has stalled, and that it goes on", async () => {
    const caller = await life.caller("Slow");
    const zone = freshZone();
    const made = await connect(caller, `shop.${zone}`);
    await putZone(caller, zone, [proofRecord(made)]);
    await life.reach(made.id, "propagating");
    for (let checks = 0; checks < 3; checks += 1) await life.checkAll(31 * 60_000);
    assert.equal(await readState(life.session, made.id), "stalled");
    await putZone(caller, zone, [proofRecord(made), toEdge(made)]);
    await life.reach(made.id, "issuing_cert");
    const { rows } = await life.session.query<{ body: string }>(
      "select body from events where connection_id = $1 and sequence > 2 order by sequence",
      [made.id],
    );
    const events = rows.map(({ body }) => JSON.parse(body));
    assert.deepEqual(
      events.map(({ type, data }) => [type, data.connection.state, data.changed]),
      [
        ["domain.stalled", "stalled", undefined],
        ["domain.changed", "issuing_cert", ["state"]],
      ],
    );
  });
});

describe("the CNAME for validation of a live name", () => {
  let life: LifecycleApp;
  before(async () => {
    life = await startLifecycle({ env: { VALIDATION_ZONE: "validation.test" } });
  });
  after(() => life.close());

  interface LiveName {
    readonly caller: Caller;
    readonly made: Made;
    readonly zone: string;
    readonly validation: readonly ZoneLine[];
    readonly others: readonly ZoneLine[];
  }

  async function goLive(label: string, more: Readonly<Record<string, unknown>>): Promise<LiveName> {
    const caller = await life.caller("Acme");
    const zone = freshZone();
    if (more["cutover"] === true) {
      await putZone(caller, zone, [{ host: `${label}.${zone}`, type: "A", value: "192.0.2.66" }]);
    }
    const made = await connect(caller, `${label}.${zone}`, more);
    const records = (await get(caller, made.id)).json()["desired_records"] as ZoneLine[];
    const validation = records.filter(({ host }) => host.startsWith("_acme-challenge."));
    const own = proofRecord({ ...made, hostname: made.hostname.replace("*.", "") });
    const others = [own, toEdge(made)];
    await putZone(caller, zone, [...others, ...validation]);
    await life.reach(made.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(made.id, "live");
    return { caller, made, zone, validation, others };
  }

  /** State, error code and the findings that are more than good to know. */
  async function seen({ caller, made }: LiveName): Promise<readonly unknown[]> {
    const { state, error_code } = (await get(caller, made.id)).json();
    const path = `/v1/connections/${made.id}/diagnosis`;
    const { findings } = (await call(caller.base, path, { key: caller.key })).json();
    assert.ok(Array.isArray(findings));
    const news = findings.filter(
      ({ code, severity }) => severity !== "info" && code !== "origin_missing",
    );
    return [state, error_code, ...news.map(({ code, severity }) => `${code} ${severity}`)];
  }

  async function checkTwice(): Promise<void> {
    await life.checkAll(61_000);
    await life.checkAll(61_000);
  }

  it("is missed by nobody where the name was moved by a cut-over", async () => {
    const live = await goLive("shop", { cutover: true });
    assert.equal(live.validation.length, 1);
    await putZone(live.caller, live.zone, live.others);
    await checkTwice();
    assert.deepEqual(await seen(live), ["live", null]);
    // Whatever is there instead: visitors do not depend on it.
    const foreign = live.validation.map((line) => ({ ...line, value: "other.test" }));
    await putZone(live.caller, live.zone, [...live.others, ...foreign]);
    await checkTwice();
    assert.deepEqual(await seen(live), ["live", null]);
    // The records that visitors depend on still count.
    await putZone(live.caller, live.zone, live.validation);
    await checkTwice();
    assert.equal((await seen(live))[0], "drifted");
    await putZone(live.caller, live.zone, live.others);
    await checkTwice();
    assert.deepEqual(await seen(live), ["live", null]);
  });

  it("puts the certificate of a wildcard at risk, and the name stays live and claimed", async () => {
    const live = await goLive("*", {});
    await putZone(live.caller, live.zone, live.others);
    await checkTwice();
    const atRisk = ["live", "certificate_at_risk", "certificate_at_risk warning"];
    assert.deepEqual(await seen(live), atRisk);
    const path = `/v1/connections/${live.made.id}/diagnosis`;
    const diagnosis = (await call(live.caller.base, path, { key: live.caller.key })).text;
    assert.ok(diagnosis.includes(live.validation[0]?.value ?? "none"), "the record to add");
    const { base, key, applicationId } = await life.caller("Taker");
    const body = { application_id: applicationId, hostname: live.made.hostname };
    assert.equal((await call(base, "/v1/connections", { key, body })).status, 409);
    await putZone(live.caller, live.zone, [...live.others, ...live.validation]);
    await checkTwice();
    assert.deepEqual(await seen(live), ["live", null]);
    const { rows } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 and sequence > 4 order by sequence",
      [live.made.id],
    );
    const types = rows.map(({ type }) => type);
    assert.deepEqual(types, ["certificate.at_risk", "certificate.recovered"]);
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

  /** As lists show it. */
  async function readSummary(id: string): Promise<unknown> {
    const { data } = (await call(caller.base, "/v1/connections", { key: caller.key })).json();
    const rows = data as readonly { readonly id: string; readonly summary: unknown }[];
    return rows.find((row) => row.id === id)?.summary;
  }

  async function read(id: string) {
    const at = `/v1/connections/${id}`;
    const connection = (await get(caller, id)).json();
    const { last_error: lastError } = connection["certificate"] as { last_error: unknown };
    const events = await call(caller.base, `${at}/events`, { key: caller.key });
    const [newest] = events.json()["data"] as { details: object; error_code: string }[];
    const diagnosis = await call(caller.base, `${at}/diagnosis`, { key: caller.key });
    const findings = diagnosis.json()["findings"] as {
      code: string;
      actor: string;
      title: string;
      evidence: string[];
    }[];
    return { state: connection["state"], lastError, newest, findings };
  }

  it("shows the tenant the authority's own words, also when it was given up for it", async () => {
    const id = await refuse(said, "the CA refused: unauthorized");
    const summary = await readSummary(id);
    const refused = await read(id);
    assert.equal(refused.state, "issuing_cert");
    assert.deepEqual(refused.lastError, said);
    assert.equal(refused.newest?.error_code, "certificate_failed");
    assert.deepEqual(refused.newest?.details, { ca_error: said });
    const line = `The certificate authority said: ${said.detail} (${said.type})`;
    const failed = refused.findings.find(({ code }) => code === "certificate_failed");
    assert.ok(failed?.evidence.includes(line), JSON.stringify(refused.findings));
    assert.deepEqual(summary, { code: failed?.code, actor: failed?.actor, title: failed?.title });

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
