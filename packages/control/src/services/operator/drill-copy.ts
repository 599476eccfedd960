import { randomUUID } from "node:crypto";
import { openDatabase } from "../../db/engine/pool.ts";
import {
  type DrillName,
  insertDrillNames,
  selectDrillNames,
} from "../../db/queries/certificates/drill-names.ts";
import type { Runtime } from "../runtime.ts";

export type { DrillName } from "../../db/queries/certificates/drill-names.ts";

/** The names that a drill copies: hostnames and times, no key. Writes nothing. */
export function readDrillNames(
  runtime: Pick<Runtime, "transaction" | "clock">,
  limit: number,
): Promise<{ readonly names: readonly DrillName[]; readonly total: number }> {
  return runtime.transaction((tx) => selectDrillNames(tx, limit, runtime.clock.now()));
}

const day = 86_400_000;
const lifeMs = 90 * day;
const syntheticTenants = 20;

/**
 * Names for a drill where there are none: certificates of 90 days, with ages as after some months
 * of operation.
 */
export function syntheticDrillNames(count: number, now: Date): readonly DrillName[] {
  const tenants = Array.from({ length: Math.min(count, syntheticTenants) }, () => ({
    tenantId: randomUUID(),
    applicationId: randomUUID(),
  }));
  return Array.from({ length: count }, (_, index) => {
    const owner = tenants[index % tenants.length];
    if (owner === undefined) throw new Error("no tenant");
    const notBefore = now.getTime() - Math.floor(((index + 0.5) / count) * (lifeMs * 2)) / 3;
    return {
      ...owner,
      hostname: `www.n${index}.example`,
      connectionId: randomUUID(),
      environment: "live",
      registrableDomain: `n${index}.example`,
      notBefore: new Date(notBefore),
      notAfter: new Date(notBefore + lifeMs),
      renewAt: new Date(notBefore + (lifeMs * 2) / 3),
    };
  });
}

/** Fills a new, migrated database, which must not be that of an installation. */
export async function writeDrillCopy(
  url: string,
  names: readonly DrillName[],
  rest: {
    readonly issuer: string;
    readonly makeChain: (name: DrillName) => string;
    readonly now: Date;
  },
): Promise<void> {
  const database = openDatabase({ url, role: "mooring_operator", max: 1 });
  const { issuer, now } = rest;
  const chains = names.map(rest.makeChain);
  try {
    await database.transaction((tx) => insertDrillNames(tx, names, { issuer, chains, now }));
  } finally {
    await database.close();
  }
}
