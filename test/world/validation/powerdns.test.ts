import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { verify } from "@mooring/testing/clients/connecting";
import {
  type PowerdnsValidation,
  startPowerdnsValidation,
} from "@mooring/testing/dns/powerdns-validation";
import {
  customerZone,
  startValidationWorld,
  toTheEdge,
  type ValidationWorld,
  validationZone,
} from "@mooring/testing/dns/validation-world";
import { until } from "@mooring/testing/processes/until";
import pg from "pg";

const run = promisify(execFile);
const network = "127.0.26";

/** One of the zone's servers is ours, the other one is PowerDNS as `deploy/powerdns` sets it up. */
describe("PowerDNS as a name server of the validation zone", () => {
  let world: ValidationWorld;
  let powerdns: PowerdnsValidation;
  before(async () => {
    world = await startValidationWorld(network);
    await world.stopNameServer(1);
    powerdns = await startPowerdnsValidation({
      databaseUrl: world.life.app.databaseUrl,
      session: world.life.session,
      zone: validationZone,
      nameServers: ["ns-v1.mooring.example", "ns-v2.mooring.example"],
      address: `${network}.4`,
      port: world.authoritativePort,
    });
  });
  after(async () => {
    await powerdns?.stop();
    await world.close();
  });

  /** Status, flags, and the records of answer and authority, without the serial. */
  async function dig(server: 3 | 4, ...question: readonly string[]): Promise<readonly string[]> {
    const at = [`@${network}.${server}`, "-p", String(world.authoritativePort)];
    const { stdout } = await run("dig", [...at, "+norecurse", "+nocookie", ...question]);
    const status = /status: (\w+)/.exec(stdout)?.[1] ?? "none";
    const flags = /flags: ([^;]*);/.exec(stdout)?.[1] ?? "none";
    const records = stdout.split("\n").filter((line) => /^[^;\s]/.test(line));
    const shown = records.map((line) =>
      line.replace(/\s+/g, " ").replace(/(SOA \S+ \S+) \d+/, "$1 serial"),
    );
    return [status, flags, ...shown.toSorted()];
  }

  it("answers as our own server does", async () => {
    const proven = await world.prove(`*.same.${customerZone}`);
    const { target } = (await world.detail(proven.id))["validation"] as { target: string };
    const same = async (...question: readonly string[]): Promise<readonly string[]> => {
      const [ours, theirs] = await Promise.all([dig(3, ...question), dig(4, ...question)]);
      assert.deepEqual(theirs, ours, question.join(" "));
      return ours;
    };
    await same(validationZone, "SOA");
    await same(validationZone, "NS", "+tcp");
    await same(validationZone, "TXT");
    assert.equal((await same(target, "TXT"))[0], "NOERROR", "a name without a value");
    assert.equal((await same(target, "A"))[0], "NOERROR");
    assert.equal((await same(`nobody.${validationZone}`, "TXT"))[0], "NXDOMAIN");
    assert.equal((await same(`a.${target}`, "TXT"))[0], "NXDOMAIN");
    assert.equal((await dig(4, "example.com", "A"))[0], "REFUSED");
    assert.notEqual((await dig(4, validationZone, "AXFR", "+tcp"))[0], "NOERROR");
    const publish = (value: string) =>
      world.life.session.query(
        "select publish_validation($1, (select epoch from claims where hostname = $1), $2, now() + interval '1 hour')",
        [proven.hostname, value],
      );
    await publish("one");
    await publish('two "quoted" \\ words');
    await until(async () => (await dig(3, target, "TXT")).length === 4, "both values on ours");
    assert.equal((await same(target, "TXT")).length, 4);
    await same(target.toUpperCase(), "TXT", "+tcp");
    await world.archive(proven.id);
    await until(async () => (await dig(3, target, "TXT"))[0] === "NXDOMAIN", "nothing on ours");
    await same(target, "TXT");
  });

  it("serves an order for a wildcard", async () => {
    const { id } = await world.prove(`*.shop.${customerZone}`);
    await world.add(await world.delegate(id), toTheEdge("*.shop"));
    assert.equal((await verify(world.caller, id)).status, 200);
    await world.reach(id, "live");
  });

  it("reads the views of the zone and nothing else", async () => {
    const client = new pg.Client({ connectionString: powerdns.loginUrl });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = 'public' and c.relkind in ('r', 'v', 'm', 'p', 'S')
           and has_table_privilege(c.oid, 'select, insert, update, delete') order by 1`,
      );
      const names = rows.map(({ name }) => name).filter((name) => !name.startsWith("test_"));
      assert.deepEqual(names, [
        "pdns_domainmetadata",
        "pdns_domains",
        "pdns_records",
        "pdns_tsigkeys",
      ]);
      // Without its zone as a setting it sees no names either.
      assert.equal((await client.query("select from pdns_records")).rowCount, 0);
      await assert.rejects(client.query("select from connections"), /permission denied/);
      await assert.rejects(
        client.query("delete from pdns_records"),
        /permission denied|cannot delete/,
      );
    } finally {
      await client.end();
    }
  });
});
