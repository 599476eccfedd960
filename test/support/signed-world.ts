import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createNetworkResolver } from "../../packages/dns/src/resolve/network-resolver.ts";
import type { Resolver } from "../../packages/dns/src/resolve/resolver.ts";
import { launch } from "./dns-servers.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

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
  /** Debian's delv, with the world's trust anchor: what it says of the answer. */
  delv(name: string, type: string): Promise<"secure" | "insecure" | "bogus">;
  stop(): Promise<void>;
}

const tld = "example";

/**
 * A chain of trust on loopback: a root, `example` and zones below it, signed by Knot's kzonesign and
 * served by knotd from the network's addresses .1, .2 and .3 (and .4).
 */
export async function startSignedWorld(
  net: string,
  zones: Readonly<Record<string, SignedZone>>,
  topPolicy: readonly string[] = [],
): Promise<SignedWorld> {
  const folder = await mkdtemp(join(tmpdir(), "signed-world-"));
  await Promise.all(["plain", "signed", "kasp"].map((name) => mkdir(join(folder, name))));
  const delegations: string[] = [];
  for (const [zone, options] of Object.entries(zones)) {
    const ds = await sign(folder, zone, options, hosts(zone, [`ns1.${tld}.`, `ns2.${tld}.`]));
    const published = options.ds === undefined ? ds : options.ds(ds);
    delegations.push(`${zone}. NS ns1.${tld}.`, `${zone}. NS ns2.${tld}.`);
    delegations.push(...published.map((data) => `${zone}. DS ${data}`));
  }
  const addresses = [1, 2, 3, 4].map((host) => `${net}.${host}`);
  const [root = "", topAddress = "", first = "", second = ""] = addresses;
  const servers = [
    ...[`a.root.${tld}. A ${root}`, `ns.${tld}. A ${topAddress}`],
    ...[`ns1.${tld}. A ${first}`, `ns2.${tld}. A ${second}`],
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
  const places: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ["root", [root], ["."]],
    ["top", [topAddress], [tld]],
    ["zones", [first, second], children],
    ["everything", [everything], [".", tld, ...children]],
  ];
  const started: { readonly stop: () => Promise<void> }[] = [];
  for (const [name, listen, held] of places) {
    started.push(await serve(folder, name, { listen, port, zones: held }));
  }
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
    delv: (name, type) => delv({ folder, everything, port, anchors }, name, type),
    stop,
  };
}

function hosts(zone: string, names: readonly string[]): string {
  const origin = zone === "." ? "." : `${zone}.`;
  const soa = `@ SOA ${names[0]} hostmaster.${tld}. 1 3600 600 604800 30`;
  return [`$ORIGIN ${origin}`, "$TTL 60", soa, ...names.map((name) => `@ NS ${name}`)].join("\n");
}

function fileOf(zone: string): string {
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
  const served = join(folder, "signed", fileOf(zone));
  if (options.algorithm === null) {
    await writeFile(served, plain);
    return [];
  }
  await writeFile(join(folder, "plain", fileOf(zone)), plain);
  const config = join(folder, `sign-${fileOf(zone)}.conf`);
  const kasp = join(folder, "kasp", fileOf(zone));
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
    `    file: "${join(folder, "plain", fileOf(zone))}"`,
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
  const lines = [
    "server:",
    `    rundir: "${home}"`,
    ...options.listen.map((address) => `    listen: ${address}@${options.port}`),
    ...["log:", "  - target: stderr", "    any: info"],
    ...["database:", `    storage: "${home}"`],
    "zone:",
    ...options.zones.flatMap((zone) => [
      `  - domain: ${zone === "." ? "." : `${zone}.`}`,
      `    file: "${join(folder, "signed", fileOf(zone))}"`,
      "    zonefile-load: whole",
    ]),
    "",
  ];
  await writeFile(config, lines.join("\n"));
  const server = launch(["knotd", "-c", config], `knot ${name}`, home);
  const [address = ""] = options.listen;
  const isServed = () => haveAll(address, options.port, options.zones);
  try {
    await server.during(until(isServed, `${name} on ${address}`, 60_000));
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
