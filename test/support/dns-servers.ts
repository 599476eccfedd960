import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { createNetworkResolver } from "../../packages/dns/src/network-resolver.ts";
import { freePort } from "./free-port.ts";

const run = promisify(execFile);

export interface ServerOptions {
  /** One of 127.0.0.0/8. */
  readonly address: string;
  readonly port: number;
  /** Zone name to its records as zone-file lines; `$ORIGIN`, `$TTL 60` and the SOA are put before. */
  readonly zones: Readonly<Record<string, string>>;
  /** Takes RFC 2136 updates signed with `tsig`; such a zone cannot be rewritten by `setZone`. */
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
  /** Replaces a zone's records; done when the server answers with them. */
  setZone(zone: string, records: string): Promise<void>;
  /** Sends nsupdate commands (`update add …`, `update delete …`), signed; done when accepted. */
  update(zone: string, commands: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** Which program, how it is configured, and how it learns of a rewritten zone file. */
interface Program {
  readonly name: string;
  configure(folder: string, options: ServerOptions, tsig: TsigKey): Promise<void>;
  readonly command: (folder: string) => readonly [string, ...string[]];
  reload(folder: string, child: ChildProcess, zone: string): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;
const POLL_MS = 20;

/** Starts knotd from the Debian package `knot`. */
export function startKnot(options: ServerOptions): Promise<DnsServer> {
  return startServer(KNOT, options);
}

/** Starts an authoritative named from the Debian package `bind9`. */
export async function startBind(options: ServerOptions): Promise<DnsServer> {
  const inner = { address: "127.0.0.1", port: await freePort() };
  const relay = await startDnsRelay(options, inner);
  try {
    const server = await startServer(BIND, { ...options, ...inner });
    const stop = async () => {
      await Promise.all([server.stop(), relay.stop()]);
    };
    return { ...server, address: options.address, port: options.port, stop };
  } catch (error) {
    await relay.stop();
    throw error;
  }
}

const KNOT: Program = {
  name: "knot",
  configure: async (folder, options, tsig) => {
    await writeFile(join(folder, "knot.conf"), knotConfig(folder, options, tsig));
  },
  command: (folder) => ["knotd", "-c", join(folder, "knot.conf")],
  reload: async (folder, _child, zone) => {
    await run("knotc", ["-b", "-c", join(folder, "knot.conf"), "zone-reload", zone]);
  },
};

const BIND: Program = {
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
  const write = (zone: string, records: string) => writeZone(folder, serials, zone, records);
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

async function writeZone(
  folder: string,
  serials: Map<string, number>,
  zone: string,
  records: string,
): Promise<void> {
  const serial = (serials.get(zone) ?? 0) + 1;
  serials.set(zone, serial);
  const path = join(folder, "zones", `${zone}.zone`);
  const head = `$ORIGIN ${zone}.\n$TTL 60\n@ SOA ns1 hostmaster ${serial} 3600 600 604800 30\n`;
  await writeFile(path, `${head}${records}\n`);
  // named skips a file that does not look newer, and compares whole seconds.
  const time = Date.now() / 1_000 + serial * 2;
  await utimes(path, time, time);
}

async function waitForSerial(options: ServerOptions, zone: string, serial: number): Promise<void> {
  const { address, port } = options;
  const resolver = createNetworkResolver({
    resolvers: [],
    authoritativePort: port,
    limits: {
      tryTimeoutMs: 200,
      udpTries: 1,
      authoritative: { ratePerSecond: 1_000, burst: 1_000, maxInFlight: 10 },
    },
  });
  const server = { host: address, addresses: [address] };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const { signal } = new AbortController();
    const reply = await resolver.askServer(server, zone, "SOA", { signal, transport: "udp" });
    const [soa] = reply.outcome === "records" ? reply.records : [];
    if (Number(soa?.value.split(" ")[2]) >= serial) return;
    await wait(POLL_MS);
  }
  throw new Error(`${address}:${port} does not serve ${zone} in time`);
}

/** Runs the program until `stop`; `during` fails early, with its log, when it ends by itself. */
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
          throw new Error(`${name} ended by itself:\n${log}`);
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
    // As other servers do: an address may stand at any name.
    "  check-names primary ignore;",
    `  allow-transfer { key ${tsig.name}; };`,
    "};",
    "controls { };",
    ...zones,
    "",
  ].join("\n");
}

/** What every named of the tests needs to live in its own folder, on its own address. */
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

interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Hands UDP and TCP from one loopback place to another. named listens only on addresses that an
 * interface carries, which of 127.0.0.0/8 is 127.0.0.1 alone; with this it can stand on any.
 */
export async function startDnsRelay(from: Place, to: Place): Promise<{ stop(): Promise<void> }> {
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
