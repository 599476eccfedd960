import type { Tx } from "../../db/engine/transaction.ts";
import { selectValidationLabel } from "../../db/queries/certificates/validation.ts";
import { insertTarget, selectTargetLabel } from "../../db/queries/connections/targets.ts";
import { validationZoneFor } from "../../domain/certificates/validation.ts";
import type { Connection } from "../../domain/connections/connection.ts";
import { newRandomLabel } from "../../domain/random-label.ts";
import type { Runtime } from "../runtime.ts";

// The labels of a connection's own names in our zones. Those from before there were such names get
// theirs with a check.

export async function chooseLabel(
  { config }: Pick<Runtime, "config">,
  tx: Tx,
  connection: Connection,
): Promise<string | null> {
  const { validationLabel, hostname } = connection;
  if (validationLabel !== null || validationZoneFor(config.validationZone, hostname) === null) {
    return validationLabel;
  }
  return (await selectValidationLabel(tx, connection)) ?? newRandomLabel();
}

export interface ChosenTarget {
  readonly label: string | null;
  readonly isNew: boolean;
}

/** For the next time: the records that the connection has stay. */
export async function chooseTarget(
  { config }: Pick<Runtime, "config">,
  tx: Tx,
  connection: Connection,
): Promise<ChosenTarget> {
  const { targetLabel } = connection;
  if (targetLabel !== null || config.edgeTargets !== "unique") {
    return { label: targetLabel, isNew: false };
  }
  const known = await selectTargetLabel(tx, connection);
  return { label: known ?? newRandomLabel(), isNew: known === null };
}

/** Stores a target that is new, under the hostname's lock. */
export async function noteTarget(
  tx: Tx,
  connection: Connection,
  { label, isNew }: ChosenTarget,
  now: Date,
): Promise<void> {
  if (isNew && label !== null) await insertTarget(tx, connection, label, now);
}
