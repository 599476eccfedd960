import {
  countClaims,
  selectClaimChanges,
  selectClaimNames,
} from "../../db/queries/transparency/foreign-certificates.ts";
import { type ClaimFilter, createClaimFilter } from "../../domain/transparency/claim-filter.ts";
import type { Runtime } from "../runtime.ts";

/** The filter of the claims of all tenants, in the memory of this process. */
export interface ClaimNames {
  /** With every claim that was made some seconds before. */
  current(): Promise<ClaimFilter>;
}

const pageSize = 10_000;
/** Changes that are read again: those whose transaction took longer than a later one. */
const overlap = 1_000;
/** The log of changes has so many at least. */
const maxChanges = 90_000;
/** Released names are dropped when the filter is made again. */
const maxAgeMs = 6 * 3_600_000;
/** Room for claims that are made later. */
const growth = 1.25;

interface Filled {
  readonly filter: ClaimFilter;
  readonly madeAt: number;
  names: number;
  position: number;
}

export function createClaimNames({
  database,
  clock,
}: Pick<Runtime, "database" | "clock">): ClaimNames {
  let filled: Filled | null = null;
  let running: Promise<ClaimFilter> | null = null;

  async function fill(): Promise<Filled> {
    const madeAt = clock.now().getTime();
    const { last } = await selectClaimChanges(database, Number.MAX_SAFE_INTEGER);
    const count = await countClaims(database);
    const filter = createClaimFilter(Math.ceil(count * growth));
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page: readonly string[] = await selectClaimNames(database, after, pageSize);
      for (const name of page) filter.add(name);
      after = page.length < pageSize ? undefined : page.at(-1);
    }
    return { filter, madeAt, names: count, position: last };
  }

  async function refresh(): Promise<ClaimFilter> {
    const isOld = filled === null || clock.now().getTime() - filled.madeAt > maxAgeMs;
    if (filled === null || isOld) {
      filled = await fill();
      return filled.filter;
    }
    const { last, names } = await selectClaimChanges(database, filled.position - overlap);
    const isLost = last - filled.position > maxChanges;
    if (isLost || filled.names + names.length > filled.filter.capacity) {
      filled = await fill();
      return filled.filter;
    }
    for (const name of names) filled.filter.add(name);
    if (last > filled.position) filled.names += last - filled.position;
    filled.position = last;
    return filled.filter;
  }

  return {
    async current() {
      running ??= refresh().finally(() => {
        running = null;
      });
      return running;
    },
  };
}
