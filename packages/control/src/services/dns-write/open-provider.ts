import {
  certificatePin,
  type DnsProvider,
  findAdapter,
  ProviderError,
  type ProviderManifest,
  type Zone,
} from "@mooring/dns";
import { VaultError } from "@mooring/vault";
import { z } from "zod";
import type { SealedCredential } from "../../db/queries/applications/credentials.ts";
import { insertAudit } from "../../db/queries/operator/audit.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { credentialContext } from "../credentials/credentials.ts";
import { isSwitchedOff, knownFields } from "../credentials/providers.ts";
import { adapterFields, freshSignIn } from "../oauth/retained.ts";
import type { Runtime } from "../runtime.ts";
import { sandboxAdapter } from "../sandbox/provider.ts";
import { noteListing, notingFailure } from "./note-use.ts";
import { type CustomerServer, createProviderLine, type ProviderLine } from "./traffic.ts";

/** For which tenant and names a credential is opened, and by whom. */
export interface Purpose extends TenantScope {
  readonly names: readonly string[];
  /** As the audit log names it. */
  readonly actor: string;
  readonly connectionId: string | null;
}

export interface OpenedProvider {
  readonly provider: DnsProvider;
  readonly manifest: ProviderManifest;
  readonly line: ProviderLine;
  /** Where zone names are unique: the provider, and the server for self-hosted providers. */
  readonly realm: string;
  /** Listings come over a network, so they can be incomplete. */
  readonly isRemote: boolean;
  /** Null for a credential that was given for one call. */
  readonly credentialId: string | null;
}

export type Fields = Readonly<Record<string, string>>;

const StoredFields = z.record(z.string(), z.string());

/** Opens a stored credential; every opening leaves an audit row. Failures are ProviderErrors. */
export async function openStored(
  runtime: Runtime,
  purpose: Purpose,
  credential: SealedCredential,
): Promise<OpenedProvider> {
  const sealed = await freshSignIn(runtime, credential);
  const fields = adapterFields(unseal(runtime, purpose, { ...credential, sealed }));
  await runtime.system((tx) =>
    insertAudit(tx, {
      tenantId: purpose.tenantId,
      environment: purpose.environment,
      at: runtime.clock.now(),
      actor: purpose.actor,
      action: "credential.open",
      subject: `credential:${credential.id}`,
      details: { connection_id: purpose.connectionId },
    }),
  );
  const opened = openProvider(runtime, purpose, credential.provider, fields, credential.id);
  return { ...opened, credentialId: credential.id };
}

/** A row that was moved or altered does not open. The log says why; the caller does not. */
function unseal(runtime: Runtime, purpose: Purpose, credential: SealedCredential): Fields {
  try {
    const context = credentialContext(purpose.tenantId, credential.id);
    const plain = runtime.vault.open("dns_credential", context, credential.sealed).toString("utf8");
    return StoredFields.parse(JSON.parse(plain));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    runtime.log.error({ err: error, credentialId: credential.id }, "credential not opened");
    throw new ProviderError("auth", "The stored credential cannot be opened; store it again.");
  }
}

/** Opens a credential that was given for this call; it is not stored. */
export function openUnstored(
  runtime: Runtime,
  purpose: Purpose,
  slug: string,
  fields: Fields,
): OpenedProvider {
  const key = purpose.connectionId ?? purpose.tenantId;
  return { ...openProvider(runtime, purpose, slug, fields, key), credentialId: null };
}

/** A provider's adapter over the guarded network, or the sandbox's over the database. */
function openProvider(
  runtime: Runtime,
  purpose: Purpose,
  slug: string,
  fields: Fields,
  key: string,
): Omit<OpenedProvider, "credentialId"> {
  if (isSwitchedOff(runtime.config, slug)) {
    throw new ProviderError("unsupported", `Records are not written at ${slug} at present.`);
  }
  const remote = findAdapter(slug);
  const adapter = remote ?? sandboxAdapter(runtime, purpose, slug);
  if (!adapter) throw new ProviderError("unsupported", `Records cannot be written at ${slug}.`);
  const server = customerServer(adapter.manifest, fields);
  const line = createProviderLine(runtime.providerTraffic, runtime.egress, key, server);
  const known = knownFields(runtime.config, adapter.manifest);
  const provider = adapter.open(
    { ...known, ...fields },
    { ...line, now: () => runtime.clock.now() },
  );
  const { manifest } = adapter;
  const realm = [slug, ...(manifest.serverFields ?? []).map((field) => fields[field] ?? "")];
  const isRemote = remote !== null;
  return { provider, manifest, line, realm: realm.join(" ").toLowerCase(), isRemote };
}

/** How the server that the customer named must show itself; null where the provider's is used. */
export function customerServer(manifest: ProviderManifest, fields: Fields): CustomerServer | null {
  if (manifest.serverFields === undefined) return null;
  return { certificateSha256: certificatePin(manifest, fields) };
}

/** The zones of a stored credential; a failure is stored on it. */
export async function listZones(
  runtime: Runtime,
  purpose: Purpose,
  credential: SealedCredential,
  signal: AbortSignal,
): Promise<{ readonly opened: OpenedProvider; readonly zones: readonly Zone[] }> {
  const use = { credentialId: credential.id, connectionId: purpose.connectionId };
  return notingFailure(runtime, use, async () => {
    const opened = await openStored(runtime, purpose, credential);
    const zones = await opened.provider.listZones(signal);
    await noteListing(runtime, use);
    return { opened, zones };
  });
}
