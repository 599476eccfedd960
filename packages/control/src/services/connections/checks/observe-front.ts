import { randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";
import { orElse } from "@mooring/concurrency";
import {
  cdnByFields,
  createCdnFinder,
  probedName,
  type RecordsCheck,
  resolveAddresses,
  withoutCaches,
} from "@mooring/dns";
import { askProbe, deriveProbeKey, type ProbeReply } from "@mooring/egress";
import { type Connection, connectionPhase } from "../../../domain/connections/connection.ts";
import {
  type FrontSight,
  frontOutcome,
  frontTls,
  isBehindCdn,
} from "../../../domain/connections/front.ts";
import { isTraffic } from "../../../domain/connections/observation.ts";
import { isMagic } from "../../../domain/sandbox/sandbox.ts";
import { withBudget } from "../../budget.ts";
import type { Runtime } from "../../runtime.ts";
import { isInSandbox } from "../../sandbox/watch.ts";
import { frontChoice } from "./front-choice.ts";

/** A CDN answers within a second; one that does not is asked again at the next check. */
const frontBudgetMs = 6_000;

const absent: FrontSight = { is: "absent" };

/**
 * What stands in front of a name whose records are not seen: its addresses are not ours, and it is
 * asked whether requests for it arrive at an edge nevertheless. Null when that is not known. Nobody
 * is asked before ownership is proven, nor for an application that refuses such names.
 */
export async function observeFront(
  runtime: Runtime,
  connection: Connection,
  records: RecordsCheck | null,
  signal: AbortSignal,
): Promise<FrontSight | null> {
  if (records === null || connectionPhase(connection.state) === "ownership") return null;
  const { hostname } = connection;
  const traffic = records.records.filter(({ record }) => isTraffic(hostname, record));
  if (traffic.every(({ outcome }) => outcome === "match")) return absent;
  if (traffic.some(({ outcome }) => outcome === "unknown")) return null;
  if (!(await acceptsFronts(runtime, connection))) return absent;
  return withBudget(frontBudgetMs, signal, (inner) =>
    orElse(inner, askFront(runtime, connection, inner), null),
  );
}

export async function acceptsFronts(
  { applications, config }: Pick<Runtime, "applications" | "config">,
  connection: Connection,
): Promise<boolean> {
  const application = await applications.load(connection.applicationId);
  return frontChoice(config, connection, application?.proxied ?? "accept") === "accept";
}

async function askFront(
  runtime: Runtime,
  connection: Connection,
  signal: AbortSignal,
): Promise<FrontSight | null> {
  const { config } = runtime;
  const resolver = withoutCaches(
    runtime.dns.resolverFor(connection.environment, connection.hostname),
    (name) => name === config.edgeCname,
  );
  const hostname = probedName(connection.hostname, `probe-${randomBytes(6).toString("hex")}`);
  const [addresses, edge] = await Promise.all([
    resolveAddresses(resolver, hostname, signal),
    resolveAddresses(resolver, config.edgeCname, signal),
  ]);
  if (addresses === null) return null;
  const ours = new Set([...config.edgeIpv4, ...config.edgeIpv6, ...(edge ?? [])]);
  if (addresses.length === 0 || addresses.some((address) => ours.has(address))) return absent;
  const findCdn = createCdnFinder(config.edgeCdnRanges);
  const by = addresses.map(findCdn).find((name) => name !== null) ?? null;
  if (isInSandbox(connection)) return simulated(runtime, connection, by);
  return ask(runtime, connection, { hostname, addresses, by }, signal);
}

/** Names of the sandbox exist only there: nobody is asked. */
function simulated(
  { instance: worker }: Pick<Runtime, "instance">,
  { hostname }: Connection,
  by: string | null,
): FrontSight {
  if (!isMagic(hostname, "proxied")) return absent;
  const seen = { outcome: "ours", status: null, tls: "full", challenge: "passed" } as const;
  return { is: "present", by, ...seen, isCached: false, worker };
}

/**
 * Most names elsewhere are asked once. One that is known to be behind a CDN, that answers as an
 * edge does, or that sends visitors on to https, is asked for the rest too.
 */
async function ask(
  runtime: Runtime,
  connection: Connection,
  target: {
    readonly hostname: string;
    readonly addresses: readonly string[];
    readonly by: string | null;
  },
  signal: AbortSignal,
): Promise<FrontSight> {
  const { config, clock, vault, egress, instance: worker } = runtime;
  const keys = vault.keyIds.map((id) => deriveProbeKey(vault.deriveKey("certificate_key", id)));
  const byFamily = target.addresses.toSorted((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)));
  const last = byFamily.findLast((address) => !isIPv4(address));
  const addresses = [byFamily[0], last].filter((one) => one !== undefined);
  const probe = (scheme: "http" | "https", path: "probe" | "challenge") => {
    const port = scheme === "http" ? config.edgeProbeHttpPort : config.edgeProbePort;
    const { hostname } = target;
    const way = { hostname, addresses: [...new Set(addresses)], scheme, port, path };
    return askProbe(egress.dial, { ...way, keys, now: clock.now() }, signal);
  };
  const http = await probe("http", "probe");
  const isWorthMore = http.outcome === "ours" || http.outcome === "redirect";
  const isKnown = target.by !== null || isBehindCdn(connection);
  const [https, challenge] =
    isWorthMore || isKnown
      ? await Promise.all([probe("https", "probe"), probe("http", "challenge")])
      : [null, null];
  const seen = [http, https].filter((reply) => reply !== null);
  const outcome = frontOutcome(http, https);
  return {
    is: "present",
    by: target.by ?? recogniseBy(seen),
    outcome,
    status: seen.find((reply) => reply.outcome === outcome)?.status ?? null,
    tls: frontTls(https),
    challenge: judgeChallenge(outcome === "ours", challenge),
    isCached: seen.some(({ isCached }) => isCached),
    worker,
  };
}

function recogniseBy(replies: readonly ProbeReply[]): string | null {
  return replies.map(({ fields }) => fields && cdnByFields(fields)).find(Boolean) ?? null;
}

/**
 * Hidden when somebody else answers HTTP-01 though requests arrive here. A proxy that redirects it
 * to https, or blocks this client, may still let a CA through.
 */
function judgeChallenge(isOurs: boolean, reply: ProbeReply | null): "passed" | "hidden" | null {
  if (reply?.outcome === "ours") return "passed";
  const isAnswered = reply?.outcome === "other" || reply?.outcome === "stale";
  return isOurs && isAnswered ? "hidden" : null;
}
