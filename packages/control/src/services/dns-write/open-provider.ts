import { type DnsProvider, findAdapter, type ProviderManifest } from "@mooring/dns";
import { z } from "zod";
import { insertAudit } from "../../db/audit.ts";
import { noteCredentialUse, type SealedCredential } from "../../db/credentials.ts";
import { inSystem } from "../../db/transaction.ts";
import type { Connection } from "../../domain/connection.ts";
import { credentialContext } from "../credentials/seal.ts";
import type { Runtime } from "../runtime.ts";
import { sandboxAdapter } from "../sandbox/adapter.ts";

export interface OpenedProvider {
  readonly provider: DnsProvider;
  readonly manifest: ProviderManifest;
  readonly credentialId: string | null;
}

const Fields = z.record(z.string(), z.string());

/** Opens a stored credential; every opening leaves an audit row. Null when nothing can write with it. */
export async function openStored(
  runtime: Runtime,
  connection: Connection,
  credential: SealedCredential,
): Promise<OpenedProvider | null> {
  const place = credentialContext(connection.tenantId, credential.id);
  const plain = runtime.vault.open("dns_credential", place, credential.sealed).toString("utf8");
  const fields = Fields.parse(JSON.parse(plain));
  const opened = openProvider(runtime, connection, credential.provider, fields);
  if (!opened) return null;
  await inSystem(runtime.database.query, (tx) =>
    insertAudit(tx, {
      tenantId: connection.tenantId,
      environment: connection.environment,
      at: runtime.clock.now(),
      actor: "worker",
      action: "credential.open",
      subject: `credential:${credential.id}`,
      details: { connection_id: connection.id },
    }),
  );
  return { ...opened, credentialId: credential.id };
}

/** A provider's adapter over the guarded network, or the sandbox's over the database. */
function openProvider(
  runtime: Runtime,
  connection: Connection,
  slug: string,
  fields: Readonly<Record<string, string>>,
): Omit<OpenedProvider, "credentialId"> | null {
  const adapter = findAdapter(slug) ?? sandboxAdapter(runtime, connection, slug);
  if (!adapter) return null;
  const { egress, clock } = runtime;
  const provider = adapter.open(fields, {
    fetch: egress.fetch,
    dial: async (host, port, signal) => (await egress.dial({ host, port, signal })).socket,
    now: () => clock.now(),
  });
  return { provider, manifest: adapter.manifest };
}

export function noteUse(
  runtime: Runtime,
  credentialId: string,
  error: string | null,
): Promise<void> {
  return inSystem(runtime.database.query, (tx) =>
    noteCredentialUse(tx, credentialId, runtime.clock.now(), error),
  );
}
