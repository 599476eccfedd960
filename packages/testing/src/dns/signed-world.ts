import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createNetworkResolver } from "../../../dns/src/resolve/network-resolver.ts";
import type { Resolver } from "../../../dns/src/resolve/resolver.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import { launch } from "./dns-servers.ts";

const run = promisify(execFile);

/** A zone below `example`, and how its signatures are made or broken. */
export interface SignedZone {
  /** Zone-file lines; SOA, NS and `$TTL 60` are added. */
  readonly records: string;
  /** As Knot names it; by default `ecdsap256sha256`. Null: the zone is not signed. */
  readonly algorithm?: string | null;
  /** Knot's policy lines, such as `nsec3: on`. */
  readonly policy?: readonly string[];
  /** When it was signed, for 14 days; by default now. */
  readonly signedAt?: Date;
  /** The DS records at the parent, from those of the zone's keys; by default these. */
  readonly ds?: (own: readonly string[]) => readonly string[];
  /** Changes the signed zone file before it is served. */
  readonly edit?: (file: string) => string;
}

export interface SignedWorld {
  /** DS data of the root's key. */
  readonly trustAnchors: readonly string[];
  readonly port: number;
  /** A server that has every zone: the "resolver", which validates nothing. */
  readonly everything: string;
  resolver(options?: { readonly now?: () => Date }): Resolver;
  /**
   * Replaces the lines of unsigned zones, at their own servers or at the "resolver"; by default at
   * both.
   */
  setZones(lines: Readonly<Record<string, string>>, at?: readonly ServerName[]): Promise<void>;
  /** How many questions each server has been asked, as Knot counts them. */
  questions(): Promise<Readonly<Record<ServerName, number>>>;
  /** Debian's delv, with the world's trust anchor: what it says of the answer. */
  delv(name: string, type: string): Promise<"secure" | "insecure" | "bogus">;
  stop(): Promise<void>;
}

const tld = "example";

/** Whose knotd: those of the root, of `example`, of the zones below, and the "resolver". */
export type ServerName = "root" | "top" | "zones" | "everything";

/**
 * A chain of trust on loopback: a root, `example` and zones below it, signed by Knot's kzonesign
 * and served by knotd from the network's addresses .1, .2 and .3 (and .4).
 */
