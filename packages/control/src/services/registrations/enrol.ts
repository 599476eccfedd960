import type { Tx } from "../../db/engine/transaction.ts";
import {
  insertNames,
  lockScan,
  type RegisteredName,
  type Scan,
  type ScannedConnection,
  selectScanned,
  storeScan,
  upsertDomains,
} from "../../db/queries/registrations/registered-names.ts";
import { firstQuestionAt, registeredDomain } from "../../domain/registrations/registration.ts";
import type { Runtime } from "../runtime.ts";

/** Connections of one transaction. */
const pieceSize = 1_000;
/** A transaction that made a connection with an earlier id may commit until then. */
const lateMs = 5 * 60_000;
/** After so long all connections are read again. */
const passMs = 86_400_000;
/** Somebody may look at a connection that is not older: its registry is asked at once. */
const freshMs = 3_600_000;

/**
 * Finds the registered domains of connections that were made since the last run. It continues where
 * any worker stopped, one worker at a time, and reads all connections once a day. Making a
 * connection thus costs nothing, and two that are made at once do not wait for each other.
 */
export async function enrolDomains(runtime: Runtime): Promise<void> {
  if (!runtime.config.rdap) return;
  while (await runtime.system((tx) => enrolPiece(tx, runtime.clock.now())));
}

/** Returns whether there may be more. */
async function enrolPiece(tx: Tx, now: Date): Promise<boolean> {
  const scan = await lockScan(tx);
  if (scan === null) return false;
  const { found, lastId } = await selectScanned(tx, scan.afterId, pieceSize);
  await enrol(tx, found, now);
  const isWhole = found.length === 0 && lastId === null;
  const hasMore = lastId !== null && lastId < idAt(now.getTime() - lateMs);
  await storeScan(tx, nextScan(scan, hasMore ? lastId : null, now, isWhole || !hasMore));
  return hasMore;
}

function nextScan(scan: Scan, lastId: string | null, now: Date, isAtEnd: boolean): Scan {
  const startedAt = scan.startedAt ?? now;
  if (!isAtEnd) return { afterId: lastId, startedAt };
  if (now.getTime() - startedAt.getTime() >= passMs) return { afterId: null, startedAt: now };
  const end = idAt(now.getTime() - lateMs);
  const afterId = scan.afterId !== null && scan.afterId > end ? scan.afterId : end;
  return { afterId, startedAt };
}

/** The first id of a time: ids begin with it (RFC 9562 §5.7). */
function idAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

async function enrol(tx: Tx, found: readonly ScannedConnection[], now: Date): Promise<void> {
  const names = found.flatMap((connection): RegisteredName[] => {
    const domain = registeredDomain(connection.hostname);
    const { id: connectionId, tenantId, environment } = connection;
    return domain === null ? [] : [{ connectionId, tenantId, environment, domain }];
  });
  const fresh = idAt(now.getTime() - freshMs);
  const awaited = new Set(
    names.filter(({ connectionId }) => connectionId > fresh).map(({ domain }) => domain),
  );
  const domains = await insertNames(tx, names);
  const asked = domains.map((domain) => ({
    domain,
    askAt: awaited.has(domain) ? now : firstQuestionAt(domain, now),
  }));
  await upsertDomains(tx, asked, now);
}
