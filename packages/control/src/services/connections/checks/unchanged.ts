import { isDeepStrictEqual } from "node:util";
import type { ConnectionUpdate } from "../../../db/queries/connections/connections.ts";
import type { Connection } from "../../../domain/connections/connection.ts";

/**
 * Whether a check leaves a live connection as it is: only the times of the check differ. Of other
 * states the number of checks matters too, so that each of their checks changes something.
 */
export function isUnchanged(
  connection: Connection,
  update: ConnectionUpdate,
): update is ConnectionUpdate & { readonly dueAt: Date } {
  if (connection.state !== "live" || update.state !== "live" || update.dueAt === null) return false;
  if (update.silentServers !== undefined || update.watchedAt !== undefined) return false;
  const { contest = connection.contest, cutover = connection.cutover } = update;
  const { front = connection.front } = update;
  const { validationLabel, validationStatus } = update.validation ?? connection;
  const targetLabel = update.targetLabel ?? connection.targetLabel;
  const ownership = update.ownership ?? connection.ownership;
  const labels = { validationLabel, validationStatus, targetLabel };
  const after = { ...connection, ...update, contest, cutover, front, ownership, ...labels };
  return isDeepStrictEqual(written(after), written(connection));
}

/** What a check may write, without the times that every check has. */
function written(connection: Connection) {
  return {
    setupType: connection.setupType,
    errorCode: connection.errorCode,
    zone: connection.zone,
    desiredRecords: connection.desiredRecords,
    pendingRecords: connection.pendingRecords,
    observedRecords: connection.observedRecords.map(({ observed_at, ...record }) => record),
    phaseStartedAt: connection.phaseStartedAt,
    misses: connection.misses,
    firstMissAt: connection.firstMissAt,
    firstLiveAt: connection.firstLiveAt,
    certificateId: connection.certificateId,
    sequence: connection.sequence,
    archivedAt: connection.archivedAt,
    contest: connection.contest,
    cutover: connection.cutover,
    front: connection.front,
    validationLabel: connection.validationLabel,
    validationStatus: connection.validationStatus,
    targetLabel: connection.targetLabel,
    ownership: connection.ownership,
  };
}
