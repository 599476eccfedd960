import { ProviderError, type ProviderErrorKind } from "@mooring/dns";
import type { Tx } from "../../db/engine/transaction.ts";
import {
  lockCredentialHealth,
  noteCredentialUse,
  type StoredHealth,
  touchCredential,
} from "../../db/queries/applications/credentials.ts";
import { selectConnection } from "../../db/queries/connections/connections.ts";
import { fanOut } from "../../db/queries/webhooks/deliveries.ts";
import { insertApplicationEvent } from "../../db/queries/webhooks/events.ts";
import { afterUse } from "../../domain/applications/credential-health.ts";
import type { CredentialEventType } from "../../domain/webhooks/event.ts";
import type { Runtime } from "../runtime.ts";

/** A use of a stored credential, and the connection that it was for. */
export interface CredentialUse {
  readonly credentialId: string;
  readonly connectionId: string | null;
}

/**
 * Stores how a use of a credential ended. Its error, whether it is failing, and the event about
 * that commit together; concurrent uses are noted one after the other.
 */
export function noteUse(
  runtime: Runtime,
  use: CredentialUse,
  error: ProviderError | null,
): Promise<void> {
  return runtime.system(async (tx) => {
    const credential = await lockCredentialHealth(tx, use.credentialId);
    // Deleted meanwhile: there is nobody left to tell.
    if (credential === null) return;
    const now = runtime.clock.now();
    const kind = error?.kind ?? null;
    const { health, event } = afterUse(credential, kind, now);
    const failure = error && { message: error.message, isRefusal: error.kind === "auth" };
    await noteCredentialUse(tx, use.credentialId, now, { failure, health });
    if (event !== null) await report(tx, use, credential, { type: event, kind, at: now });
  });
}

/** Runs a call with a stored credential, and stores its failure with it. */
export async function notingFailure<T>(
  runtime: Runtime,
  use: CredentialUse | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (use !== null && error instanceof ProviderError) await noteUse(runtime, use, error);
    throw error;
  }
}

/** It was used, which is no proof that it works: some providers let any credential list zones. */
export function noteListing(runtime: Runtime, { credentialId }: CredentialUse): Promise<void> {
  return runtime.system((tx) => touchCredential(tx, credentialId, runtime.clock.now()));
}

async function report(
  tx: Tx,
  { credentialId, connectionId }: CredentialUse,
  { applicationId, provider, name, ...scope }: StoredHealth,
  event: {
    readonly type: CredentialEventType;
    readonly kind: ProviderErrorKind | null;
    readonly at: Date;
  },
): Promise<void> {
  const { type, kind, at } = event;
  const connection = connectionId === null ? null : await selectConnection(tx, connectionId);
  const data = { credential: { id: credentialId, provider, name, kind } };
  const id = await insertApplicationEvent(tx, scope, { type, applicationId, at, connection, data });
  await fanOut(tx, { id, applicationId, type, at });
}
