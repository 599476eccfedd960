/**
 * Names and asking DNS, for processes that write no records. It loads no provider, plan or
 * template: those take six megabytes in each process of an edge.
 */
export { type CdnFinder, type CdnRanges, createCdnFinder, parseCdnRanges } from "./cdn/cdn.ts";
export { shippedRanges, shippedRangesDate } from "./cdn/shipped-ranges.ts";
export { acmeChallengeName, checkAlias, persistChallengeName } from "./checks/alias.ts";
export { type CaaVerdict, caaAllows } from "./checks/caa.ts";
export { resolveAddresses } from "./checks/records.ts";
export { foreignLine, foreignText } from "./foreign-text.ts";
export { isAtOrBelow, toUnicode, wildcardOver } from "./name.ts";
export { createNameFilter, type NameFilter, readNameFilter } from "./name-filter.ts";
export { providerSlugs } from "./providers/adapter/slugs.ts";
export { canonicalIpv6 } from "./record.ts";
export { askAuthority, withoutCaches } from "./resolve/at-authority.ts";
export { createNetworkResolver } from "./resolve/network-resolver.ts";
export type { NameServer, Reply, Resolver } from "./resolve/resolver.ts";
export {
  type NameServerStats,
  type RunningNameServer,
  startNameServer,
} from "./server/name-server.ts";
export {
  createAnswerer,
  type ValidationNames,
  type ValidationZone,
  validationNegativeTtlSeconds,
  validationZoneProblem,
} from "./server/validation-zone.ts";
