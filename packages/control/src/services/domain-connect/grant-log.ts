import type { Change } from "@mooring/dns";
import { finishDnsWrite, insertDnsWrite, type WriteEnd } from "../../db/queries/dns-writes.ts";
import { insertTimeline } from "../../db/queries/events.ts";
import type { Connection } from "../../domain/connection.ts";
import type { DomainConnectGrant } from "../../domain/domain-connect.ts";
import { newId } from "../../domain/id.ts";
import type { Runtime } from "../runtime.ts";

/** How a grant's writes are told from those of a credential. */
export function grantWriter({ providerName }: DomainConnectGrant): string {
  return `${providerName} (Domain Connect)`;
}

/** On record before the provider hears of it. */
export async function planWrite(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  changes: readonly Change[],
): Promise<string> {
  const createdAt = runtime.clock.now();
  const id = newId(createdAt);
  await runtime.system((tx) =>
    insertDnsWrite(tx, connection, {
      id,
      credentialId: null,
      provider: grantWriter(grant),
      zone: grant.zone,
      changes,
      purpose: "connection",
      createdAt,
    }),
  );
  return id;
}

export async function endWrite(
  runtime: Runtime,
  connection: Connection,
  grant: DomainConnectGrant,
  id: string,
  end: WriteEnd,
): Promise<void> {
  const now = runtime.clock.now();
  await runtime.system(async (tx) => {
    await finishDnsWrite(tx, id, end, now);
    await insertTimeline(tx, connection, {
      kind: "write",
      fromState: null,
      toState: null,
      errorCode: null,
      details: {
        via: "domain_connect",
        provider: grant.providerName,
        zone: grant.zone,
        outcome: end.outcome,
        ...(end.error === null ? {} : { error: end.error }),
      },
      createdAt: now,
    });
  });
}
