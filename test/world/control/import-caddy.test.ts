import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { type Pebble, startPebble } from "@mooring/testing/acme/pebble";
import {
  type AcmeWorld,
  edgeName,
  startAcmeWorld,
  type WorldEdge,
} from "@mooring/testing/acme/world";
import { runCli } from "@mooring/testing/cli/run-cli";
import { get } from "@mooring/testing/clients/connecting";
import { visit } from "@mooring/testing/clients/visit";
import { startOldCaddy } from "@mooring/testing/deploy/caddy";
import { a, cname, txt } from "@mooring/testing/dns/scripted-zone";
import { proofSize } from "@mooring/testing/processes/proof-size";
import { until } from "@mooring/testing/processes/until";

const day = 86_400_000;
const lifeDays = 90;
/**
 * The CA's clock stands still: with the same lifetime every renewed certificate would be due again
 * at once.
 */
const renewedLifeDays = 400;
const size = proofSize(3, 500);

const toSeconds = (days: number) => (days * day) / 1_000;

interface Row {
  readonly hostname: string;
  readonly action: string;
  readonly next: string | null;
  readonly connection_id: string;
  readonly ownership_challenge: { readonly name: string; readonly value: string } | null;
}

/**
 * Caddy and a Pebble make the certificates; then Caddy stops, and our edge, with another CA, serves
 * at its ports.
 */
