import { readFileSync } from "node:fs";
import { openDatabase } from "../../db/engine/pool.ts";
import {
  saveBootstrap,
  selectBootstrap,
  selectBootstrapTime,
  wakeWithoutServer,
} from "../../db/queries/registrations/bootstrap.ts";
import {
  type Bootstrap,
  BootstrapError,
  parseBootstrap,
} from "../../domain/registrations/bootstrap.ts";
import type { Runtime } from "../runtime.ts";

const file = new URL("../../../assets/rdap/dns.json", import.meta.url);

let shipped: Bootstrap | null = null;

/** The bootstrap file of the release. */
export function shippedBootstrap(): Bootstrap {
  shipped ??= parseBootstrap(readFileSync(file, "utf8"));
  return shipped;
}

/** The newer one of the file of the release and the one that an operator has installed. */
export type BootstrapSource = (runtime: Pick<Runtime, "system">) => Promise<Bootstrap>;

/** Reads an installed file once, and again when another was installed. */
export function createBootstrapSource(): BootstrapSource {
  let current = shippedBootstrap();
  return async (runtime) => {
    const installedAt = await runtime.system(selectBootstrapTime);
    const isInUse = installedAt?.getTime() === current.publishedAt.getTime();
    if (installedAt === null || isInUse || installedAt < shippedBootstrap().publishedAt) {
      return current;
    }
    const installed = await runtime.system(selectBootstrap);
    if (installed !== null) current = parseBootstrap(installed.content);
    return current;
  };
}

export interface RefreshedBootstrap {
  readonly bootstrap: Bootstrap;
  /** Domains that no server answered for before, and that are tried again. */
  readonly woken: number;
}

/**
 * Installs a bootstrap file for all workers. Throws a BootstrapError, and changes nothing, when it
 * is not one, or not newer than the one in use.
 */
export async function refreshBootstrap(
  runtime: Pick<Runtime, "transaction" | "clock">,
  content: string,
): Promise<RefreshedBootstrap> {
  const bootstrap = parseBootstrap(content);
  const now = runtime.clock.now();
  return runtime.transaction(async (tx) => {
    const installedAt = await selectBootstrapTime(tx);
    const inUse = Math.max(installedAt?.getTime() ?? 0, shippedBootstrap().publishedAt.getTime());
    if (bootstrap.publishedAt.getTime() <= inUse) {
      const day = new Date(inUse).toISOString();
      throw new BootstrapError(`the one in use, published ${day}, is not older`);
    }
    await saveBootstrap(tx, { publishedAt: bootstrap.publishedAt, content }, now);
    return { bootstrap, woken: await wakeWithoutServer(tx, now) };
  });
}

export interface BootstrapInUse {
  readonly publishedAt: Date;
  /** An operator has installed it; the release has an older one. */
  readonly isInstalled: boolean;
}

/** Which bootstrap file is in use, of a database whose schema is this release's. */
export async function inspectBootstrap(url: string): Promise<BootstrapInUse> {
  const database = openDatabase({ url, role: "mooring_operator" });
  const installedAt = await database
    .transaction(selectBootstrapTime)
    .finally(() => database.close());
  const { publishedAt } = shippedBootstrap();
  return installedAt !== null && installedAt > publishedAt
    ? { publishedAt: installedAt, isInstalled: true }
    : { publishedAt, isInstalled: false };
}