export async function startSignedWorld(
  net: string,
  zones: Readonly<Record<string, SignedZone>>,
  topPolicy: readonly string[] = [],
  ttlSeconds = 60,
): Promise<SignedWorld> {
  const hosts = (zone: string, names: readonly string[], serial = 1) =>
    zoneHead(zone, names, { serial, ttlSeconds });
  const folder = await mkdtemp(join(tmpdir(), "signed-world-"));
  await Promise.all(["plain", "signed", "kasp"].map((name) => mkdir(join(folder, name))));
  const delegations: string[] = [];
  for (const [zone, options] of Object.entries(zones)) {
    const ds = await sign(folder, zone, options, hosts(zone, zoneServers));
    const published = options.ds === undefined ? ds : options.ds(ds);
    delegations.push(`${zone}. NS ns1.${tld}.`, `${zone}. NS ns2.${tld}.`);
    delegations.push(...published.map((data) => `${zone}. DS ${data}`));
  }
  const addresses = [1, 2, 3, 4].map((host) => `${net}.${host}`);
  const [root = "", topAddress = "", first = "", second = ""] = addresses;
  const servers = [
    `a.root.${tld}. A ${root}`,
    `ns.${tld}. A ${topAddress}`,
    `ns1.${tld}. A ${first}`,
    `ns2.${tld}. A ${second}`,
    `ns3.${tld}. A ${net}.6`,
  ];
  const top = { records: [...servers, ...delegations].join("\n"), policy: topPolicy };
  const topDs = await sign(folder, tld, top, hosts(tld, [`ns.${tld}.`]));
  const rootRecords = [
    `${tld}. NS ns.${tld}.`,
    `ns.${tld}. A ${topAddress}`,
    `a.root.${tld}. A ${root}`,
  ];
  const withDs = [...rootRecords, ...topDs.map((data) => `${tld}. DS ${data}`)].join("\n");
  const anchors = await sign(folder, ".", { records: withDs }, hosts(".", [`a.root.${tld}.`]));
  const port = await freePort();
  const everything = `${net}.5`;
  const children = Object.keys(zones);
  const layout: readonly (readonly [ServerName, readonly string[], readonly string[]])[] = [
    ["root", [root], ["."]],
    ["top", [topAddress], [tld]],
    ["zones", [first, second], children],
    ["everything", [everything], [".", tld, ...children]],
  ];
  const started: { readonly stop: () => Promise<void> }[] = [];
  for (const [name, listen, zones] of layout) {
    started.push(await serve(folder, name, { listen, port, zones }));
  }
  let serial = 1;
  const addressByServer = { root, top: topAddress, zones: first, everything };
  const setZones = async (
    lines: Readonly<Record<string, string>>,
    at: readonly ServerName[] = ["zones", "everything"],
  ): Promise<void> => {
    serial += 1;
    const expected = String(serial);
    const changed = Object.keys(lines);
    for (const server of at) {
      for (const [zone, own] of Object.entries(lines)) {
        const names = /^@( \d+)? NS /m.test(own) ? [] : zoneServers;
        const file = join(folder, server, zoneFile(zone));
        await writeFile(file, `${hosts(zone, names, serial)}\n${own}\n`);
      }
      const config = join(folder, server, "knot.conf");
      await run("knotc", ["-c", config, "-b", "zone-reload", ...changed]);
      const isServed = async () =>
        (await serialsAt(addressByServer[server], port, changed)).every(
          (found) => found === expected,
        );
      await until(isServed, `${changed.join(", ")} at ${server}`);
    }
  };
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  const unlimited = { ratePerSecond: 100_000, burst: 100_000, maxInFlight: 256 };
  return {
    trustAnchors: anchors,
    port,
    everything,
    resolver: (options = {}) =>
      createNetworkResolver({
        ...options,
        resolvers: [`${everything}:${port}`],
        authoritativePort: port,
        trustAnchors: anchors,
        limits: { authoritative: unlimited, recursive: unlimited },
      }),
    setZones,
    async questions() {
      const counts = layout.map(async ([server]) => [server, await countRequests(folder, server)]);
      return Object.fromEntries(await Promise.all(counts));
    },
    delv: (name, type) => delv({ folder, everything, port, anchors }, name, type),
    stop,
  };
}

const zoneServers = [`ns1.${tld}.`, `ns2.${tld}.`];

function zoneHead(
  zone: string,
  names: readonly string[],
  { serial, ttlSeconds }: { readonly serial: number; readonly ttlSeconds: number },
): string {
  const origin = zone === "." ? "." : `${zone}.`;
  const [first = `ns1.${tld}.`] = names;
  const soa = `@ SOA ${first} hostmaster.${tld}. ${serial} 3600 600 604800 30`;
  const ns = names.map((name) => `@ NS ${name}`);
  return [`$ORIGIN ${origin}`, `$TTL ${ttlSeconds}`, soa, ...ns].join("\n");
}

