import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { runCli } from "@mooring/testing/cli/run-cli";
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
import { isGenuine, type Receiver, startReceiver } from "@mooring/testing/control/webhook-receiver";
import { brokenInvariants } from "@mooring/testing/database/connection-invariants";
import {
  type DebianPostgres,
  startDebianPostgres,
} from "@mooring/testing/database/postgres-debian";
import { type ServedProduct, serveProduct } from "@mooring/testing/processes/mooring-serve";
import { until } from "@mooring/testing/processes/until";
import { generateRootKey } from "../../../packages/control/src/index.ts";

const execute = promisify(execFile);
const bin = "/usr/lib/postgresql/15/bin";
const secretKey = generateRootKey();
/** The same on both servers: widget tokens name it as their issuer. */
const publicUrl = "http://api.mooring.example";

/** The backup and restore of the runbook: roles, one pg_dump, and SECRET_KEY. */
describe("a backup, restored on another server", () => {
  const servers: DebianPostgres[] = [];
  const products: ServedProduct[] = [];
  let receiver: Receiver;
  let caller: Caller;
  let live: Made;
  let pending: Made;
  let fingerprint = "";
  let restoredUrl = "";
  let backup = { roles: "", database: "" };
  const created = { key: "", token: "", credentialId: "", endpointId: "", endpointSecret: "" };

  before(async () => {
    receiver = await startReceiver();
    const server = await startServer();
    const url = await newDatabase(server);
    const product = await serve(url, secretKey);
    caller = await openCaller(product.base, product.keys?.test ?? "");
    await useProduct(product);
    backup = {
      roles: await execute(`${bin}/pg_dumpall`, ["--roles-only", `--dbname=${server.url}`]).then(
        ({ stdout }) => stdout,
      ),
      database: await server.pgDump(url),
    };
    await product.stop();
    products.pop();
    await servers.pop()?.stop();
  });
  after(async () => {
    for (const product of products) await product.stop();
    for (const server of servers) await server.stop();
    await receiver.close();
  });

  async function startServer(): Promise<DebianPostgres> {
    const server = await startDebianPostgres(15);
    servers.push(server);
    return server;
  }

  async function newDatabase(server: DebianPostgres): Promise<string> {
    await psql(server.url, "create database mooring;");
    const url = new URL(server.url);
    url.pathname = "/mooring";
    return url.toString();
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
    const ask = (path: string, body: unknown) => call(base, path, { key, body });
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

  it("restores the roles and then the dump without an error", async () => {
    const server = await startServer();
    // The role list also creates the superuser, which exists on every server.
    await psql(server.url, backup.roles, false);
    restoredUrl = await newDatabase(server);
    await psql(restoredUrl, backup.database);
  });

  it("is refused with another SECRET_KEY, with a message that names the missing key", async () => {
    const env = { DATABASE_URL: restoredUrl, SECRET_KEY: generateRootKey(), PORT: "0" };
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

  it("works with the same SECRET_KEY: keys, sealed values, certificates and connections", async () => {
    const product = await serve(restoredUrl, secretKey);
    assert.equal(product.keys, null, "the first tenant exists already");
    const restored: Caller = { ...caller, base: product.base };
    const ask = (path: string, options: { method?: string; key?: string } = {}) =>
      call(product.base, path, { key: created.key, ...options });

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
    const session = await openSession(restoredUrl);
    const broken = await brokenInvariants(session);
    await session.end();
    assert.deepEqual(broken, []);
  });
});

async function psql(url: string, sql: string, isStrict = true): Promise<void> {
  const args = ["--no-psqlrc", "--quiet", `--dbname=${url}`];
  const strict = isStrict ? ["--set=ON_ERROR_STOP=1"] : [];
  const child = spawn(`${bin}/psql`, [...args, ...strict], {
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    stdio: ["pipe", "ignore", "pipe"],
  });
  let output = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.end(sql);
  const [code] = await once(child, "close");
  assert.ok(code === 0 || !isStrict, output);
}
