import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Answer } from "dns-packet";
import { byVariable } from "../../../control/src/config/config.ts";
import { loadRootKeys } from "../../../control/src/config/root-keys.ts";
import { caaIssuer } from "../../../control/src/domain/certificates/certificate.ts";
import type { RunningEdge } from "../../../edge/src/process/start-edge.ts";
import { type Caller, connect, get, type Made } from "../clients/connecting.ts";
import { call, textOf } from "../control/http.ts";
import { type ScriptedDns, startScriptedDns } from "../dns/scripted-dns.ts";
import { a, answerFrom, cname, ns, txt } from "../dns/scripted-zone.ts";
import { startWholeEdge } from "../edge/whole-edge.ts";
import { freePort } from "../processes/free-port.ts";
import { type LifecycleApp, startLifecycle } from "../processes/lifecycle-app.ts";
import { until } from "../processes/until.ts";
import { createOrderTriggers, type OrderTriggers } from "./order-triggers.ts";
import { type Pebble, startPebble } from "./pebble.ts";

export interface WorldEdge extends RunningEdge {
  readonly internalPort: number;
  readonly directory: string;
}

/** API, worker, edges, Pebble and a DNS server for `acme.example`, all on loopback. */
export interface AcmeWorld extends OrderTriggers {
  readonly life: LifecycleApp;
  readonly caller: Caller;
  readonly pebble: Pebble;
  /** Pebble validates at the ports of the first edge, also the orders of the others. */
  readonly edges: readonly WorldEdge[];
  /** The ports at which Pebble validates HTTP-01 and TLS-ALPN-01. */
  readonly validated: readonly [httpPort: number, httpsPort: number];
  /** The environment of a `mooring serve edge` in this world, without its ports. */
  edgeEnv(directory: string): Readonly<Record<string, string>>;
  /** The records of acme.example; tests may change them. */
  readonly zone: Answer[];
  /** Sets the challenge that the edges use from now on. */
  prefer(challenge: "http-01" | "tls-alpn-01"): void;
  /** Creates a connection and publishes its records. */
  publish(hostname: string): Promise<Made>;
  goLive(hostname: string): Promise<Made>;
  archive(id: string): Promise<void>;
  readErrorCode(id: string): Promise<unknown>;
  /** From now on the origin delays its answers until they are released. */
  holdOrigin(): DelayedOrigin;
  /** One more edge, which the caller closes; `directory` may be that of an earlier edge. */
  another(changes?: EdgeChanges): Promise<WorldEdge>;
  close(): Promise<void>;
}

interface EdgeChanges {
  readonly directory?: string;
  /** Instead of `directory`, which the test still uses for its own files. */
  readonly dataDir?: string;
  readonly databaseUrl?: string;
  readonly ports?: readonly [number, number];
}

export interface WorldOptions {
  /** Edges in the process of the test; 0 when the test starts its own. */
  readonly edges?: 0 | 2;
  readonly certificateSeconds?: number;
  /** Servers to use instead of the scripted ones; `zone` and `publish` have no effect then. */
  readonly dns?: WorldDns;
  /** The ports of the first edge; free ones by default. */
  readonly ports?: readonly [httpPort: number, httpsPort: number];
  /** Further settings of the product. */
  readonly env?: Readonly<Record<string, string>>;
}

interface WorldDns {
  /** The operator's resolver, and the CA's, as `ip:port`. */
  readonly resolver: string;
  readonly caResolver: string;
  readonly authoritativePort: number;
}

const address = "127.0.0.1";
export const edgeName = "edge.mooring.example";
const worldZone = "acme.example";

