import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createNetworkResolver } from "@mooring/dns";
import {
  type Caller,
  connect,
  issueCertificates,
  type Made,
  readState,
  verify,
} from "@mooring/testing/clients/connecting";
import { copyAsUnproven } from "@mooring/testing/control/backlog";
import { type ScriptedDns, startScriptedDns } from "@mooring/testing/dns/scripted-dns";
import { a, answerFrom, cname, ns, txt } from "@mooring/testing/dns/scripted-zone";
import { freePort } from "@mooring/testing/processes/free-port";
import { type LifecycleApp, startLifecycle } from "@mooring/testing/processes/lifecycle-app";
import { until } from "@mooring/testing/processes/until";

const flood = 3_000;
/** So many are read. */
const enough = 200;
const victims = ["one.example", "two.example", "three.example"];
const floodZones = ["crowd1.example", "crowd2.example"];
const [first, second, recursive] = ["127.41.0.1", "127.41.0.2", "127.41.0.3"] as const;
/** A busy machine takes a minute, in which they get some; all would come first in one queue. */
const mostMeanwhile = flood / 2;

/** The zones of all tenants are on the same two servers, as at any DNS provider. */
describe(`${flood} unproven names of one tenant`, () => {
  const servers: ScriptedDns[] = [];
  let life: LifecycleApp;
  let victim: Caller;
  const made = new Map<string, Made>();
  before(async () => {
    const port = await freePort();
    const hosts = [a("ns1.provider.example", first), a("ns2.provider.example", second)];
    const zones = [...victims, ...floodZones, "edge.example", "provider.example"];
    const delegations = zones.flatMap((zone) => [
      ns(zone, "ns1.provider.example"),
      ns(zone, "ns2.provider.example"),
    ]);
    const behave = (question: { readonly name: string; readonly type: string }) => {
      const proofs = [...made].flatMap(([hostname, { challenge }]) => [
        txt(`_service-challenge.${hostname}`, challenge),
        cname(hostname, "edge.example"),
      ]);
      const records = [...hosts, ...delegations, ...proofs, a("edge.example", "192.0.2.7")];
      const zone = zones.find((one) => `.${question.name}`.endsWith(`.${one}`)) ?? "example";
      return answerFrom(records, { soa: zone })(question);
    };
    for (const address of [first, second, recursive]) {
      servers.push(await startScriptedDns({ address, port, behave }));
    }
    const resolver = createNetworkResolver({
      resolvers: [`${recursive}:${port}`],
      authoritativePort: port,
    });
    const env = { EDGE_CNAME: "edge.example", EDGE_IPV4: "192.0.2.7" };
    life = await startLifecycle({ resolver, env });
    const crowd = await life.caller("Crowd", "live");
    victim = await life.caller("Victim", "live");
    const seed = await connect(crowd, `seed.${floodZones[0]}`);
    await until(async () => {
      return (await readState(life.session, seed.id)) === "pending_ownership";
    }, "its first check");
    await copyAsUnproven(life.session, seed.id, flood, floodZones);
    await life.session.query("select pg_notify('mooring_due', 'connections')");
  });
  after(async () => {
    await life.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const isOfFlood = ({ name }: { readonly name: string }) => /(^|\.)n\d+\.crowd/.test(name);
  const asked = (server = servers[0]) => server?.seen.filter(isOfFlood).length ?? 0;

  async function goLive(zone: string): Promise<void> {
    const hostname = `www.${zone}`;
    const connection = await connect(victim, hostname);
    made.set(hostname, connection);
    await verify(victim, connection.id);
    await until(async () => {
      await issueCertificates(life.session);
      await life.session.query(
        `update connection_checks k set due_at = now() from connections c
         where c.id = $1 and k.connection_id = c.id and c.state = 'issuing_cert' and k.leased_until is null`,
        [connection.id],
      );
      await life.session.query("select pg_notify('mooring_due', 'connections')");
      return (await readState(life.session, connection.id)) === "live";
    }, `${hostname} to be live`);
  }

  for (const [index, zone] of victims.entries()) {
    it(`do not delay name ${index + 1} of another tenant on the same servers`, async (t) => {
      const before = asked();
      await goLive(zone);
      const meanwhile = asked() - before;
      t.diagnostic(`${meanwhile} questions of the ${flood} names until ${zone} was live`);
      assert.ok(meanwhile <= mostMeanwhile, `${meanwhile} questions`);
    });
  }

  it("are put off, without being checked, to times that leave room at their servers", async () => {
    interface PutOff {
      readonly count: number;
      readonly most: number;
      readonly last: number;
    }
    const read = async (): Promise<PutOff | undefined> => {
      const { rows } = await life.session.query<PutOff>(
        `select count(*)::int as count, max(together)::int as most,
           extract(epoch from max(due_at) - now())::int as last
         from (select k.due_at, count(*) over (order by k.due_at
                 range between current row and interval '10 seconds' following) as together
               from connection_checks k join connections c on c.id = k.connection_id
               where c.hostname ~ '^n' and c.checks = substring(c.hostname from 2 for position('.' in c.hostname) - 2)::int % 6
                 and k.due_at > now() and k.leased_until is null) as later`,
      );
      return rows[0];
    };
    await until(async () => {
      return ((await read())?.count ?? 0) >= enough;
    }, "some hundred to be put off");
    const { count = 0, most = 0, last = 0 } = (await read()) ?? {};
    // Five eighths of 20 questions a second, four for each check; twice that, for two servers.
    assert.ok(most <= 2 * 10 * 3.125 + 4, `${most} of ${count} within ten seconds`);
    assert.ok(last >= 60, `the last of ${count} after ${last} s`);
  });

  it("say nothing about DNS when they had to wait", async () => {
    const { rows } = await life.session.query<{ failed: number; answered: number }>(
      `select count(*) filter (where error_code like 'dns_%')::int as failed,
         count(*) filter (where error_code = 'txt_not_found')::int as answered
       from connections where hostname like 'n%'`,
    );
    const { failed = 0, answered = 0 } = rows[0] ?? {};
    // A very busy machine leaves some without an answer in time.
    assert.ok(failed * 4 <= answered, `${failed} failed, ${answered} were answered`);
  });
});
