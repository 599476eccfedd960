import {
  addressesOf,
  askAuthority,
  caaAllows,
  canonicalIpv6,
  type Resolver,
  withoutCaches,
} from "@mooring/dns";
import type { Host } from "../hosts/host.ts";
import { IssueError, type Issuer } from "./issuer.ts";

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

/** DNS does not lead here yet. Nothing was ordered, so nothing counts as a failure. */
export class NotReady extends Error {
  override readonly name = "NotReady";
  /** How long caches may hold what was seen; null where nothing was. */
  readonly cacheSeconds: number | null;
  constructor(message: string, cacheSeconds: number | null = null) {
    super(message);
    this.cacheSeconds = cacheSeconds;
  }
}

/** Checks before an order: a failed validation counts against the limits of the CA. */
export interface Preflight {
  /**
   * Throws `NotReady` while an order must wait for DNS, and `IssueError` when CAA forbids it. Resolves
   * with the validation methods that CAA allows; with nothing when it restricts none.
   */
  check(host: Host, issuer: Issuer, signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Whether every address of the name is ours; false also when that could not be found out. */
  leadsHere(host: Host, signal: AbortSignal): Promise<boolean>;
}

export interface PreflightParts {
  readonly resolver: Resolver;
  /** Our addresses and name: every connected name must resolve to them. */
  readonly edgeAddresses: readonly string[];
  readonly edgeCname: string;
  /** The names of an issuer in CAA records. */
  readonly caaNames: (issuer: Issuer) => readonly string[];
}

/**
 * Asks the servers that own the name, as the control plane's checks do: a cache may hold an answer from
 * before the records were right. Only the edge's own name is resolved as usual.
 */
export function createPreflight(parts: PreflightParts): Preflight {
  return {
    async check(host, issuer, signal) {
      if (!issuer.isLimited) return undefined;
      const [methods] = await Promise.all([
        requireCaa(parts, host.hostname, issuer, signal),
        requireOurs(parts, host.hostname, signal),
      ]);
      return methods;
    },
    async leadsHere(host, signal) {
      try {
        await requireOurs(parts, host.hostname, signal);
        return true;
      } catch (error) {
        if (error instanceof NotReady) return false;
        throw error;
      }
    },
  };
}

/** Throws unless every server that answers has addresses for the name, and all of them are ours. */
async function requireOurs(
  { resolver, edgeAddresses, edgeCname }: PreflightParts,
  hostname: string,
  signal: AbortSignal,
): Promise<void> {
  const isResolvedAsUsual = (name: string): boolean => name === edgeCname;
  const question = { types: ["A", "AAAA"], servers: "every", isResolvedAsUsual, signal } as const;
  const [asked, own] = await Promise.all([
    askAuthority(resolver, hostname, question),
    addressesOf(resolver, edgeCname, signal),
  ]);
  if (asked.outcome === "failed") {
    throw new NotReady("the name's addresses could not be looked up");
  }
  const configured = edgeAddresses.map((address) => canonicalIpv6(address) ?? address);
  const ours = new Set([...configured, ...(own ?? [])]);
  const astray = asked.answers.filter(
    ({ records }) => records.length === 0 || !records.every(({ value }) => ours.has(value)),
  );
  if (astray.length === 0) return;
  const cacheSeconds = Math.max(...astray.map((answer) => answer.cacheSeconds));
  throw new NotReady("the name does not resolve to this service alone", cacheSeconds);
}

async function requireCaa(
  { resolver, edgeCname, caaNames }: PreflightParts,
  hostname: string,
  issuer: Issuer,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const ca = {
    issuers: caaNames(issuer),
    methods: ["http-01", "tls-alpn-01"],
    ...(issuer.accountUri ? { accountUri: () => issuer.accountUri?.(signal) ?? null } : {}),
  };
  const asked = withoutCaches(resolver, (name) => name === edgeCname);
  const verdict = await caaAllows(asked, hostname, ca, signal);
  // A CA refuses when its CAA lookup fails, and counts it as a failed validation.
  if (verdict.outcome === "unknown") {
    throw new NotReady(`CAA at ${verdict.name} could not be looked up`);
  }
  if (verdict.outcome === "forbidden") {
    throw new IssueError("caa_forbidden", `CAA at ${verdict.name}: ${verdict.reason.text}`);
  }
  return verdict.methods ?? undefined;
}
