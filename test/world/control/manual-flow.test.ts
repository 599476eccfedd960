import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  type Caller,
  connect,
  errorDetails,
  get,
  type Made,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { codeOf } from "@mooring/testing/control/http";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startBind, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";

const zone = "acme.example";
const [first, second, resolver] = ["127.0.2.1", "127.0.2.2", "127.0.2.3"];
const delegation = ["@ NS ns1", "@ NS ns2", `ns1 A ${first}`, `ns2 A ${second}`].join("\n");

describe("manual set-up, with Knot and BIND as the zone's servers", () => {
  let life: LifecycleApp;
  let caller: Caller;
  let knot: DnsServer;
  let bind: DnsServer;
  const started: { stop(): Promise<void> }[] = [];
  before(async () => {
    const port = await freePort();
    const zones = { [zone]: delegation };
    knot = await startKnot({ address: first, port, zones });
    started.push(knot);
    bind = await startBind({ address: second, port, zones });
    started.push(bind);
    const forwards = { [zone]: [first, second] };
    const options = { address: resolver, port, authoritativePort: port, zones: forwards };
    started.push(await startBindRecursive(options));
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: `${resolver}:${port}`,
        DNS_AUTHORITATIVE_PORT: String(port),
        EDGE_CNAME: "edge.mooring.example",
      },
    });
    caller = await life.caller("Acme", "live");
  });
  after(async () => {
    await life.close();
    await Promise.all(started.map((server) => server.stop()));
  });

  const setBoth = (...records: readonly string[]): Promise<unknown> =>
    Promise.all([knot, bind].map((server) => setOne(server, ...records)));
  const setOne = (server: DnsServer, ...records: readonly string[]): Promise<void> =>
    server.setZone(zone, [delegation, ...records].join("\n"));
  const label = ({ hostname }: Made): string => hostname.slice(0, -zone.length - 1);
  const proof = (made: Made): string => `_service-challenge.${label(made)} TXT "${made.challenge}"`;

  it("goes from created to issuing_cert", async () => {
    await setBoth();
    const made = await connect(caller, `www.${zone}`);
    assert.equal((await get(caller, made.id)).json()["state"], "pending_ownership");
    await life.checkAll();
    assert.equal((await get(caller, made.id)).json()["error_code"], "txt_not_found");
    await setBoth(proof(made));
    await life.reach(made.id, "propagating");
    await life.checkAll();
    assert.equal((await get(caller, made.id)).json()["error_code"], "record_missing");
    await setBoth(proof(made), "www CNAME edge.mooring.example.");
    await life.reach(made.id, "issuing_cert");
    const { rows } = await life.session.query(
      `select c.connection_id, c.status, c.due_at is not null as due, c.epoch = k.epoch as claimed
       from certificates c join claims k using (hostname) where hostname = $1`,
      [made.hostname],
    );
    assert.deepEqual(rows, [
      { connection_id: made.id, status: "pending", due: true, claimed: true },
    ]);
    const shown = (await get(caller, made.id)).json();
    assert.deepEqual([shown["state"], shown["error_code"]], ["issuing_cert", null]);
    const { rows: events } = await life.session.query<{ type: string }>(
      "select type from events where connection_id = $1 order by sequence",
      [made.id],
    );
    assert.deepEqual(
      events.map(({ type }) => type),
      ["domain.added", "domain.verified"],
    );
  });

  /** A zone that does not prove ownership, and the answer of verify. */
  const refusals: readonly {
    readonly title: string;
    readonly records: (made: Made) => readonly string[];
    readonly code: string;
    readonly servers: string;
    readonly reason?: string;
  }[] = [
    {
      title: "a TXT record at the bare hostname",
      records: (made) => [`${label(made)} TXT "${made.challenge}"`],
      code: "txt_not_found",
      servers: "absent",
    },
    {
      title: "another value",
      records: (made) => [proof(made).replace(/.{5}"$/, 'wrong"')],
      code: "txt_mismatch",
      servers: "mismatch",
    },
    {
      title: "the value in another letter case",
      records: (made) => [
        `_service-challenge.${label(made)} TXT "${made.challenge.toUpperCase()}"`,
      ],
      code: "txt_mismatch",
      servers: "mismatch",
    },
    {
      title: "a wildcard TXT record",
      records: (made) => [`*.${label(made)} TXT "${made.challenge}"`],
      code: "txt_mismatch",
      servers: "mismatch",
      reason: "wildcard",
    },
    {
      title: "a TXT record behind a CNAME",
      records: (made) => [
        `_service-challenge.${label(made)} CNAME elsewhere`,
        `elsewhere TXT "${made.challenge}"`,
      ],
      code: "txt_mismatch",
      servers: "mismatch",
      reason: "cname",
    },
  ];
  for (const [index, { title, records, code, servers, reason }] of refusals.entries()) {
    it(`is not proven by ${title}, and reports the reason`, async () => {
      const made = await connect(caller, `r${index}.${zone}`);
      await setBoth(...records(made));
      const refused = await verify(caller, made.id);
      assert.deepEqual([refused.status, codeOf(refused)], [409, "ownership_not_found"]);
      const details = errorDetails(refused) ?? {};
      assert.deepEqual(details["servers"], [
        { server: `ns1.${zone}`, outcome: servers },
        { server: `ns2.${zone}`, outcome: servers },
      ]);
      assert.equal(details["name"], `_service-challenge.${made.hostname}`);
      assert.equal(details["expected"], made.challenge);
      assert.equal(details["reason"] ?? undefined, reason);
      const shown = (await get(caller, made.id)).json();
      assert.deepEqual([shown["state"], shown["error_code"]], ["pending_ownership", code]);
    });
  }

  it("is not proven by one of two servers, and names the other one", async () => {
    const made = await connect(caller, `half.${zone}`);
    await setBoth();
    await setOne(knot, proof(made));
    const refused = await verify(caller, made.id);
    assert.equal(codeOf(refused), "ownership_not_found");
    assert.deepEqual(errorDetails(refused)?.["servers"], [
      { server: `ns1.${zone}`, outcome: "match" },
      { server: `ns2.${zone}`, outcome: "absent" },
    ]);
    assert.equal(await readState(life.session, made.id), "verifying");
    await setOne(bind, proof(made));
    assert.equal((await verify(caller, made.id)).status, 200);
  });

  it("stays unknown while only one of two servers answers, also with the correct record", async () => {
    const made = await connect(caller, `alone.${zone}`);
    // Before the record is there: the worker must not see it at both.
    started.splice(started.indexOf(bind), 1);
    await bind.stop();
    await setOne(knot, proof(made));
    const refused = await verify(caller, made.id);
    assert.equal(codeOf(refused), "ownership_not_found");
    assert.deepEqual(errorDetails(refused)?.["servers"], [
      { server: `ns1.${zone}`, outcome: "match" },
      { server: `ns2.${zone}`, outcome: "unknown" },
    ]);
    const shown = (await get(caller, made.id)).json();
    assert.deepEqual([shown["state"], shown["error_code"]], ["pending_ownership", "dns_timeout"]);
    assert.deepEqual(await life.broken(), []);
  });
});
