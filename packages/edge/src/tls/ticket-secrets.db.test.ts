import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { connect, TLSSocket } from "node:tls";
import {
  createMovableClock,
  type EdgeDatabase,
  openEdgeDatabase,
  silent,
} from "@mooring/testing/edge/edge-database";
import { createTestVault } from "@mooring/testing/edge/issuing";
import { openPool } from "../db/pool.ts";
import { createPostgresKeys } from "../feed/postgres/keys.ts";
import { createAuthority, issueLeaf } from "../x509/authority.ts";
import { generateKey, keyToPem } from "../x509/keys.ts";
import { createServerContext } from "./secure-context.ts";
import type { TicketBinding } from "./session-tickets.ts";
import { startTicketSecrets, type TicketSecrets } from "./ticket-secrets.ts";

const hour = 3_600_000;
const name = "a.example";

describe("the secrets of session tickets", () => {
  const vault = createTestVault();
  const running: TicketSecrets[] = [];
  const servers: Server[] = [];
  let database: EdgeDatabase;
  let clock = createMovableClock();
  let pair = { cert: "", key: "" };
  let own: TicketBinding;

  before(async () => {
    database = await openEdgeDatabase();
    const now = Date.now();
    const validity = { notBefore: new Date(now - hour), notAfter: new Date(now + hour) };
    const authority = await createAuthority({ commonName: "Test authority", ...validity });
    const key = await generateKey();
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    const cert = await issueLeaf(authority, { hostnames: [name], publicKey, ...validity });
    pair = { cert, key: keyToPem(key) };
    own = { tenantId: "tenant", hostname: name, epoch: 1, chain: cert };
  });
  beforeEach(async () => {
    clock = createMovableClock();
    await database.admin.query("delete from ticket_keys");
  });
  afterEach(() => {
    for (const one of running.splice(0)) one.stop();
    for (const one of servers.splice(0)) one.close();
  });
  after(() => database.close());

  async function start(pool = database.pool): Promise<TicketSecrets> {
    const started = await startTicketSecrets({
      keys: createPostgresKeys({ pool, vault, clock }),
      vault,
      clock,
      log: silent,
    });
    running.push(started);
    return started;
  }

  /** The port of an edge that serves one host, with tickets from these secrets. */
  async function serve(secrets: TicketSecrets, binding: TicketBinding = own): Promise<number> {
    const secureContext = createServerContext(pair, { secrets: secrets.current, binding });
    const server = createServer((socket) => {
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on("error", () => socket.destroy());
      secure.on("secure", () => secure.end("served"));
    }).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    return address.port;
  }

  async function visit(
    port: number,
    version: "TLSv1.2" | "TLSv1.3",
    session?: Buffer,
  ): Promise<{ readonly isResumed: boolean; readonly session: Buffer }> {
    const socket = connect({
      host: "127.0.0.1",
      port,
      servername: name,
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ...(session ? { session } : {}),
    });
    let newest: Buffer | undefined;
    socket.on("session", (given: Buffer) => {
      newest = given;
    });
    await once(socket, "secureConnect");
    const isResumed = socket.isSessionReused();
    newest ??= socket.getSession();
    await once(socket.resume(), "close");
    assert.ok(newest);
    return { isResumed, session: newest };
  }

  const rows = async (): Promise<{ readonly id: string; readonly sealed: string }[]> =>
    (await database.admin.query("select id, sealed from ticket_keys order by starts_at")).rows;

  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    it(`let every edge resume what another began, on ${version}`, async () => {
      const [here, there] = [await start(), await start()];
      const ports = [await serve(here), await serve(there)] as const;
      const first = await visit(ports[0], version);
      assert.equal(first.isResumed, false);
      const second = await visit(ports[1], version, first.session);
      assert.equal(second.isResumed, true);
      assert.equal((await visit(ports[0], version, second.session)).isResumed, true);
      assert.equal((await rows()).length, 1);
    });

    it(`resume nothing of another claim, tenant or certificate, on ${version}`, async () => {
      const secrets = await start();
      const { session } = await visit(await serve(secrets), version);
      assert.equal((await visit(await serve(secrets), version, session)).isResumed, true);
      const others: Partial<TicketBinding>[] = [
        { epoch: 2 },
        { tenantId: "another tenant" },
        { hostname: "b.example" },
        { chain: `${pair.cert}\n` },
      ];
      for (const change of others) {
        const port = await serve(secrets, { ...own, ...change });
        const again = await visit(port, version, session);
        assert.equal(again.isResumed, false, JSON.stringify(Object.keys(change)));
      }
    });

    it(`open tickets for 12 hours after they seal no more, on ${version}`, async () => {
      const secrets = await start();
      const port = await serve(secrets);
      const { session } = await visit(port, version);
      clock.advance(13 * hour);
      await secrets.refresh();
      assert.equal((await visit(port, version, session)).isResumed, true);
      const renewed = await visit(port, version, session);
      clock.advance(12 * hour);
      await secrets.refresh();
      assert.equal((await visit(port, version, session)).isResumed, false);
      assert.equal((await visit(port, version, renewed.session)).isResumed, true);
    });
  }

  it("are published before they seal, changed every 12 hours, and deleted after 24", async () => {
    const [here, there] = [await start(), await start()];
    const [first] = await rows();
    clock.advance(11.9 * hour);
    // Both find the next one due; one makes it.
    await Promise.all([here.refresh(), there.refresh()]);
    const both = await rows();
    assert.deepEqual([both.length, both[0]?.id], [2, first?.id]);
    await Promise.all([here.refresh(), there.refresh()]);
    assert.equal(here.current()[0]?.id, first?.id);
    assert.equal(there.current()[1]?.id, both[1]?.id);
    clock.advance(0.2 * hour);
    await here.refresh();
    assert.equal(here.current()[0]?.id, both[1]?.id);
    clock.advance(12 * hour);
    await here.refresh();
    const later = await rows();
    assert.deepEqual([later.length, later[0]?.id], [2, both[1]?.id]);
    assert.ok(!here.current().some(({ id }) => id === first?.id));
  });

  it("are sealed in the database", async () => {
    const secrets = await start();
    const [row] = await rows();
    const secret = secrets.current()[0]?.secret;
    assert.ok(row && secret);
    for (const text of [secret.toString("hex"), secret.toString("base64")]) {
      assert.ok(!JSON.stringify(row).includes(text));
    }
    assert.match(row.sealed, /^v1\./);
  });

  it("of one process alone are used while the database is away", async () => {
    const away = openPool("postgres://user@127.0.0.1:1/none", () => undefined);
    const alone = await start(away);
    const port = await serve(alone);
    const { session } = await visit(port, "TLSv1.3");
    assert.equal((await visit(port, "TLSv1.3", session)).isResumed, true);
    const other = await serve(await start());
    assert.equal((await visit(other, "TLSv1.3", session)).isResumed, false);
    clock.advance(25 * hour);
    await alone.refresh();
    assert.equal((await visit(port, "TLSv1.3", session)).isResumed, false);
    await away.end();
  });
});
