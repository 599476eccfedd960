import type { FoundZone, Resolver } from "@mooring/dns";
import { isSandboxName } from "../../domain/sandbox.ts";
import { type LookRuntime, recentFacts } from "./recent-facts.ts";

/** Long enough for the calls of one visit, short enough for a person who moves a zone meanwhile. */
const LIFETIME_MS = 10_000;

/**
 * `findZone` with the zones of the last seconds remembered per process. For detection only: a proof
 * or a check of records asks afresh. Sandbox zones change under their tester's hands, so never.
 */
export async function findKnownZone(
  runtime: LookRuntime,
  resolver: Resolver,
  name: string,
  signal: AbortSignal,
): Promise<FoundZone> {
  if (isSandboxName(name)) return resolver.findZone(name, signal);
  const { zones } = recentFacts(runtime);
  const known = zones.get(name);
  if (known !== undefined) return known;
  const found = await resolver.findZone(name, signal);
  if (found.outcome === "found") zones.set(name, found, LIFETIME_MS);
  return found;
}
