import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNetworkResolver } from "../../../dns/src/resolve/network-resolver.ts";
import { freePort } from "../processes/free-port.ts";
import { until } from "../processes/until.ts";
import { bindBasics, launch, startDnsRelay } from "./dns-servers.ts";

export interface RecursiveOptions {
  readonly address: string;
  readonly port: number;
  /**
   * Zone to the addresses of its servers, all on `authoritativePort`; every other name is NXDOMAIN.
   */
  readonly zones: Readonly<Record<string, readonly string[]>>;
  readonly authoritativePort: number;
  /** False: every question goes to the zone's servers. */
  readonly isCaching?: boolean;
  /** Zones with a trust anchor that no key matches: every answer from them is bogus. */
  readonly bogusZones?: readonly string[];
}

/**
 * Starts a validating, caching named that knows only the given zones and sends nothing beyond
 * loopback.
 */
export async function startBindRecursive(
  options: RecursiveOptions,
): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "dns-recursive-"));
  const inner = { address: "127.0.0.1", port: await freePort() };
  await writeFile(join(folder, "root.zone"), rootZone(Object.keys(options.zones)));
  await writeFile(join(folder, "named.conf"), config(folder, { ...options, ...inner }));
  const relay = await startDnsRelay(options, inner);
  const server = launch(["named", "-g", "-c", join(folder, "named.conf")], "named", folder);
  const stop = async () => {
    await Promise.all([server.stop(), relay.stop()]);
  };
  try {
    await server.during(waitForRoot(options));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** A root zone for the tests, so that the real root is never asked. */
function rootZone(zones: readonly string[]): string {
  return [
    "$ORIGIN .",
    "$TTL 60",
    "@ SOA ns.invalid. hostmaster.invalid. 1 3600 600 604800 30",
    "@ NS ns.invalid.",
    ...zones.map((zone) => `${zone}. NS delegated.invalid.`),
    "ns.invalid. A 127.0.0.1",
    "delegated.invalid. A 127.0.0.1",
    "",
  ].join("\n");
}

function config(folder: string, options: RecursiveOptions): string {
  const forwards = Object.entries(options.zones).map(([zone, addresses]) => {
    const servers = addresses.map((address) => `${address} port ${options.authoritativePort};`);
    return `zone "${zone}" { type forward; forward only; forwarders { ${servers.join(" ")} }; };`;
  });
  const anchors = (options.bogusZones ?? []).map(
    (zone) => `"${zone}." static-ds 1 13 2 "${"00".repeat(32)}";`,
  );
  return [
    "options {",
    ...bindBasics(folder, options),
    "  recursion yes;",
    "  allow-recursion { 127.0.0.0/8; };",
    // "yes" validates below configured trust anchors only; "auto" would add the real root's.
    "  dnssec-validation yes;",
    "  qname-minimization off;",
    options.isCaching === false ? "  max-cache-ttl 0; max-ncache-ttl 0;" : "",
    "};",
    "controls { };",
    `zone "." { type primary; file "${folder}/root.zone"; };`,
    ...forwards,
    anchors.length === 0 ? "" : `trust-anchors { ${anchors.join(" ")} };`,
    "",
  ].join("\n");
}

async function waitForRoot({ address, port }: RecursiveOptions): Promise<void> {
  const resolver = createNetworkResolver({
    resolvers: [`${address}:${port}`],
    limits: { attemptTimeoutMs: 200, udpAttempts: 1 },
  });
  const { signal } = new AbortController();
  const isReady = async (): Promise<boolean> =>
    (await resolver.resolve("ns.invalid", "A", signal)).outcome === "records";
  await until(isReady, `the recursive server on ${address}:${port}`);
}
