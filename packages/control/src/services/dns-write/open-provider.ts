import {
  type DnsProvider,
  findAdapter,
  ProviderError,
  type ProviderManifest,
  type Zone,
} from "@mooring/dns";
import { VaultError } from "@mooring/vault";
import { z } from "zod";
import { insertAudit } from "../../db/queries/audit.ts";
import { noteCredentialUse, type SealedCredential } from "../../db/queries/credentials.ts";
import type { TenantScope } from "../../domain/tenancy.ts";
import { credentialContext } from "../credentials.ts";
import { isSwitchedOff } from "../providers.ts";
import type { Runtime } from "../runtime.ts";
import { sandboxAdapter } from "../sandbox/provider.ts";
import { createProviderLine, type ProviderLine } from "./traffic.ts";

/** For whom, for which names and by whom a credential is opened. */
export interface Purpose extends TenantScope {
  readonly names: readonly string[];
  /** As the audit log has it. */
  readonly actor: string;
  readonly connectionId: string | null;
}

export interface OpenedProvider {
  readonly provider: DnsProvider;
  readonly manifest: ProviderManifest;
  readonly line: ProviderLine;
  /** Whose zones these are: the provider, and the server where everybody runs their own. */
  readonly realm: string;
  /** Its answers come over a network, so that they can be cut short. */
  readonly isRemote: boolean;
  /** Null for a credential that was given once. */
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
  const fields = unseal(runtime, purpose, credential);
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

/** A row that was moved or altered does not open; the log says so and nobody else hears why. */
function unseal(runtime: Runtime, purpose: Purpose, credential: SealedCredential): Fields {
  try {
    const place = credentialContext(purpose.tenantId, credential.id);
    const plain = runtime.vault.open("dns_credential", place, credential.sealed).toString("utf8");
    return StoredFields.parse(JSON.parse(plain));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    runtime.log.error({ err: error, credentialId: credential.id }, "a credential does not open");
    throw new ProviderError("auth", "The stored credential cannot be opened; store it again.");
  }
}

/** Opens what was given for this one call; it is kept nowhere. */
export function openGiven(
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
  const line = createProviderLine(runtime.providerTraffic, runtime.egress, key);
  const provider = adapter.open(fields, { ...line, now: () => runtime.clock.now() });
  const { manifest } = adapter;
  const realm = [slug, ...(manifest.serverFields ?? []).map((field) => fields[field] ?? "")];
  const isRemote = remote !== null;
  return { provider, manifest, line, realm: realm.join(" ").toLowerCase(), isRemote };
}

/** The zones of a stored credential; what came of asking is noted on it. */
export async function listZones(
  runtime: Runtime,
  purpose: Purpose,
  credential: SealedCredential,
  signal: AbortSignal,
): Promise<{ readonly opened: OpenedProvider; readonly zones: readonly Zone[] }> {
  try {
    const opened = await openStored(runtime, purpose, credential);
    const zones = await opened.provider.listZones(signal);
    await noteUse(runtime, credential.id, null);
    return { opened, zones };
  } catch (error) {
    if (error instanceof ProviderError) await noteUse(runtime, credential.id, error);
    throw error;
  }
}

export function noteUse(
  runtime: Runtime,
  credentialId: string,
  error: ProviderError | null,
): Promise<void> {
  const failure = error ? { message: error.message, isRefusal: error.kind === "auth" } : null;
  return runtime.system((tx) => noteCredentialUse(tx, credentialId, runtime.clock.now(), failure));
}