describe(`${size} names with keys from the storage of Caddy`, () => {
  const names = Array.from({ length: size }, (_, index) => `n${index}.acme.example`);
  const away = "away.acme.example";
  const old = new Map<string, string>();
  let world: AcmeWorld;
  let oldCa: Pebble;
  let edge: WorldEdge | null = null;
  let ask: Server;
  let directory = "";
  let roots = "";
  let rows: readonly Row[] = [];

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), "mooring-import-"));
    // They share a registrable domain, as customers' names do not.
    const limits = { certificates_per_domain_per_week: 2 * size };
    world = await startAcmeWorld({
      edges: 0,
      certificateSeconds: toSeconds(renewedLifeDays),
      env: { ISSUANCE_LIMITS: JSON.stringify({ "*": limits }) },
    });
    const [httpPort, tlsPort] = world.validated;
    const dnsServer = String(world.edgeEnv(directory)["DNS_RESOLVERS"]);
    const certificateSeconds = toSeconds(lifeDays);
    oldCa = await startPebble({ httpPort, tlsPort, dnsServer, certificateSeconds });
    roots = (await oldCa.root()) + (await world.pebble.root());
    await writeFile(path.join(directory, "root.pem"), await oldCa.root());
    world.zone.push(...[...names, away].map((name) => cname(name, edgeName)));
    ask = createServer((_request, response) => response.end());
    await new Promise<void>((resolve) => ask.listen(0, "127.0.0.1", resolve));
    await fillStorage().finally(() => oldCa.stop());
    // One of them is served by somebody else now.
    world.zone.splice(
      world.zone.findIndex(({ name }) => name === away),
      1,
      a(away, "192.0.2.7"),
    );
    edge = await world.another({ ports: world.validated });
  });
  after(async () => {
    await edge?.close();
    await world.close();
    ask.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** One after the other: parallel orders are too much for Pebble. */
  async function fillStorage(): Promise<void> {
    const [httpPort, httpsPort] = world.validated;
    const { directoryUrl, caPem } = oldCa;
    const askUrl = `http://127.0.0.1:${(ask.address() as AddressInfo).port}/`;
    const storage = path.join(directory, "storage");
    const caddy = await startOldCaddy({
      httpPort,
      httpsPort,
      directoryUrl,
      caPem,
      askUrl,
      storage,
    });
    try {
      for (const name of [...names, away]) {
        const { body, fingerprint } = await fetchPage(httpsPort, name);
        assert.equal(body, "the old page");
        old.set(name, fingerprint);
      }
    } finally {
      await caddy.stop();
    }
  }

  /** Waits for the page; a server that is busy may end a handshake. */
  async function fetchPage(port: number, hostname: string) {
    let found = { body: "", fingerprint: "" };
    await until(async () => {
      const page = await visit(port, hostname, roots).catch(() => null);
      if (page?.status !== 200) return false;
      const fingerprint = await fingerprintAt(port, hostname).catch(() => "");
      found = { body: page.body, fingerprint };
      return fingerprint !== "";
    }, `${hostname} at port ${port}`);
    return found;
  }

  function fingerprintAt(port: number, hostname: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connectTls(
        { host: "127.0.0.1", port, servername: hostname, ca: roots },
        () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.end();
        },
      );
      socket.on("error", reject);
    });
  }

  const mooring = (...args: readonly string[]) =>
    runCli(
      [
        "import",
        "caddy",
        path.join(directory, "storage"),
        "--trust-dns",
        "--json",
        "--application",
        world.caller.applicationId,
        ...args,
      ],
      {
        ...world.edgeEnv(path.join(directory, "data")),
        ACME_CA_FILE: path.join(directory, "root.pem"),
      },
    );

  /** Waits for the edge to serve the name, with the page of its own origin. */
  async function served(hostname: string): Promise<string> {
    const { body, fingerprint } = await fetchPage(world.validated[1], hostname);
    assert.equal(body, `hello ${hostname}`);
    return fingerprint;
  }

  async function states(): Promise<ReadonlyMap<string, string>> {
    const { rows: found } = await world.life.session.query<{ hostname: string; state: string }>(
      "select hostname, state from connections",
    );
    return new Map(found.map(({ hostname, state }) => [hostname, state]));
  }

  async function untilAll(hostnames: readonly string[], state: string): Promise<void> {
    await until(async () => {
      const all = await states();
      if (hostnames.every((name) => all.get(name) === state)) return true;
      await world.life.checkAll();
      return false;
    }, `${state} of all`);
  }

  it("are served with their old certificates from the import on, without an order", async (t) => {
    const result = await mooring("--apply");
    assert.equal(result.code, 0, result.stdout + result.stderr);
    assert.ok(!`${result.stdout}${result.stderr}`.includes("PRIVATE"));
    rows = result.json()["rows"] as readonly Row[];
    assert.deepEqual(
      rows.map(({ hostname, action, next }) => [hostname, action, next]).sort(),
      [
        ...names.map((name) => [name, "create", "live"]),
        [away, "create", "proof_then_switch"],
      ].sort(),
    );
    for (const name of names) assert.equal(await served(name), old.get(name), name);
    await untilAll(names, "live");
    t.diagnostic(`${size} first pages with the old certificate, ${world.pebble.orders()} orders`);
    assert.equal(world.pebble.orders(), 0);
    const { rows: audited } = await world.life.session.query<{ count: string }>(
      `select count(*) from audit_log where action = 'connection.transition' and actor = 'operator'
         and details->>'ownership' = 'trusted_dns'`,
    );
    assert.equal(Number(audited[0]?.count), size);
    const again = await mooring("--apply");
    assert.equal(again.code, 0, again.stderr);
    assert.deepEqual(again.json()["counts"], {
      create: 0,
      add_certificate: 0,
      replace_certificate: 0,
      trust: 0,
      keep: size + 1,
      differs: 0,
      refuse: 0,
    });
  });

  it("wait as a prepared cut-over where DNS leads elsewhere, with the certificate in hand", async () => {
    const row = rows.find(({ hostname }) => hostname === away);
    assert.ok(row?.ownership_challenge);
    const { name, value } = row.ownership_challenge;
    await assert.rejects(visit(world.validated[1], away, roots), "not before the proof");
    world.zone.push(txt(name, value));
    await untilAll([away], "propagating");
    assert.equal(await served(away), old.get(away));
    const checks = async (): Promise<readonly { code: string; ok: boolean }[]> => {
      const { cutover } = (await get(world.caller, row.connection_id)).json();
      return (cutover as { checks: readonly { code: string; ok: boolean }[] }).checks;
    };
    await until(async () => {
      await world.life.checkAll();
      const found = new Map((await checks()).map(({ code, ok }) => [code, ok]));
      return found.get("certificate") === true && found.get("validation") === true;
    }, "a check that finds the certificate");
    world.zone.splice(
      world.zone.findIndex((record) => record.name === away),
      1,
      cname(away, edgeName),
    );
    await untilAll([away], "live");
    assert.equal(world.pebble.orders(), 0, "the switch needs no order");
  });

  it("are all renewed in time", async (t) => {
    const { clock } = world.life.app;
    const { session } = world.life;
    const all = [...names, away];
    const began = clock.now().getTime();
    clock.advance(50 * day);
    let leastLeftDays = lifeDays;
    await until(async () => {
      const { rows: open } = await session.query<{
        hostname: string;
        due_at: Date;
        not_after: Date;
        is_leased: boolean;
      }>(
        `select hostname, due_at, not_after, coalesce(leased_until > $1, false) as is_leased
           from certificates where issuer = 'imported' order by due_at`,
        [clock.now()],
      );
      for (const { hostname, not_after: end } of open) {
        const leftDays = (end.getTime() - clock.now().getTime()) / day;
        assert.ok(leftDays > 0, `${hostname} has expired`);
        leastLeftDays = Math.min(leastLeftDays, leftDays);
      }
      const [next] = open;
      if (next === undefined) return true;
      // Only while no order is under way: a jump would end its lease.
      const untilMs = next.due_at.getTime() - clock.now().getTime();
      if (!open.some((row) => row.is_leased) && untilMs > 0) clock.advance(untilMs + 1_000);
      await session.query("select pg_notify('mooring_due', 'certificates')");
      return false;
    }, "every renewal");
    const ranDays = ((clock.now().getTime() - began) / day).toFixed(1);
    t.diagnostic(
      `${all.length} renewed within ${ranDays} days, with at least ${leastLeftDays.toFixed(1)} days left`,
    );
    assert.ok(leastLeftDays > lifeDays / 4, `${leastLeftDays} days were left`);
    for (const name of all) {
      assert.equal(await world.countOrders(name), 1, name);
      assert.notEqual(await served(name), old.get(name), name);
    }
  });
});
