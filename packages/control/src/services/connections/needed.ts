import type { Tx } from "../../db/engine/transaction.ts";
import { selectApplication } from "../../db/queries/applications/applications.ts";
import { type Connection, holdsClaim } from "../../domain/connections/connection.ts";
import { type ProofMethod, proofMethods } from "../../domain/connections/proof-methods.ts";
import { ownTarget } from "../../domain/connections/target.ts";
import { type NeededRecords, neededRecords } from "../../domain/records/needed-records.ts";
import type { Runtime } from "../runtime.ts";

/** The name that a connection's CNAME points to, and what its customer has to publish. */
export interface NamedRecords {
  readonly target: string;
  readonly needed: NeededRecords;
}

/** What the customer has to publish for the connection, by the rules of its application. */
export async function neededFor(
  runtime: Pick<Runtime, "config" | "applications">,
  connection: Connection,
): Promise<NeededRecords> {
  const allowed = isSettled(connection) ? proofMethods : await allowedProofs(runtime, connection);
  return neededRecords(connection, allowed, runtime.config);
}

export async function namedRecords(
  runtime: Pick<Runtime, "config" | "applications">,
  connection: Connection,
): Promise<NamedRecords> {
  return { ...named(runtime, connection), needed: await neededFor(runtime, connection) };
}

/** The same in a transaction, which must not wait for another connection to the database. */
export async function namedRecordsIn(
  { config }: Pick<Runtime, "config">,
  tx: Tx,
  connection: Connection,
): Promise<NamedRecords> {
  const application = isSettled(connection)
    ? null
    : await selectApplication(tx, connection.applicationId);
  return namedBy({ config }, application ?? { proofs: proofMethods }, connection);
}

/** The same where the application is known. */
export function namedBy(
  { config }: Pick<Runtime, "config">,
  { proofs }: { readonly proofs: readonly ProofMethod[] },
  connection: Connection,
): NamedRecords {
  const needed = neededRecords(connection, proofs, config);
  return { ...named({ config }, connection), needed };
}

function named({ config }: Pick<Runtime, "config">, connection: Connection) {
  return { target: ownTarget(config.edgeCname, connection) ?? config.edgeCname };
}

/** It is proven and nobody contests it: what could prove it does not matter. */
function isSettled({ state, contest }: Connection): boolean {
  return holdsClaim(state) && contest === null;
}

/** All of them where the application is not known. */
export async function allowedProofs(
  { applications }: Partial<Pick<Runtime, "applications">>,
  { applicationId }: Pick<Connection, "applicationId">,
): Promise<readonly ProofMethod[]> {
  return (await applications?.load(applicationId))?.proofs ?? proofMethods;
}
