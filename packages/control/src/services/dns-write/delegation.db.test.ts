import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Resolver } from "@mooring/dns";
import { type Caller, connect, type Made, openCaller } from "@mooring/testing/clients/connecting";
import { startTestApp, type TestApp } from "@mooring/testing/control/app";
import { call, codeOf } from "@mooring/testing/control/http";
import {
  delegatedTo,
  type PowerdnsFront,
  startPowerdnsFront,
} from "@mooring/testing/control/powerdns-front";
import { planIn, recordRoutes } from "@mooring/testing/control/record-plan";
import { record } from "@mooring/testing/control/sandbox";
import { withoutLimits } from "@mooring/testing/control/world";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { type OpenedRuntime, openRuntime } from "../../process/open-runtime.ts";
import { canWrite, writeRecords } from "./writer.ts";

const ours = "ns1.front.example";
const others = "ns1.elsewhere.example";

describe("a zone that the hostname is not delegated to", () => {
  let app: TestApp;
  let worker: OpenedRuntime;
  let caller: Caller;
  let front: PowerdnsFront;
  let zone: string;
  let made: Made;
  let live: Resolver = delegatedTo(others);
  const { signal } = new AbortController();
  const resolver: Resolver = {
    findZone: (...asked) => live.findZone(...asked),
    askServer: (...asked) => live.askServer(...asked),
    resolve: (...asked) => live.resolve(...asked),
  };

  before(async () => {
    app = await startTestApp({ ...withoutLimits, EGRESS_ALLOW: "127.0.0.0/8" }, { resolver });
    const { config, databaseUrl: url, clock } = app;
    const role = { role: "mooring_worker", name: "worker" } as const;
    worker = await openRuntime(config, { url, ...role, clock, log: app.operator.log, resolver });
    caller = await openCaller(app.api.url, (await app.tenant("Acme")).keys.live);
    front = await startPowerdnsFront();
  });
  after(async () => {
    await front.close();
    await worker.close();
    await app.close();
  });
  beforeEach(async () => {
    live = delegatedTo(others);
    zone = `${randomBytes(5).toString("hex")}.example`;
    await front.seed(zone, [record(`${zone} NS ${ours}`)]);
    caller = await openCaller(app.api.url, caller.key, "Shop");
    made = await connect(caller, `shop.${zone}`);
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const body = { provider: "powerdns", name: "Front", fields: front.fields };
    assert.equal((await call(app.api.url, path, { key: caller.key, body })).status, 201);
  });

  const routes = () => recordRoutes(app.api.url, caller.key);
  const credentials = () => ({ provider: "powerdns", fields: front.fields });
  async function connection() {
    const found = await worker.runtime.system((tx) => selectConnection(tx, made.id));
    assert.ok(found);
    return found;
  }

  it("is not written by the service itself, which says why", async () => {
    const writes = front.writeCount();
    assert.equal(await canWrite(worker.runtime, await connection(), signal), "elsewhere");
    const result = await writeRecords(worker.runtime, await connection(), "records", signal);
    assert.deepEqual(result, { outcome: "refused", error: "provider_not_delegated" });
    assert.equal(front.writeCount(), writes);
  });

  it("is not written by a caller either; a dry run shows the reason", async () => {
    const writes = front.writeCount();
    const shown = planIn(await routes().apply(made.id, { ...credentials(), dry_run: true }));
    assert.match(shown.notes.join(" "), /delegated to other name servers/);
    const answer = await routes().apply(made.id, credentials());
    assert.deepEqual([answer.status, codeOf(answer)], [502, "provider_error"], answer.text);
    assert.match(answer.text, /Nothing is written there/);
    assert.equal(front.writeCount(), writes);
  });

  it("is not written while the delegation cannot be read", async () => {
    const writes = front.writeCount();
    live = { ...live, findZone: async () => ({ outcome: "failed", reason: "timeout" }) };
    const result = await writeRecords(worker.runtime, await connection(), "records", signal);
    assert.ok(result.outcome === "later" && result.error === "provider_unavailable");
    assert.equal((await routes().apply(made.id, credentials())).status, 502);
    assert.equal(front.writeCount(), writes);
  });

  it("does not hide the delegated zone above it", async () => {
    live = delegatedTo(ours);
    await front.seed(`shop.${zone}`, [record(`shop.${zone} NS ${ours}`)]);
    const plan = planIn(await routes().apply(made.id, credentials()));
    assert.deepEqual([plan.applied, plan.zone], [true, zone]);
    assert.ok((await front.records(zone)).some(({ name }) => name === `shop.${zone}`));
  });

  async function readLastError(): Promise<string> {
    const path = `/v1/applications/${caller.applicationId}/credentials`;
    const { data } = (await call(app.api.url, path, { key: caller.key })).json();
    return String((data as readonly { last_error: string | null }[])[0]?.last_error);
  }

  for (const [what, treatment] of [
    ["is refused", { kind: "instead", status: 403 }],
    ["is hidden", { kind: "instead", status: 404 }],
    ["is shown without its NS records", { kind: "through" }],
  ] as const) {
    it(`is a refusal that names the permission when the credential sees it, but it ${what}`, async () => {
      live = delegatedTo(ours);
      if (treatment.kind === "through") await front.seed(zone, [record(`${zone} A 192.0.2.9`)]);
      front.treat(({ path }) =>
        path.includes(`/zones/${zone}`) ? treatment : { kind: "through" },
      );
      try {
        assert.equal(await canWrite(worker.runtime, await connection(), signal), "refused");
        const result = await writeRecords(worker.runtime, await connection(), "records", signal);
        assert.deepEqual(result, { outcome: "refused", error: "provider_auth" });
        const named = new RegExp(`sees the zone ${zone} at PowerDNS.*needs GET on /zones/`);
        assert.match(await readLastError(), named);
        const answer = await routes().apply(made.id, credentials());
        assert.deepEqual([answer.status, codeOf(answer)], [502, "provider_error"], answer.text);
        assert.match(answer.text, /"kind":"auth"/);
        assert.match(answer.text, named);
      } finally {
        front.treat(() => ({ kind: "through" }));
      }
    });
  }
});
