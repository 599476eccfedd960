import { caaAllows, type Resolver } from "@mooring/dns";
import type { Host } from "../hosts/host.ts";
import { IssueError, type Issuer } from "./issuer.ts";

/** May this name have a certificate? Anything but a clear yes is a no. */
export interface Permission {
  isAllowed(hostname: string, signal: AbortSignal): Promise<boolean>;
}

const timeoutMs = 5_000;

/** Asks the control plane. Fails closed: error, timeout, redirect, other status, other body. */
export function createPermission(askUrl: string, fetch: typeof globalThis.fetch): Permission {
  return {
    async isAllowed(hostname, signal) {
      const url = new URL(askUrl);
      url.searchParams.set("domain", hostname);
      try {
        const response = await fetch(url, {
          redirect: "error",
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
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

/** Looks before an order is made: a validation that must fail would only burn the CA's patience. */
export interface Preflight {
  /** Throws `IssueError` when the order could not succeed. */
  check(host: Host, issuer: Issuer, signal: AbortSignal): Promise<void>;
}

export interface PreflightParts {
  readonly resolver: Resolver;
  /** Our own addresses and name: where a connected name must lead. */
  readonly edgeAddresses: readonly string[];
  readonly edgeCname: string;
  /** What the issuers call themselves in CAA records. */
  readonly caaNames: (issuer: Issuer) => readonly string[];
}

export function createPreflight(parts: PreflightParts): Preflight {
  return {
    async check(host, issuer, signal) {
      if (!issuer.isLimited) return;
      await Promise.all([
        requireOurs(parts, host.hostname, signal),
        requireCaa(parts, host.hostname, issuer, signal),
      ]);
    },
  };
}

/** Every address of the name is ours. An answer that cannot be had delays as a failure does. */
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
    throw new IssueError("certificate_failed", "the name does not lead here (only)");
  }
}

async function addressesOf(
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<string[] | null> {
  const replies = await Promise.all([
    resolver.resolve(name, "A", signal),
    resolver.resolve(name, "AAAA", signal),
  ]);
  if (replies.some((reply) => reply.outcome === "failed")) return null;
  return replies.flatMap((reply) =>
    reply.outcome === "records" ? reply.records.map((record) => record.value) : [],
  );
}

async function requireCaa(
  { resolver, caaNames }: PreflightParts,
  hostname: string,
  issuer: Issuer,
  signal: AbortSignal,
): Promise<void> {
  const issuers = caaNames(issuer);
  const methods = ["http-01", "tls-alpn-01"];
  const verdict = await caaAllows(resolver, hostname, { issuers, methods }, signal);
  // A CA refuses what it cannot look up, and counts it as a failed validation.
  if (verdict.outcome === "unknown") {
    throw new IssueError("certificate_failed", `CAA at ${verdict.name} could not be looked up`);
  }
  if (verdict.outcome === "forbidden") {
    throw new IssueError(
      "caa_forbidden",
      `CAA at ${verdict.name} does not allow ${issuers.join(", ")}`,
    );
  }
}
