import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { finish, runCli, spawnCli } from "@mooring/testing/cli/run-cli";
import {
  type Caller,
  connect,
  freshZone,
  get,
  type Made,
  openCaller,
  openSession,
  proofRecord,
  putZone,
  toEdge,
} from "@mooring/testing/clients/connecting";
import { call, textOf } from "@mooring/testing/control/http";
import {
  isGenuine,
  type Receiver,
  startReceiver,
} from "@mooring/testing/control/webhooks/webhook-receiver";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import {
  type DebianPostgres,
  startDebianPostgres,
} from "@mooring/testing/database/postgres-debian";
import { readDocBlocks } from "@mooring/testing/processes/doc-blocks";
import { type ServedProduct, serveProduct } from "@mooring/testing/processes/mooring-serve";
import { runShell, type ShellResult } from "@mooring/testing/processes/run-shell";
import { until } from "@mooring/testing/processes/until";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const bin = "/usr/lib/postgresql/15/bin";
const main = path.resolve(import.meta.dirname, "../../../packages/cli/src/main.ts");
const secretKey = generateRootKey();
/** The same on all servers: widget tokens name it as their issuer. */
const publicUrl = "http://api.mooring.example";

/**
 * The lines of the runbook, as they stand there: `mooring backup` and `pg_dump`, each restored on
 * another server. The owner of the database may create roles, and is no superuser.
 */
