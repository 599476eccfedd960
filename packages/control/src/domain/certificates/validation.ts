import { acmeChallengeName, isAtOrBelow } from "@mooring/dns/lookup";
import type { Connection } from "../connections/connection.ts";
import { isCuttingOver } from "../connections/cutover.ts";

/** The zone of the sandbox: for names under `.test` only, which no other DNS has. */
export const sandboxValidationZone = "validation.test";

/**
 * The zone through which control of this hostname can be proven; null where none is configured. A
 * zone of the sandbox serves its names alone, and they have no other.
 */
export function validationZoneFor(configured: string | null, hostname: string): string | null {
  if (configured === null) return null;
  if (isAtOrBelow(hostname, "test")) return sandboxValidationZone;
  return isAtOrBelow(configured, "test") ? null : configured;
}

/** The CNAME that delegates validation: its name in the customer's zone and its target in ours. */
export interface ValidationAlias {
  readonly name: string;
  readonly target: string;
}

/** Null where validation is not delegated, or no label has been given yet. */
export function validationAlias(
  zone: string | null,
  { hostname, validationLabel }: Pick<Connection, "hostname" | "validationLabel">,
): ValidationAlias | null {
  const own = validationZoneFor(zone, hostname);
  if (own === null || validationLabel === null) return null;
  return { name: acmeChallengeName(hostname), target: `${validationLabel}.${own}` };
}

interface NameAndType {
  readonly name: string;
  readonly type: string;
}

/** Whether this is the CNAME for validation of the hostname, whatever it points to. */
export function isValidationRecord(hostname: string, { name, type }: NameAndType): boolean {
  return type === "CNAME" && name === acmeChallengeName(hostname);
}

/**
 * Whether the record decides if the connection is right. Visitors of a name that is served, or was
 * switched, do not depend on the CNAME for validation: without it at most a renewal is at risk.
 */
export function isDecisive(
  { state, hostname, cutover }: Pick<Connection, "state" | "hostname" | "cutover">,
  record: NameAndType,
): boolean {
  const isServed = state === "live" || state === "drifted" || cutover?.status === "switching";
  return !(isServed && isValidationRecord(hostname, record));
}

/**
 * The same for a cut-over, which is switched when what visitors follow resolves to us. A name that
 * can be validated over the network is then served, however little was prepared.
 */
export function decidesSwitch(
  connection: Pick<Connection, "state" | "hostname" | "cutover" | "front">,
  record: NameAndType,
): boolean {
  if (!isCuttingOver(connection) || needsDelegation(connection)) {
    return isDecisive(connection, record);
  }
  return !isValidationRecord(connection.hostname, record);
}

/**
 * A wildcard can be renewed by DNS-01 only (RFC 8555 §7.1.3), and so can a name behind a CDN that
 * hides HTTP-01 from the edge.
 */
export function needsDelegation({
  hostname,
  front,
}: Pick<Connection, "hostname" | "front">): boolean {
  return hostname.startsWith("*.") || front?.challenge === "hidden";
}
