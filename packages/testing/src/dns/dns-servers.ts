import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createNetworkResolver } from "../../../dns/src/resolve/network-resolver.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";

const run = promisify(execFile);

export interface ServerOptions {
  /** One of 127.0.0.0/8. */
  readonly address: string;
  readonly port: number;
  /** Zone name to its records as zone-file lines; `$ORIGIN`, `$TTL 60` and the SOA are added. */
  readonly zones: Readonly<Record<string, string>>;
  /** How long caches may remember that a name does not exist; 30 s by default. */
  readonly negativeTtlSeconds?: number;
  /** Accepts RFC 2136 updates signed with `tsig`; `setZone` cannot rewrite such a zone. */
  readonly dynamic?: boolean;
}

export interface TsigKey {
  readonly name: string;
  readonly algorithm: "hmac-sha256";
  /** Base64. */
  readonly secret: string;
}

export interface DnsServer {
  readonly address: string;
  readonly port: number;
  readonly tsig: TsigKey;
  /** Replaces a zone's records; resolves when the server answers with them. */
  setZone(zone: string, records: string): Promise<void>;
  /**
   * Sends nsupdate commands (`update add …`, `update delete …`), signed; resolves when they are
   * accepted.
   */
  update(zone: string, commands: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** A server program: its configuration, its command, and how it reloads a zone file. */
interface Program {
  readonly name: string;
  configure(folder: string, options: ServerOptions, tsig: TsigKey): Promise<void>;
  readonly command: (folder: string) => readonly [string, ...string[]];
  reload(folder: string, child: ChildProcess, zone: string): Promise<void>;
}

/** Starts knotd from the Debian package `knot`. */
export function startKnot(options: ServerOptions): Promise<DnsServer> {
  return startServer(knotProgram, options);
}

/** Starts an authoritative named from the Debian package `bind9`. */
export async function startBind(options: ServerOptions): Promise<DnsServer> {
  const inner = { address: "127.0.0.1", port: await freePort() };
  const relay = await startDnsRelay(options, inner);
  try {
    const server = await startServer(bindProgram, { ...options, ...inner });
    const stop = async () => {
      await Promise.all([server.stop(), relay.stop()]);
    };
    return { ...server, address: options.address, port: options.port, stop };
  } catch (error) {
    await relay.stop();
    throw error;
  }
}

const knotProgram: Program = {
  name: "knot",
  configure: async (folder, options, tsig) => {
    await writeFile(join(folder, "knot.conf"), knotConfig(folder, options, tsig));
  },
  command: (folder) => ["knotd", "-c", join(folder, "knot.conf")],
  reload: async (folder, _child, zone) => {
    await run("knotc", ["-b", "-c", join(folder, "knot.conf"), "zone-reload", zone]);
  },
};

const bindProgram: Program = {
  name: "bind",
  configure: async (folder, options, tsig) => {
    await writeFile(join(folder, "named.conf"), bindConfig(folder, options, tsig));
  },
  command: (folder) => ["named", "-g", "-c", join(folder, "named.conf")],
  reload: async (_folder, child) => {
    child.kill("SIGHUP");
  },
};

async function startServer(program: Program, options: ServerOptions): Promise<DnsServer> {
  const folder = await mkdtemp(join(tmpdir(), `dns-${program.name}-`));
  const tsig = { name: "test-key", algorithm: "hmac-sha256", secret: secret() } as const;
  await Promise.all(["zones", "run", "db"].map((name) => mkdir(join(folder, name))));
  const serials = new Map<string, number>();
  const head = zoneHead(options);
  const write = (zone: string, records: string) =>
    writeZone(folder, serials, { zone, head, records });
  for (const [zone, records] of Object.entries(options.zones)) await write(zone, records);
  await program.configure(folder, options, tsig);
  const server = launch(program.command(folder), program.name, folder);
  const ready = async (zone: string) => {
    await server.during(waitForSerial(options, zone, serials.get(zone) ?? 0));
  };
  try {
    for (const zone of Object.keys(options.zones)) await ready(zone);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    address: options.address,
    port: options.port,
    tsig,
    setZone: async (zone, records) => {
      await write(zone, records);
      await program.reload(folder, server.child, zone);
      await ready(zone);
    },
    update: (zone, commands) => sendUpdate(options, tsig, zone, commands),
    stop: server.stop,
  };
}

function secret(): string {
  return randomBytes(32).toString("base64");
}

type ZoneHead = (zone: string, serial: number) => string;

/** RFC 2308 §5: the negative TTL is the lesser of the SOA's own TTL and its last field. */
function zoneHead({ negativeTtlSeconds: negative = 30 }: ServerOptions): ZoneHead {
  const soaTtl = Math.max(60, negative);
  return (zone, serial) =>
    `$ORIGIN ${zone}.\n$TTL 60\n@ ${soaTtl} SOA ns1 hostmaster ${serial} 3600 600 604800 ${negative}\n`;
}

async function writeZone(
  folder: string,
  serials: Map<string, number>,
  {
    zone,
    head,
    records,
  }: { readonly zone: string; readonly head: ZoneHead; readonly records: string },
): Promise<void> {
  const serial = (serials.get(zone) ?? 0) + 1;
  serials.set(zone, serial);
  const path = join(folder, "zones", `${zone}.zone`);
  await writeFile(path, `${head(zone, serial)}${records}\n`);
  // named reloads only a file with a newer modification time, in whole seconds.
  const time = Date.now() / 1_000 + serial * 2;
  await utimes(path, time, time);
}

async function waitForSerial(options: ServerOptions, zone: string, serial: number): Promise<void> {
  const { address, port } = options;
  const resolver = createNetworkResolver({
    resolvers: [],
    authoritativePort: port,
    limits: {
      attemptTimeoutMs: 200,
      udpAttempts: 1,
      authoritative: { ratePerSecond: 1_000, burst: 1_000, maxInFlight: 10 },
    },
  });
  const server = { host: address, addresses: [address] };
  const { signal } = new AbortController();
  const isServed = async (): Promise<boolean> => {
    const reply = await resolver.askServer(server, zone, "SOA", { signal, transport: "udp" });
    const [soa] = reply.outcome === "records" ? reply.records : [];
    return Number(soa?.value.split(" ")[2]) >= serial;
  };
  await until(isServed, `${zone} on ${address}:${port}`);
}

/**
 * Runs the program until `stop`; `during` fails at once, with its log, when the program exits
 * early.
 */
export function launch(
  [file, ...args]: readonly [string, ...string[]],
  name: string,
  folder: string,
): {
  readonly child: ChildProcess;
  during<T>(work: Promise<T>): Promise<T>;
  readonly stop: () => Promise<void>;
} {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-8_192);
    });
  }
  const exited = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      log += error.message;
      resolve();
    });
    child.once("exit", () => resolve());
  });
  return {
    child,
    during: (work) =>
      Promise.race([
        work,
        exited.then(() => {
          throw new Error(`${name} exited:\n${log}`);
        }),
      ]),
    stop: async () => {
      child.kill("SIGTERM");
      const killer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await exited;
      clearTimeout(killer);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function sendUpdate(
  { address, port }: ServerOptions,
  tsig: TsigKey,
  zone: string,
  commands: readonly string[],
): Promise<void> {
  const lines = [`server ${address} ${port}`, `zone ${zone}.`, ...commands, "send", "answer"];
  const pending = run("nsupdate", ["-y", `${tsig.algorithm}:${tsig.name}:${tsig.secret}`]);
  pending.child.stdin?.end(`${lines.join("\n")}\n`);
  await pending;
}

function knotConfig(folder: string, options: ServerOptions, tsig: TsigKey): string {
  const zones = Object.keys(options.zones);
  return [
    "server:",
    `    rundir: "${folder}/run"`,
    `    listen: ${options.address}@${options.port}`,
    "log:",
    "  - target: stderr",
    "    any: info",
    "database:",
    `    storage: "${folder}/db"`,
    "key:",
    `  - id: ${tsig.name}`,
    `    algorithm: ${tsig.algorithm}`,
    `    secret: ${tsig.secret}`,
    "acl:",
    "  - id: update",
    `    key: ${tsig.name}`,
    "    action: [update, transfer]",
    "template:",
    "  - id: default",
    `    storage: "${folder}/zones"`,
    '    file: "%s.zone"',
    ...(options.dynamic === true
      ? [
          "    acl: update",
          "    zonefile-sync: -1",
          "    zonefile-load: difference-no-serial",
          "    journal-content: all",
        ]
      : ["    zonefile-load: whole"]),
    "zone:",
    ...zones.map((zone) => `  - domain: ${zone}`),
    "",
  ].join("\n");
}

function bindConfig(folder: string, options: ServerOptions, tsig: TsigKey): string {
  const policy =
    options.dynamic === true ? `update-policy { grant ${tsig.name} zonesub ANY; };` : "";
  const zones = Object.keys(options.zones).map(
    (zone) => `zone "${zone}" { type primary; file "${folder}/zones/${zone}.zone"; ${policy} };`,
  );
  return [
    `key "${tsig.name}" { algorithm ${tsig.algorithm}; secret "${tsig.secret}"; };`,
    "options {",
    ...bindBasics(folder, options),
    "  recursion no;",
    "  dnssec-validation no;",
    "  notify no;",
    // Like other servers: any name may have an address record.
    "  check-names primary ignore;",
    `  allow-transfer { key ${tsig.name}; };`,
    "};",
    "controls { };",
    ...zones,
    "",
  ].join("\n");
}

/** Options of every named in the tests: its folder and its address. */
export function bindBasics(
  folder: string,
  { address, port }: { readonly address: string; readonly port: number },
): readonly string[] {
  return [
    `  directory "${folder}";`,
    `  pid-file "${folder}/named.pid";`,
    `  session-keyfile "${folder}/session.key";`,
    `  managed-keys-directory "${folder}";`,
    `  listen-on port ${port} { ${address}; };`,
    "  listen-on-v6 { none; };",
  ];
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/**
 * Forwards UDP and TCP from one loopback address and port to another. named listens only on
 * addresses of an interface, and of 127.0.0.0/8 only 127.0.0.1 is one; behind the relay it serves
 * on any.
 */
export async function startDnsRelay(
  from: Endpoint,
  to: Endpoint,
): Promise<{ stop(): Promise<void> }> {
  const onward = new Set<UdpSocket>();
  const udp = createSocket("udp4");
  udp.on("message", (packet, asker) => {
    const socket = createSocket("udp4");
    onward.add(socket);
    const end = () => {
      if (onward.delete(socket)) socket.close();
    };
    socket.on("error", end);
    socket.on("message", (answer) => {
      udp.send(answer, asker.port, asker.address, () => undefined);
      end();
    });
    socket.send(packet, to.port, to.address);
  });
  const connections = new Set<Socket>();
  const tcp = createServer((near) => {
    const far = connect({ host: to.address, port: to.port });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      connections.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        connections.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  udp.bind(from.port, from.address);
  tcp.listen(from.port, from.address);
  await Promise.all([once(udp, "listening"), once(tcp, "listening")]);
  return {
    stop: async () => {
      for (const socket of connections) socket.destroy();
      for (const socket of onward) socket.close();
      onward.clear();
      udp.close();
      tcp.close();
      await Promise.all([once(udp, "close"), once(tcp, "close")]);
    },
  };
}