export async function startAcmeWorld(options: WorldOptions = {}): Promise<AcmeWorld> {
  const [httpPort, tlsPort] = options.ports ?? [await freePort(), await freePort()];
  const zone: Answer[] = [ns(worldZone, `ns1.${worldZone}`), a(`ns1.${worldZone}`, address)];
  const scripted = options.dns ? null : await startDns(zone);
  const dns = options.dns ?? scriptedDns(scripted);
  const dnsServer = dns.resolver;
  const { certificateSeconds } = options;
  const pebble = await startPebble({
    httpPort,
    tlsPort,
    dnsServer: dns.caResolver,
    ...(certificateSeconds === undefined ? {} : { certificateSeconds }),
  });
  const env = {
    DNS_RESOLVERS: dnsServer,
    DNS_AUTHORITATIVE_PORT: String(dns.authoritativePort),
    EDGE_CNAME: edgeName,
    EDGE_IPV4: address,
    ACME_DIRECTORY_URL: pebble.directoryUrl,
    ORIGIN_ALLOW_PRIVATE: "true",
    ...options.env,
  };
  const life = await startLifecycle({ env });
  const orders = await createOrderTriggers(life.session);
  const origin = await startDelayableOrigin();
  const caller = await openShop(life, origin.server);
  let challenge = "http-01";
  const random = (): number => (challenge === "tls-alpn-01" ? 0 : 0.75);
  const shared = { life, pebble, dnsServer, random };
  const another = (changes: EdgeChanges = {}): Promise<WorldEdge> =>
    startOne({ ...shared, ports: [0, 0], ...changes });
  const edges =
    options.edges === 0 ? [] : [await another({ ports: [httpPort, tlsPort] }), await another()];
  const publish = async (hostname: string): Promise<Made> => {
    const made = await connect(caller, hostname);
    zone.push(txt(`_service-challenge.${hostname}`, made.challenge), cname(hostname, edgeName));
    return made;
  };
  return {
    ...orders,
    life,
    caller,
    pebble,
    edges,
    validated: [httpPort, tlsPort],
    edgeEnv: (directory) => ({ ...env, ...processEnv(life, pebble, directory) }),
    zone,
    publish,
    another,
    holdOrigin: origin.hold,
    prefer: (preferred) => {
      challenge = preferred;
    },
    async goLive(hostname) {
      const made = await publish(hostname);
      await life.reach(made.id, "live");
      return made;
    },
    async archive(id) {
      const options = { key: caller.key, method: "DELETE" };
      const answer = await call(caller.base, `/v1/connections/${id}`, options);
      assert.ok(answer.status < 300, answer.text);
    },
    readErrorCode: async (id) => (await get(caller, id)).json()["error_code"],
    async close() {
      await Promise.all(edges.map((edge) => edge.close()));
      await life.close();
      await Promise.all([pebble.stop(), scripted?.stop()]);
      origin.server.closeAllConnections();
      origin.server.close();
    },
  };
}

function scriptedDns(server: ScriptedDns | null): WorldDns {
  assert.ok(server);
  const resolver = `${address}:${server.port}`;
  return { resolver, caResolver: resolver, authoritativePort: server.port };
}

async function startDns(zone: readonly Answer[]): Promise<ScriptedDns> {
  const ours = answerFrom(zone, { soa: worldZone });
  const rest = answerFrom([a(edgeName, address)], { soa: "mooring.example" });
  const port = await freePort();
  const hasAlias = (answers: readonly Answer[] | undefined): boolean =>
    answers?.some((answer) => answer.type === "CNAME") === true;
  return startScriptedDns({
    address,
    port,
    behave: (question) => {
      if (!`.${question.name}`.endsWith(`.${worldZone}`)) return rest(question);
      const answer = ours(question);
      // Like a recursive server: the answer includes the records of the CNAME's target.
      if (!hasAlias(answer.answers) || question.type === "CNAME") return answer;
      const target = rest({ name: edgeName, type: question.type });
      return { ...target, answers: [...(answer.answers ?? []), ...(target.answers ?? [])] };
    },
  });
}

async function openShop({ app }: LifecycleApp, origin: Server): Promise<Caller> {
  const { keys } = await app.tenant("Acme");
  const { port } = origin.address() as AddressInfo;
  const body = { name: "Shop", origin_url: `http://${address}:${port}` };
  const made = await call(app.api.url, "/v1/applications", { key: keys.live, body });
  assert.equal(made.status, 201, made.text);
  return { base: app.api.url, key: keys.live, applicationId: textOf(made, "id") };
}

