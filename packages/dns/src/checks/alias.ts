import { baseName } from "../name.ts";
import { askAuthority } from "../resolve/at-authority.ts";
import type { Resolver } from "../resolve/resolver.ts";

/** `unknown` when no server answered: nothing is concluded then. */
export type AliasStatus = "right" | "wrong" | "absent" | "unknown";

/**
 * Whether the name is an alias of exactly this target at every server that answers. An alias of
 * another name, other records instead of it, and servers that differ are `wrong`.
 */
export async function checkAlias(
  resolver: Resolver,
  name: string,
  target: string,
  signal: AbortSignal,
): Promise<AliasStatus> {
  const isResolvedAsUsual = (): boolean => false;
  const question = { types: ["CNAME"], servers: "every", isResolvedAsUsual, signal } as const;
  const asked = await askAuthority(resolver, name, question);
  if (asked.outcome === "failed") return "unknown";
  const targets = asked.answers.map(({ records }) => records.map(({ value }) => value).join(" "));
  if (targets.every((one) => one === target)) return "right";
  return targets.every((one) => one === "") ? "absent" : "wrong";
}

/**
 * Where a CA reads the value of a DNS-01 challenge (RFC 8555 §8.4); a wildcard's is its parent's.
 */
export function acmeChallengeName(hostname: string): string {
  return `_acme-challenge.${baseName(hostname)}`;
}

/** Where a CA reads the record of `dns-persist-01` (draft-ietf-acme-dns-persist-01 §3). */
export function persistChallengeName(hostname: string): string {
  return `_validation-persist.${baseName(hostname)}`;
}
