import {
  askAuthority,
  type CaaVerdict,
  caaAllows,
  canonicalIpv6,
  isAtOrBelow,
  type Resolver,
  resolveAddresses,
  withoutCaches,
} from "@mooring/dns/lookup";
import type { Host } from "../../hosts/host.ts";
import type { Delegation } from "./delegation.ts";
import { IssueError, type Issuer } from "./issuer.ts";
import { NotReady } from "./not-ready.ts";

/** Whether the control plane allows a certificate for a name. */
export interface Permission {
  isAllowed(hostname: string, signal: AbortSignal): Promise<boolean>;
}

const askTimeoutMs = 5_000;

/** Asks the control plane. Every error, timeout, redirect, other status or other body is a no. */
export function createPermission(askUrl: string, fetch: typeof globalThis.fetch): Permission {
  return {
    async isAllowed(hostname, signal) {
      const url = new URL(askUrl);
      url.searchParams.set("domain", hostname);
      try {
        const response = await fetch(url, {
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]),
        });
        if (response.status !== 200) return false;
        const body: unknown = await response.json();
        return typeof body === "object" && body !== null && "allow" in body && body.allow === true;
      } catch {
        return false;
      }
    },
  };
}

/** Checks before an order: a failed validation counts against the limits of the CA. */
export interface Preflight {
  /**
   * Throws `NotReady` while an order must wait for DNS, and `IssueError` when CAA forbids it.
   * Resolves with the validation methods that can succeed now: those over the network when the name
   * resolves to us, those by DNS when it does not and for a wildcard, HTTP-01 through a proxy that
   * passes it on. With nothing when CAA restricts none of the first.
   */
  check(host: Host, issuer: Issuer, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Whether every address of the name is ours; false also when that could not be found out. */
  resolvesToUs(host: Host, signal: AbortSignal): Promise<boolean>;
}

export interface PreflightParts {
  readonly resolver: Resolver;
  /** Our addresses and name: every connected name must resolve to them. */
  readonly edgeAddresses: readonly string[];
  readonly edgeCname: string;
  /** The names of an issuer in CAA records. */
  readonly caaNames: (issuer: Issuer) => readonly string[];
  /** Null where validation is not delegated to this service. */
  readonly delegation: Pick<Delegation, "methods"> | null;
  /** Null where no name is asked whether requests for it arrive here. */
  readonly front: FrontProbe | null;
}

/**
 * Whether HTTP-01 reaches this service through somebody else's proxy, though the name resolves to
 * that. False also when that could not be found out.
 */
export type FrontProbe = (hostname: string, signal: AbortSignal) => Promise<boolean>;

/** A proxy that ends TLS answers TLS-ALPN-01 itself. */
const frontMethods = ["http-01"];

const networkMethods = ["http-01", "tls-alpn-01"];

/**
 * Asks the servers that own the name, as the control plane's checks do: a cache may hold an answer
 * from before the records were right. Only the edge's own name is resolved as usual.
 */
export function createPreflight(parts: PreflightParts): Preflight {
  return {
    async check(host, issuer, signal) {
      if (!issuer.isLimited) return undefined;
      const [way, caa] = await Promise.all([
        wayTo(parts, host, signal),
        askCaa(parts, host.hostname, issuer, networkMethods, signal),
      ]);
      if (way === "network" && caa.outcome !== "forbidden") return requireCaa(caa);
      const byDns = way === "network" ? await delegated(parts, host, signal) : way;
      if (byDns.length === 0) return requireCaa(caa);
      return requireCaa(await askCaa(parts, host.hostname, issuer, byDns, signal), byDns);
    },
    async resolvesToUs(host, signal) {
      // Only the control plane makes the order of a wildcard due.
      if (isWildcard(host)) return false;
      const reason = await misdirected(parts, host.hostname, signal);
      return reason === null;
    },
  };
}

function isWildcard({ hostname }: Host): boolean {
  return hostname.startsWith("*.");
}

async function delegated(
  { delegation }: PreflightParts,
  host: Host,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return (await delegation?.methods(host, signal)) ?? [];
}

/**
 * How a CA can validate the name now: over the network, or with these methods only. Throws
 * `NotReady` when it cannot.
 */
async function wayTo(
  parts: PreflightParts,
  host: Host,
  signal: AbortSignal,
): Promise<"network" | readonly string[]> {
  const reason = isWildcard(host) ? unset : await misdirected(parts, host.hostname, signal);
  if (reason === null) return "network";
  const byDns = await delegated(parts, host, signal);
  if (byDns.length > 0) return byDns;
  const isPassedOn = !isWildcard(host) && (await parts.front?.(host.hostname, signal));
  if (isPassedOn) return frontMethods;
  throw reason;
}

const unset = new NotReady("the CNAME for validation does not lead to this service");

/** Null when every server that answers has addresses for the name, and all of them are ours. */
async function misdirected(
  parts: PreflightParts,
  hostname: string,
  signal: AbortSignal,
): Promise<NotReady | null> {
  try {
    await requireOurs(parts, hostname, signal);
    return null;
  } catch (error) {
    if (error instanceof NotReady) return error;
    throw error;
  }
}

/** Throws unless every server that answers has addresses for the name, and all of them are ours. */
async function requireOurs(
  { resolver, edgeAddresses, edgeCname }: PreflightParts,
  hostname: string,
  signal: AbortSignal,
): Promise<void> {
  // The targets of connections are names below it.
  const isResolvedAsUsual = (name: string): boolean => isAtOrBelow(name, edgeCname);
  const question = { types: ["A", "AAAA"], servers: "every", isResolvedAsUsual, signal } as const;
  const [asked, own] = await Promise.all([
    askAuthority(resolver, hostname, question),
    resolveAddresses(resolver, edgeCname, signal),
  ]);
  if (asked.outcome === "failed") {
    throw new NotReady("the name's addresses could not be looked up");
  }
  const configured = edgeAddresses.map((address) => canonicalIpv6(address) ?? address);
  const ours = new Set([...configured, ...(own ?? [])]);
  const misdirected = asked.answers.filter(
    ({ records }) => records.length === 0 || !records.every(({ value }) => ours.has(value)),
  );
  if (misdirected.length === 0) return;
  const cacheSeconds = Math.max(...misdirected.map((answer) => answer.cacheSeconds));
  throw new NotReady("the name does not resolve to this service alone", cacheSeconds);
}

function askCaa(
  { resolver, edgeCname, caaNames }: PreflightParts,
  hostname: string,
  issuer: Issuer,
  methods: readonly string[],
  signal: AbortSignal,
): Promise<CaaVerdict> {
  const ca = {
    issuers: caaNames(issuer),
    methods,
    ...(issuer.accountUri ? { accountUri: () => issuer.accountUri?.(signal) ?? null } : {}),
  };
  return caaAllows(
    withoutCaches(resolver, (name) => isAtOrBelow(name, edgeCname)),
    hostname,
    ca,
    signal,
  );
}

function requireCaa(
  verdict: CaaVerdict,
  otherwise?: readonly string[],
): readonly string[] | undefined {
  // A CA refuses when its CAA lookup fails, and counts it as a failed validation.
  if (verdict.outcome === "unknown") {
    throw new NotReady(`CAA at ${verdict.name} could not be looked up`);
  }
  if (verdict.outcome === "forbidden") {
    throw new IssueError("caa_forbidden", `CAA at ${verdict.name}: ${verdict.reason.text}`);
  }
  return verdict.methods ?? otherwise;
}
