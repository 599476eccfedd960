import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  type Config,
  type DrillName,
  databaseUrl,
  readDrillNames,
  schemaVersions,
  syntheticDrillNames,
  writeDrillCopy,
} from "@mooring/control";
import { drillChain, drillIssuer } from "@mooring/edge";
import { startPostgres } from "@mooring/embedded-postgres";
import { exitCode } from "../../action.ts";
import { bringUpToDate, withOperator } from "../database/database.ts";
import { CommandError } from "../failure.ts";

export interface DrillNames {
  readonly names: readonly DrillName[];
  /** Of the installation; 0 where the names are made up. */
  readonly total: number;
}

/** The installation's names, read only; made-up ones where it has none, or is not there. */
export async function namesFor(config: Config, limit: number, now: Date): Promise<DrillNames> {
  const found = hasDatabase(config)
    ? await withOperator(config, (runtime) => readDrillNames(runtime, limit))
    : { names: [], total: 0 };
  if (found.names.length > 0) return found;
  return { names: syntheticDrillNames(Math.min(limit, syntheticCount), now), total: 0 };
}

const syntheticCount = 200;

function hasDatabase(config: Config): boolean {
  try {
    return databaseUrl(config) !== "";
  } catch {
    return false; // a drill with made-up names needs none
  }
}

/**
 * Runs `work` on a copy of the names in a database of its own: a temporary PostgreSQL server, or
 * the empty database at `scratchUrl`.
 */
export async function withCopy<T>(
  config: Config,
  names: readonly DrillName[],
  { scratchUrl, now }: { readonly scratchUrl: string | null; readonly now: Date },
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (scratchUrl !== null) {
    await requireScratch(config, scratchUrl);
    return onCopy(scratchUrl, names, now, work);
  }
  const directory = await mkdtemp(path.join(tmpdir(), "mooring-drill-"));
  const server = await startPostgres({ dataDir: directory, log: { info: () => undefined } });
  try {
    return await onCopy(server.url, names, now, work);
  } finally {
    await server.stop();
    await rm(server.directory, { recursive: true, force: true });
    await rm(directory, { recursive: true, force: true });
  }
}

async function onCopy<T>(
  url: string,
  names: readonly DrillName[],
  now: Date,
  work: (url: string) => Promise<T>,
): Promise<T> {
  await bringUpToDate(url);
  await writeDrillCopy(url, names, { issuer: drillIssuer, makeChain: drillChain, now });
  return work(url);
}

/** A drill renews everything in its database: it must never be an installation's. */
async function requireScratch(config: Config, url: string): Promise<void> {
  const isOwn = hasDatabase(config) && url === databaseUrl(config);
  if (!isOwn && (await schemaVersions(url)).actual === 0) return;
  const message = "--scratch must be an empty database: a drill writes to it";
  throw new CommandError(message, exitCode.usage, "usage");
}
