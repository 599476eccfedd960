import { randomBytes } from "node:crypto";
import { baseName, type DnsRecord } from "@mooring/dns";
import type { Connection } from "../connections/connection.ts";
import { defaultTtlSeconds } from "../records/record-template.ts";

/** The TXT record by which a customer proves that a hostname is theirs. */
export interface OwnershipChallenge {
  readonly name: string;
  readonly value: string;
}

export const challengeLabel = "_service-challenge";
export const challengePrefix = "service-verify=";

/** 256 random bits, new for every connection: an old record never proves a new connection. */
export function newChallenge(): string {
  return `${challengePrefix}${randomBytes(32).toString("base64url")}`;
}

/** Of a wildcard it is that of its parent: there the wildcard itself cannot give a value. */
export function challengeName(hostname: string): string {
  return `${challengeLabel}.${baseName(hostname)}`;
}

export function ownershipChallenge(
  connection: Pick<Connection, "hostname" | "challenge">,
): OwnershipChallenge {
  return { name: challengeName(connection.hostname), value: connection.challenge };
}

/** The same as a record to publish. */
export function ownershipRecord(connection: Pick<Connection, "hostname" | "challenge">): DnsRecord {
  const { name, value } = ownershipChallenge(connection);
  return { name, type: "TXT", value, ttl: defaultTtlSeconds, priority: null };
}

/** Whether a record is the proof of some hostname. */
export function isOwnershipRecord({
  name,
  type,
}: {
  readonly name: string;
  readonly type: string;
}): boolean {
  return type === "TXT" && name.startsWith(`${challengeLabel}.`);
}
