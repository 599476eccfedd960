import type { DomainCheck } from "@mooring/sdk";

export type SetupWay = DomainCheck["guide"]["ways"][number];

/** The ways to set the records, the easiest first; without a check, by hand only. */
export function setupWays(check: DomainCheck | null): readonly SetupWay[] {
  return check?.guide.ways ?? ["manual"];
}

/** Those that are easier for the customer than adding the records by hand. */
export function easyWays(check: DomainCheck | null): readonly SetupWay[] {
  const ways = setupWays(check);
  return ways.slice(0, ways.indexOf("manual"));
}

export function hasCredential(check: DomainCheck | null): boolean {
  return setupWays(check).some((way) => way === "token" || way === "api");
}
