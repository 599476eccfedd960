import type { Tx } from "../../db/engine/transaction.ts";
import {
  insertNames,
  lockScan,
  pauseQuestions,
  type RegisteredName,
  resumeQuestions,
  type Scan,
  type ScannedConnection,
  selectScanned,
  storeScan,
  upsertDomains,
} from "../../db/queries/registrations/registered-names.ts";
import { firstQuestionAt, registeredDomain } from "../../domain/registrations/registration.ts";
import type { Runtime } from "../runtime.ts";

/** Connections of one transaction. */
const defaultPieceSize = 1_000;
/** A transaction that made a connection with an earlier id may commit until then. */
const lateMs = 5 * 60_000;
/** After so long all connections are read again. */
const passMs = 86_400_000;
/** Somebody may be waiting at a connection that is not older: its registry is asked at once. */
const freshMs = 3_600_000;

/**
 * Finds the registered domains of connections that were made since the last run. It continues where
 * any worker stopped, one worker at a time, and reads all connections once a day. Making a
 * connection thus costs nothing, and two that are made at once do not wait for each other.
 */
export async function enrolDomains(runtime: Runtime, pieceSize = defaultPieceSize): Promise<void> {
  if (!runtime.config.rdap) return runtime.system(pauseQuestions);
  let position: Position = "stored";
  do {
    const from: Position = position;
    position = await runtime.system((tx) => enrolPiece(tx, from, pieceSize, runtime.clock.now()));
  } while (position !== "end");
}

/** After which connection a piece begins: where the scan is stored to be, or an id. */
type Position = "stored" | "end" | { readonly id: string };

/** Returns where the next piece begins. */
async function enrolPiece(tx: Tx, from: Position, pieceSize: number, now: Date): Promise<Position> {
  const scan = await lockScan(tx);
  if (scan === null) return "end";
  if (scan.startedAt === null) await resumeQuestions(tx);
  const after = typeof from === "object" ? from.id : scan.afterId;
  const read = await selectScanned(tx, after, pieceSize);
  const open = read.filter(({ isOpen }) => isOpen);
  await enrol(tx, open, now);
  const last = read.length < pieceSize ? null : read.at(-1);
  await storeScan(tx, nextScan(scan, last?.id ?? null, now));
  return last ? { id: last.id } : "end";
}

/**
 * What is stored stays behind the ids that may still come, which are read again until then. At the
 * end of a pass that began long ago the next one begins.
 */
function nextScan({ startedAt }: Scan, lastId: string | null, now: Date): Scan {
  const begun = startedAt ?? now;
  const settled = idAt(now.getTime() - lateMs);
  if (lastId !== null) {
    return { afterId: lastId < settled ? lastId : settled, startedAt: begun };
  }
  const hasEnded = now.getTime() - begun.getTime() >= passMs;
  return hasEnded ? { afterId: null, startedAt: now } : { afterId: settled, startedAt: begun };
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
