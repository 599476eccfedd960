import type { Tx } from "../../db/engine/transaction.ts";
import { selectValidationLabel } from "../../db/queries/certificates/validation.ts";
import {
  insertTarget,
  lockSharing,
  passTarget,
  replaceLabel,
  selectTargetLabel,
} from "../../db/queries/connections/targets.ts";
import { validationZoneFor } from "../../domain/certificates/validation.ts";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
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

/**
 * The connection has another customer from now on, who has its target, and the former has not. What
 * is not proven yet gets other names where it shares them with the former customer's: one record
 * would prove for both.
 */
export async function passLabels(
  tx: Tx,
  connection: Connection,
  customerRef: Connection["customerRef"],
  now: Date,
): Promise<void> {
  if (connection.targetLabel !== null) {
    await passTarget(tx, connection.targetLabel, customerRef);
    for (const other of await lockSharing(tx, connection, "target_label")) {
      if (holdsClaim(other.state)) continue;
      const label = newRandomLabel();
      await replaceLabel(tx, other, "target_label", label);
      await insertTarget(tx, other, label, now);
    }
  }
  await passValidation(tx, connection, customerRef);
}

async function passValidation(
  tx: Tx,
  connection: Connection,
  customerRef: Connection["customerRef"],
): Promise<void> {
  if (connection.validationLabel === null) return;
  const sharing = await lockSharing(tx, connection, "validation_label");
  if (holdsClaim(connection.state)) {
    for (const other of sharing) {
      if (!holdsClaim(other.state)) {
        await replaceLabel(tx, other, "validation_label", newRandomLabel());
      }
    }
    return;
  }
  const theirs = await selectValidationLabel(tx, { ...connection, customerRef });
  const label = theirs ?? (sharing.length > 0 ? newRandomLabel() : null);
  if (label !== null) await replaceLabel(tx, connection, "validation_label", label);
}