/** Knot's own count of requests over UDP and TCP. */
async function countRequests(folder: string, server: ServerName): Promise<number> {
  const { stdout } = await run("knotc", ["-c", join(folder, server, "knot.conf"), "stats"]);
  const counts = stdout.matchAll(/^mod-stats\.request-protocol\[\w+\] = (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

async function serialsAt(
  address: string,
  port: number,
  zones: readonly string[],
): Promise<readonly string[]> {
  const questions = zones.flatMap((zone) => [zone, "SOA"]);
  const asked = run("dig", [`@${address}`, "-p", String(port), "+tries=1", "+short", ...questions]);
  const text = await asked.then(({ stdout }) => stdout).catch(() => "");
  const lines = text.trim().split("\n");
  return zones.map((_, index) => lines[index]?.split(" ")[2] ?? "");
}

function zoneFile(zone: string): string {
  return zone === "." ? "root.zone" : `${zone}.zone`;
}

/** Signs a zone and writes it for the servers; the DS data of its keys. */
async function sign(
  folder: string,
  zone: string,
  options: SignedZone,
  head: string,
): Promise<readonly string[]> {
  const plain = `${head}\n${options.records}\n`;
  const served = join(folder, "signed", zoneFile(zone));
  if (options.algorithm === null) {
    await writeFile(served, plain);
    return [];
  }
  await writeFile(join(folder, "plain", zoneFile(zone)), plain);
  const config = join(folder, `sign-${zoneFile(zone)}.conf`);
  const kasp = join(folder, "kasp", zoneFile(zone));
  await mkdir(kasp);
  await writeFile(config, signingConfig(folder, kasp, zone, options));
  const origin = zone === "." ? "." : `${zone}.`;
  const at = Math.floor((options.signedAt ?? new Date()).getTime() / 1_000);
  const out = join(kasp, "out");
  await mkdir(out);
  await run("kzonesign", ["-c", config, "-o", out, "-t", String(at), origin]);
  const [file = ""] = await readdir(out);
  const signed = await readFile(join(out, file), "utf8");
  await writeFile(served, options.edit === undefined ? signed : options.edit(signed));
  const { stdout } = await run("keymgr", ["-c", config, origin, "ds"]);
  const lines = stdout.matchAll(/ DS (\d+ \d+ 2 [0-9a-fA-F]+)/g);
  return Array.from(lines, ([, data = ""]) => data);
}

function signingConfig(folder: string, kasp: string, zone: string, options: SignedZone): string {
  return [
    "database:",
    `    storage: "${kasp}"`,
    "policy:",
    "  - id: world",
    `    algorithm: ${options.algorithm ?? "ecdsap256sha256"}`,
    ...(options.policy ?? []).map((line) => `    ${line}`),
    "zone:",
    `  - domain: ${zone === "." ? "." : `${zone}.`}`,
    `    file: "${join(folder, "plain", zoneFile(zone))}"`,
    "    dnssec-signing: on",
    "    dnssec-policy: world",
    "",
  ].join("\n");
}

async function serve(
  folder: string,
  name: string,
  options: {
    readonly listen: readonly string[];
    readonly port: number;
    readonly zones: readonly string[];
  },
): Promise<{ readonly stop: () => Promise<void> }> {
  const home = join(folder, name);
  await mkdir(home);
  const config = join(home, "knot.conf");
  // Each server has files of its own: they may differ.
  for (const zone of options.zones) {
    await copyFile(join(folder, "signed", zoneFile(zone)), join(home, zoneFile(zone)));
  }
  const lines = [
    "server:",
    `    rundir: "${home}"`,
    ...options.listen.map((address) => `    listen: ${address}@${options.port}`),
    "log:",
    "  - target: stderr",
    "    any: info",
    "database:",
    `    storage: "${home}"`,
    "template:",
    "  - id: default",
    "    global-module: mod-stats",
    "zone:",
    ...options.zones.flatMap((zone) => [
      `  - domain: ${zone === "." ? "." : `${zone}.`}`,
      `    file: "${join(home, zoneFile(zone))}"`,
      "    zonefile-load: whole",
    ]),
    "",
  ];
  await writeFile(config, lines.join("\n"));
  const server = launch(["knotd", "-c", config], `knot ${name}`, home);
  const [address = ""] = options.listen;
  const isServed = () => haveAll(address, options.port, options.zones);
  try {
    await server.during(until(isServed, `${name} on ${address}`));
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { stop: server.stop };
}

async function haveAll(address: string, port: number, zones: readonly string[]): Promise<boolean> {
  const questions = zones.flatMap((zone) => [zone, "SOA"]);
  const asked = run("dig", [`@${address}`, "-p", String(port), "+tries=1", "+short", ...questions]);
  const text = await asked.then(({ stdout }) => stdout).catch(() => "");
  return text.split("\n").filter((line) => line.includes("hostmaster")).length === zones.length;
}

async function delv(
  world: { folder: string; everything: string; port: number; anchors: readonly string[] },
  name: string,
  type: string,
): Promise<"secure" | "insecure" | "bogus"> {
  const file = join(world.folder, "anchors.conf");
  const entries = world.anchors.map((data) => {
    const [tag, algorithm, digestType, digest] = data.split(" ");
    return `. static-ds ${tag} ${algorithm} ${digestType} "${digest}";`;
  });
  await writeFile(file, `trust-anchors { ${entries.join(" ")} };\n`);
  const server = [`@${world.everything}`, "-p", String(world.port)];
  const asked = run("delv", [...server, "-a", file, "+root=.", name, type]);
  const text = await asked.then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: Error & { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
  );
  if (/; (?:negative response, )?fully validated/.test(text)) return "secure";
  if (/; (?:negative response, )?unsigned answer/.test(text)) return "insecure";
  if (/resolution failed|broken trust chain|no valid/.test(text)) return "bogus";
  throw new Error(`delv said: ${text}`);
}
