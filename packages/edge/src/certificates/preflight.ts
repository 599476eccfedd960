import { addressesOf, caaAllows, type Resolver } from "@mooring/dns";
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

/** Checks before an order: a failed validation counts against the limits of the CA. */
export interface Preflight {
  /**
   * Throws `IssueError` when the order could not succeed. Resolves with the validation methods that
   * CAA allows; with nothing when it restricts none.
   */
  check(host: Host, issuer: Issuer, signal: AbortSignal): Promise<readonly string[] | undefined>;
}

export interface PreflightParts {
  readonly resolver: Resolver;
  /** Our addresses and name: every connected name must resolve to them. */
  readonly edgeAddresses: readonly string[];
  readonly edgeCname: string;
  /** The names of an issuer in CAA records. */
  readonly caaNames: (issuer: Issuer) => readonly string[];
}

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
  };
}

/** Throws unless every address of the name is ours; a failed lookup is a failure too. */
async function requireOurs(
  { resolver, edgeAddresses, edgeCname }: PreflightParts,
  hostname: string,
  signal: AbortSignal,
): Promise<void> {
  const [found, own] = await Promise.all([
    addressesOf(resolver, hostname, signal),
    addressesOf(resolver, edgeCname, signal),
  ]);
  const ours = new Set([...edgeAddresses, ...(own ?? [])]);
  if (!found)
    throw new IssueError("certificate_failed", "the name's addresses could not be looked up");
  if (found.length === 0 || !found.every((address) => ours.has(address))) {
    throw new IssueError("certificate_failed", "the name does not resolve to this service alone");
  }
}

async function requireCaa(
  { resolver, caaNames }: PreflightParts,
  hostname: string,
  issuer: Issuer,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const ca = {
    issuers: caaNames(issuer),
    methods: ["http-01", "tls-alpn-01"],
    ...(issuer.accountUri ? { accountUri: () => issuer.accountUri?.(signal) ?? null } : {}),
  };
  const verdict = await caaAllows(resolver, hostname, ca, signal);
  // A CA refuses when its CAA lookup fails, and counts it as a failed validation.
  if (verdict.outcome === "unknown") {
    throw new IssueError("certificate_failed", `CAA at ${verdict.name} could not be looked up`);
  }
  if (verdict.outcome === "forbidden") {
    throw new IssueError("caa_forbidden", `CAA at ${verdict.name}: ${verdict.reason.text}`);
  }
  return verdict.methods ?? undefined;
}