describe("a backup by the lines of the runbook, restored on another server", () => {
  const servers: DebianPostgres[] = [];
  const products: ServedProduct[] = [];
  let folder = "";
  let receiver: Receiver;
  let caller: Caller;
  let live: Made;
  let pending: Made;
  let fingerprint = "";
  const created = { key: "", token: "", credentialId: "", endpointId: "", endpointSecret: "" };
  const docs = {
    backup: "",
    dumpRole: "",
    dump: "",
    create: "",
    restore: "",
    load: "",
    rehearse: "",
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "mooring-backup-"));
    await writeFile(
      path.join(folder, "mooring"),
      `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`,
    );
    await chmod(path.join(folder, "mooring"), 0o755);
    [docs.backup = ""] = await readDocBlocks("operations.md", "## Backup", "sh");
    [docs.dumpRole = "", docs.dump = ""] = await readDocBlocks(
      "operations.md",
      "### With pg_dump",
      "sh",
    );
    [docs.create = "", docs.restore = "", docs.load = ""] = await readDocBlocks(
      "operations.md",
      "## Restore",
      "sh",
    );
    [docs.rehearse = ""] = await readDocBlocks("operations.md", "### Rehearse it", "sh");
    receiver = await startReceiver();
    const server = await startServer();
    await paste(server, docs.create);
    const product = await serve(ownerUrl(server), secretKey);
    caller = await openCaller(product.base, product.keys?.test ?? "");
    await useProduct(product);
    // While the service runs.
    await paste(server, docs.backup);
    await paste(server, docs.dumpRole);
    await paste(server, docs.dump);
    await product.stop();
    products.pop();
    await servers.pop()?.stop();
  });
  after(async () => {
    for (const product of products) await product.stop();
    for (const server of servers) await server.stop();
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function startServer(): Promise<DebianPostgres> {
    const server = await startDebianPostgres(15);
    servers.push(server);
    return server;
  }

  function urlOn(server: DebianPostgres, user: string, database: string): string {
    const url = new URL(server.url);
    Object.assign(url, { username: user, pathname: `/${database}` });
    return url.toString();
  }
  const ownerUrl = (server: DebianPostgres): string => urlOn(server, "mooring", "mooring");

  /** Runs lines of the runbook; each must succeed. */
  async function paste(server: DebianPostgres, lines: string): Promise<ShellResult> {
    assert.notEqual(lines, "");
    const result = await runShell(`set -e\n${lines}`, {
      cwd: folder,
      env: {
        PATH: `${folder}:${bin}:${process.env["PATH"]}`,
        LC_ALL: "C",
        ADMIN_URL: server.url,
        DATABASE_URL: ownerUrl(server),
        DUMP_URL: urlOn(server, "mooring_dump", "mooring"),
        REHEARSAL_URL: urlOn(server, "mooring", "rehearsal"),
        SECRET_KEY: secretKey,
        DATA_DIR: folder,
      },
    });
    assert.equal(result.code, 0, `${lines}\n${result.stdout}${result.stderr}`);
    return result;
  }

  async function serve(url: string, key: string): Promise<ServedProduct> {
    const product = await serveProduct({
      DATABASE_URL: url,
      SECRET_KEY: key,
      BASE_URL: publicUrl,
    });
    products.push(product);
    return product;
  }

  /** Creates one of each sealed value, a live domain and a pending one. */
  async function useProduct(product: ServedProduct): Promise<void> {
    const { base, key, applicationId } = caller;
    created.key = key;
    const ask = (route: string, body: unknown) => call(base, route, { key, body });
    const credential = { provider: "sandbox", name: "mine", fields: { token: "sandbox" } };
    const credentials = `/v1/applications/${applicationId}/credentials`;
    created.credentialId = textOf(await ask(credentials, credential), "id");
    const endpoint = await ask("/v1/webhook-endpoints", {
      application_id: applicationId,
      url: receiver.url,
    });
    created.endpointId = textOf(endpoint, "id");
    created.endpointSecret = textOf(endpoint, "signing_secret");
    const token = await ask("/v1/tokens", {
      application_id: applicationId,
      customer_ref: "customer",
    });
    created.token = textOf(token, "auth_token");
    live = await connect(caller, `www.${freshZone()}`, { customer_ref: "customer" });
    await publish(caller, live);
    await untilLive(caller, live);
    fingerprint = await readCertificate(product, live.hostname);
    // Another application, without a credential: its records are not written.
    const waiting = await openCaller(base, key, "Waiting");
    pending = await connect(waiting, `www.${freshZone()}`);
  }

  async function publish(who: Caller, made: Made): Promise<void> {
    const zone = made.hostname.split(".").slice(1).join(".");
    await putZone(who, zone, [proofRecord(made), toEdge(made)]);
  }

  async function untilLive(who: Caller, made: Made): Promise<void> {
    await until(async () => {
      return (await get(who, made.id)).json()["state"] === "live";
    }, `${made.hostname} live`);
  }

  /** Waits, since an edge learns of new certificates with a short delay. */
  async function readCertificate(product: ServedProduct, hostname: string): Promise<string> {
    const ca = (await call(product.base, "/sandbox/ca.pem")).text;
    let found: string | null = null;
    await until(async () => {
      found = await shake(product.httpsPort, hostname, ca).catch(() => null);
      return found !== null;
    }, "a handshake");
    return String(found);
  }

  async function shake(port: number, hostname: string, ca: string): Promise<string> {
    const socket = connectTls({ host: "127.0.0.1", port, servername: hostname, ca });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  }

  /** Keys, sealed values, certificates and connections continue; then the service ends. */
  async function continues(server: DebianPostgres): Promise<void> {
    const product = await serve(ownerUrl(server), secretKey);
    assert.equal(product.keys, null, "the first tenant exists already");
    const restored: Caller = { ...caller, base: product.base };
    const ask = (route: string, options: { method?: string; key?: string } = {}) =>
      call(product.base, route, { key: created.key, ...options });

    assert.equal((await ask("/v1/applications")).status, 200);
    const widget = await ask(`/v1/connections/${live.id}`, { key: created.token });
    assert.equal(widget.status, 200, widget.text);
    const trial = await ask(
      `/v1/applications/${caller.applicationId}/credentials/${created.credentialId}/test`,
      { method: "POST" },
    );
    assert.equal(trial.json()["ok"], true, trial.text);

    const had = receiver.received.length;
    await ask(`/v1/webhook-endpoints/${created.endpointId}/test`, { method: "POST" });
    await until(() => receiver.received.length > had, "a delivery");
    const delivery = receiver.received.at(-1);
    assert.ok(delivery && isGenuine(delivery, created.endpointSecret, Date.now()));

    assert.equal(await readCertificate(product, live.hostname), fingerprint);
    await publish(restored, pending);
    await untilLive(restored, pending);
    const session = await openSession(urlOn(server, "postgres", "mooring"));
    const broken = await brokenInvariants(session);
    await session.end();
    assert.deepEqual(broken, []);
    await product.stop();
    products.splice(products.indexOf(product), 1);
  }

  it("is rehearsed and restored by mooring restore, by the owner alone, and continues", async () => {
    const server = await startServer();
    await paste(server, docs.create);
    const { stdout } = await paste(server, docs.rehearse);
    assert.match(stdout, /mooring\.backup is whole[\s\S]*live +\| +1/);
    await paste(server, docs.restore);
    const session = await openSession(ownerUrl(server));
    const { rows } = await session.query(
      "select rolsuper, rolbypassrls from pg_roles where rolname = current_user",
    );
    await session.end();
    assert.deepEqual(rows, [{ rolsuper: false, rolbypassrls: false }]);
    await continues(server);
  });

  it("is restored from what pg_dump has written, and continues", async () => {
    const server = await startServer();
    await paste(server, docs.load);
    await continues(server);
  });

  it("is refused with another SECRET_KEY, with a message that names the missing key", async () => {
    const server = servers.at(-1);
    assert.ok(server);
    const env = { DATABASE_URL: ownerUrl(server), SECRET_KEY: generateRootKey(), PORT: "0" };
    const { code, stderr } = await runCli(["serve", "api"], env);
    assert.equal(code, 78, stderr);
    const [id] = secretKey.split(":");
    assert.match(
      stderr,
      new RegExp(`SECRET_KEY: this database holds values sealed under the root key ${id}`),
    );
    const doctor = await runCli(["doctor", "--json"], { ...env, DNS_RESOLVERS: "127.0.0.1:9" });
    assert.match(doctor.stdout, /restore SECRET_KEY/);
  });

  it("leaves nothing half-written on Ctrl-C, in no file and no database", async () => {
    const server = servers.at(-1);
    assert.ok(server);
    const admin = await openSession(server.url);
    await admin.query("create database interrupted owner mooring");
    const interrupt = async (args: readonly string[], database: string) => {
      const env = { DATABASE_URL: urlOn(server, "mooring", database), SECRET_KEY: secretKey };
      const child = spawnCli(args, env);
      const ended = finish(child);
      await until(async () => {
        const { rowCount } = await admin.query(
          `select from pg_stat_activity where application_name = 'mooring_backup'
           and datname = $1 and wait_event_type = 'Lock'`,
          [database],
        );
        return rowCount === 1;
      }, `${args[0]} to wait`);
      child.kill("SIGINT");
      const { code, stderr } = await ended;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /interrupted: nothing was written/);
    };
    const before = await readdir(folder);

    const writer = await openSession(urlOn(server, "postgres", "mooring"));
    await writer.query("begin; lock table webhook_endpoints in access exclusive mode");
    await interrupt(["backup", path.join(folder, "new.backup")], "mooring");
    await writer.end();
    assert.deepEqual(await readdir(folder), before);

    // An uncommitted table of the same name makes the creation wait for its transaction.
    const target = await openSession(urlOn(server, "postgres", "interrupted"));
    await target.query("begin; create table targets (id int)");
    await interrupt(["restore", path.join(folder, "mooring.backup")], "interrupted");
    await target.query("rollback");
    const { rows } = await target.query("select to_regclass('tenants') as tenants");
    assert.deepEqual(rows, [{ tenants: null }]);
    await target.end();
    await admin.end();
  });
});
