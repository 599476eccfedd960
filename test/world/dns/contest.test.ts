import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import {
  archive,
  type Caller,
  connect,
  errorDetails,
  get,
  issueCertificates,
  type Made,
  readMade,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { call, codeOf } from "@mooring/testing/control/http";
import { startBindRecursive } from "@mooring/testing/dns/bind-recursive";
import { type DnsServer, startKnot } from "@mooring/testing/dns/dns-servers";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const run = promisify(execFile);
const zone = "sold.example";
const edge = "edge.mooring.example";
const [ns1, ns2, resolver] = ["127.0.17.1", "127.0.17.2", "127.0.17.3"];
const delegation = ["@ NS ns1", "@ NS ns2", `ns1 A ${ns1}`, `ns2 A ${ns2}`].join("\n");
const minute = 60_000;
const hour = 60 * minute;

describe("a contest over a sold domain, with two Knot servers", () => {
  let life: LifecycleApp;
  let seller: Caller;
  let buyer: Caller;
  let port: number;
  let servers: DnsServer[];
  const started: { stop(): Promise<void> }[] = [];
  before(async () => {
    port = await freePort();
    const zones = { [zone]: delegation };
    servers = [
      await startKnot({ address: ns1, port, zones }),
      await startKnot({ address: ns2, port, zones }),
    ];
    started.push(...servers);
    const forwards = { [zone]: [ns1, ns2] };
    const options = { address: resolver, port, authoritativePort: port, zones: forwards };
    started.push(await startBindRecursive(options));
    life = await startLifecycle({
      env: {
        DNS_RESOLVERS: `${resolver}:${port}`,
        DNS_AUTHORITATIVE_PORT: String(port),
        EDGE_CNAME: edge,
        CONTEST_AFTER: "2h",
      },
    });
    [seller, buyer] = [await life.caller("Seller", "live"), await life.caller("Buyer", "live")];
  });
  after(async () => {
    await life.close();
    await Promise.all(started.map((server) => server.stop()));
  });

  const label = ({ hostname }: Made): string => hostname.slice(0, -zone.length - 1);
  const proof = (made: Made): string => `_service-challenge.${label(made)} TXT "${made.challenge}"`;
  const toEdge = (made: Made): string => `${label(made)} CNAME ${edge}.`;
  const publish = (...records: readonly string[]): Promise<unknown> =>
    Promise.all(servers.map((one) => one.setZone(zone, [delegation, ...records].join("\n"))));

  async function prepare(hostname: string): Promise<{ holder: Made; prover: Made }> {
    const holder = await connect(seller, hostname);
    await publish(proof(holder), toEdge(holder));
    await life.reach(holder.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.id, "live");
    const body = { application_id: buyer.applicationId, hostname, contest: true };
    const made = await call(buyer.base, "/v1/connections", { key: buyer.key, body });
    assert.equal(made.status, 201, made.text);
    return { holder, prover: readMade(made) };
  }

  const readContest = async (caller: Caller, made: Made) =>
    (await get(caller, made.id)).json()["contest"] as { readonly deadline: string } | null;

  it("gives the name to its new owner, whose record alone dig sees", async () => {
    const { holder, prover } = await prepare(`shop.${zone}`);
    await publish(proof(prover), toEdge(holder));
    const { stdout } = await run("dig", [
      `@${ns1}`,
      "-p",
      String(port),
      "+tcp",
      "+short",
      "TXT",
      `_service-challenge.${holder.hostname}`,
    ]);
    assert.equal(stdout.trim(), `"${prover.challenge}"`);
    const refused = await verify(buyer, prover.id);
    assert.deepEqual([refused.status, codeOf(refused)], [409, "HostnameConflict"]);
    assert.equal(typeof errorDetails(refused)?.["contest_deadline"], "string");
    await life.checkAll(2 * hour - minute);
    assert.equal(await readState(life.session, holder.id), "live");
    await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, holder.id), "archived");
    const { rows } = await life.session.query(
      "select k.id from claims c join connections k on k.id = c.connection_id where c.hostname = $1",
      [holder.hostname],
    );
    assert.deepEqual(rows, [{ id: prover.id }]);
  });

  it("stays with a holder whose record is on both servers, and waits while it is on one", async () => {
    const { holder, prover } = await prepare(`stays.${zone}`);
    await publish(proof(prover), toEdge(holder));
    await verify(buyer, prover.id);
    const before = await readContest(buyer, prover);
    const [first] = servers;
    await first?.setZone(
      zone,
      [delegation, proof(prover), proof(holder), toEdge(holder)].join("\n"),
    );
    await life.checkAll(10 * minute);
    const moved = await readContest(buyer, prover);
    assert.ok(Date.parse(moved?.deadline ?? "") > Date.parse(before?.deadline ?? ""), "it moves");
    await publish(proof(prover), proof(holder), toEdge(holder));
    await life.checkAll();
    assert.deepEqual(
      [await readContest(seller, holder), await readContest(buyer, prover)],
      [null, null],
    );
    assert.equal(await readState(life.session, holder.id), "live");
  });

  /** The seller's name has drifted and the buyer has a connection; neither is checked by itself. */
  async function drifted(hostname: string): Promise<{ holder: Made; prover: Made }> {
    const holder = await connect(seller, hostname);
    await publish(proof(holder), toEdge(holder));
    await life.reach(holder.id, "issuing_cert");
    await issueCertificates(life.session);
    await life.reach(holder.id, "live");
    await publish(`${label(holder)} CNAME elsewhere.example.`);
    await life.checkAll(minute);
    await life.checkAll(2 * minute);
    assert.equal(await readState(life.session, holder.id), "drifted");
    const prover = await connect(buyer, hostname);
    await unschedule(holder, prover);
    return { holder, prover };
  }

  const unschedule = (...made: readonly Made[]): Promise<unknown> =>
    until(async () => {
      const ids = made.map(({ id }) => id);
      await life.session.query(
        "update connections set due_at = null where id = any ($1) and leased_until is null",
        [ids],
      );
      const { rowCount } = await life.session.query(
        "select from connections where id = any ($1) and (due_at is not null or leased_until is not null)",
        [ids],
      );
      return rowCount === 0;
    }, "no check under way");

  const checkHolder = ({ id }: Made) =>
    call(seller.base, `/v1/connections/${id}/records:check`, { key: seller.key, method: "POST" });
  const orders = ["holder", "prover"] as const;

  for (const first of orders) {
    it(`passes from a drifted holder at once, with the ${first} checked first`, async () => {
      const { holder, prover } = await drifted(`${first}-first.${zone}`);
      await publish(proof(prover), toEdge(prover));
      if (first === "holder") {
        const checked = await checkHolder(holder);
        assert.equal(checked.status, 200, checked.text);
        assert.equal(await readState(life.session, holder.id), "live");
      }
      const verified = await verify(buyer, prover.id);
      assert.equal(verified.status, 200, verified.text);
      assert.equal(await readState(life.session, holder.id), "archived");
      const { rows } = await life.session.query(
        "select body::jsonb->'data'->>'reason' as reason from events where connection_id = $1 and type = 'domain.archived'",
        [holder.id],
      );
      assert.deepEqual(rows, [{ reason: "taken_over" }]);
    });

    it(`stays with a holder whose records are all back, with the ${first} checked first`, async () => {
      const { holder, prover } = await drifted(`${first}-back.${zone}`);
      await publish(proof(prover), proof(holder), toEdge(holder));
      if (first === "holder") await checkHolder(holder);
      const refused = await verify(buyer, prover.id);
      assert.deepEqual([refused.status, codeOf(refused)], [409, "HostnameConflict"]);
      await checkHolder(holder);
      assert.equal(await readState(life.session, holder.id), "live");
      await archive(seller, holder.id);
      await archive(buyer, prover.id);
    });
  }

  it("is not decided while the servers are silent", async () => {
    const { holder, prover } = await prepare(`away.${zone}`);
    await publish(proof(prover), toEdge(holder));
    await verify(buyer, prover.id);
    await Promise.all(servers.map((one) => one.stop()));
    await life.checkAll(3 * hour);
    assert.equal(await readState(life.session, holder.id), "live");
    const contest = await readContest(buyer, prover);
    assert.ok(Date.parse(contest?.deadline ?? "") > life.app.clock.now().getTime(), "it moved");
    assert.deepEqual(await life.broken(), []);
  });
});
