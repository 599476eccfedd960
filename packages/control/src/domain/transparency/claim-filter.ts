import { createNameFilter } from "@mooring/dns";

/**
 * Tells most names of certificates that concern no claim. A wildcard concerns the claims one label
 * below its parent, and that of the wildcard itself; another name the claim of exactly that name.
 */
export interface ClaimFilter {
  /** How many claims it is made for. */
  readonly capacity: number;
  add(hostname: string): void;
  mayConcern(name: string): boolean;
}

/**
 * Wildcards are looked up by two filters with seeds of their own: logs have many, and each that
 * passes is searched for in the database.
 */
export function createClaimFilter(claims: number): ClaimFilter {
  const names = createNameFilter(claims);
  const wildcards = [createNameFilter(claims), createNameFilter(claims)];
  return {
    capacity: names.capacity,
    add(hostname) {
      names.add(hostname);
      const wildcard = `*${hostname.slice(hostname.indexOf("."))}`;
      for (const filter of wildcards) filter.add(wildcard);
    },
    mayConcern(name) {
      if (!name.startsWith("*.")) return names.mayHave(name);
      return wildcards.every((filter) => filter.mayHave(name));
    },
  };
}