interface EdgeParts extends EdgeChanges {
  readonly life: LifecycleApp;
  readonly pebble: Pebble;
  readonly dnsServer: string;
  readonly random: () => number;
  readonly ports: readonly [number, number];
}

/** Settings of an edge in a separate process. */
function processEnv(
  { app }: LifecycleApp,
  pebble: Pebble,
  directory: string,
): Readonly<Record<string, string>> {
  return {
    DATABASE_URL: app.databaseUrl,
    DATA_DIR: directory,
    SECRET_KEY: readFileSync(path.join(app.config.dataDir, "secret-key"), "utf8").trim(),
    ASK_URL: `${app.api.url}/internal/ask`,
    ACME_CA_FILE: writeTrust(directory, pebble),
  };
}

function writeTrust(directory: string, pebble: Pebble): string {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, "acme-ca.pem");
  writeFileSync(file, pebble.caPem);
  return file;
}

async function startOne(parts: EdgeParts): Promise<WorldEdge> {
  const { app } = parts.life;
  const internalPort = await freePort();
  const directory = parts.directory ?? path.join(app.config.dataDir, `edge-${internalPort}`);
  const caFile = writeTrust(directory, parts.pebble);
  const edge = await startWholeEdge({
    settings: {
      ...byVariable(app.config),
      DATA_DIR: parts.dataDir ?? directory,
      ASK_URL: `${app.api.url}/internal/ask`,
      EDGE_HTTP_PORT: parts.ports[0],
      EDGE_HTTPS_PORT: parts.ports[1],
      EDGE_INTERNAL_PORT: internalPort,
      ACME_CA_FILE: caFile,
    },
    databaseUrl: parts.databaseUrl ?? app.databaseUrl,
    rootKeys: loadRootKeys(app.config),
    resolvers: [parts.dnsServer],
    caaNames: (directoryUrl) => caaIssuer([directoryUrl]).issuers,
    log: app.operator.log,
    clock: app.clock,
    random: parts.random,
    // All servers of the test share one event loop; its delays do not come from the edge. All
    // visitors have one address.
    limits: {
      shedDelayMs: Number.POSITIVE_INFINITY,
      refuseDelayMs: Number.POSITIVE_INFINITY,
      handshakesPerAddressPerSecond: 1_000,
      // An order takes long on a busy machine.
      parkedMs: 60_000,
    },
  });
  return { ...edge, internalPort, directory };
}

/** An origin that answers with the requested host, and can delay its answers. */
interface DelayableOrigin {
  readonly server: Server;
  hold(): DelayedOrigin;
}

export interface DelayedOrigin {
  waiting(): number;
  /** Answers `count` of the waiting requests; without a count all of them and every later one. */
  release(count?: number): void;
}

async function startDelayableOrigin(): Promise<DelayableOrigin> {
  let delayed: (() => void)[] | null = null;
  const server = createServer((incoming, response) => {
    const answer = (): void => void response.end(`hello ${incoming.headers.host}`);
    if (delayed === null) answer();
    else delayed.push(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const hold = (): DelayedOrigin => {
    const mine: (() => void)[] = [];
    delayed = mine;
    return {
      waiting: () => mine.length,
      release(count) {
        if (count === undefined) delayed = null;
        for (const answer of mine.splice(0, count ?? mine.length)) answer();
      },
    };
  };
  return { server, hold };
}

/**
 * Moves the clock to the next attempt, and only while none is under way, until the condition holds.
 */
export async function untilTried(
  world: Pick<AcmeWorld, "life">,
  hostname: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  const { session, app } = world.life;
  await until(async () => {
    if (await condition()) return true;
    const { rows } = await session.query<{ due_at: Date }>(
      "select due_at from certificates where hostname = $1 and leased_until is null",
      [hostname],
    );
    const waitMs = (rows[0]?.due_at.getTime() ?? 0) - app.clock.now().getTime();
    // What is due much later is a renewal that is done.
    if (waitMs > 0 && waitMs < 900_000) app.clock.advance(waitMs + 1_000);
    return false;
  }, "the next attempt");
}
