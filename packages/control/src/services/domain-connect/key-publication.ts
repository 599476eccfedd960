import { createPublicKey, type KeyObject } from "node:crypto";
import { type NameServer, type Reply, type Resolver, readKeyRecords } from "@mooring/dns";
import type { DomainConnectKey } from "../../domain/domain-connect.ts";

/** What DNS has at the name of a key. `unknown`: its servers could not be asked. */
export type Publication =
  | { readonly state: "published" | "missing" | "unknown" }
  | { readonly state: "wrong"; readonly reason: string };

export function publicKeyOf({ publicKey }: Pick<DomainConnectKey, "publicKey">): KeyObject {
  return createPublicKey({
    key: Buffer.from(publicKey, "base64"),
    format: "der",
    type: "spki",
  });
}

export function keyName({ label, domain }: Pick<DomainConnectKey, "label" | "domain">): string {
  return `${label}.${domain}`;
}

/**
 * Asks the zone's own servers, all of them: a provider may ask any, and a resolver that was asked too
 * early would remember for a while that nothing was there.
 */
export async function keyPublication(
  resolver: Resolver,
  key: DomainConnectKey,
  signal: AbortSignal,
): Promise<Publication> {
  const name = keyName(key);
  const found = await resolver.findZone(key.domain, signal);
  if (found.outcome === "unregistered") return { state: "missing" };
  if (found.outcome === "failed") return { state: "unknown" };
  const ask = (server: NameServer) =>
    resolver.askServer(server, name, "TXT", { signal, transport: "udp" });
  const replies = await Promise.all(found.servers.map(ask));
  const seen = replies
    .filter(({ outcome }) => outcome !== "failed")
    .map((reply) => publicationIn(reply, key));
  return seen.find(({ state }) => state !== "published") ?? seen[0] ?? { state: "unknown" };
}

function publicationIn(reply: Reply, key: DomainConnectKey): Publication {
  if (reply.outcome !== "records") return { state: "missing" };
  const texts = reply.records.filter(({ type }) => type === "TXT").map(({ value }) => value);
  const read = readKeyRecords(texts);
  if (!read.ok) return { state: "wrong", reason: read.reason };
  if (read.publicKey.equals(publicKeyOf(key))) return { state: "published" };
  return { state: "wrong", reason: "another key stands at this name" };
}
