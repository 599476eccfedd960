import { ProviderError, type ProviderErrorKind } from "@mooring/dns";
import { selectSealedCredential } from "../../db/queries/applications/credentials.ts";
import { notFound } from "../../domain/errors.ts";
import { actorLabel } from "../../domain/tenancy.ts";
import { requireApplication } from "../applications/applications.ts";
import { audit, type ServiceContext } from "../context.ts";
import { noteUse } from "../dns-write/note-use.ts";
import { listZones } from "../dns-write/open-provider.ts";
import { hasTimedOut } from "../dns-write/writer.ts";

export interface CredentialTrial {
  /** Names of the zones that the credential can list, at most 50. */
  readonly zones: readonly string[];
  readonly error: { readonly kind: ProviderErrorKind; readonly message: string } | null;
}

const maxZones = 50;

/** Lists the zones that the credential can see at its provider, and stores the outcome with it. */
export async function tryCredential(
  ctx: ServiceContext,
  applicationId: string,
  credentialId: string,
): Promise<CredentialTrial> {
  const credential = await ctx.write(async (tx) => {
    await requireApplication(tx, applicationId);
    const found = await selectSealedCredential(tx, applicationId, credentialId);
    if (!found) throw notFound("credential");
    await audit(ctx, tx, "credential.test", credentialId);
    return found;
  });
  const { tenantId, environment } = ctx.actor;
  const purpose = {
    tenantId,
    environment,
    names: [],
    actor: actorLabel(ctx.actor),
    connectionId: null,
  };
  try {
    const { zones } = await listZones(ctx.runtime, purpose, credential, ctx.signal);
    await noteUse(ctx.runtime, { credentialId, connectionId: null }, null);
    const names = zones.map(({ name }) => name).sort();
    return { zones: names.slice(0, maxZones), error: null };
  } catch (error) {
    if (error instanceof ProviderError) {
      return { zones: [], error: { kind: error.kind, message: error.message } };
    }
    if (!hasTimedOut(ctx.signal)) throw error;
    const message = "The provider did not answer in time.";
    return { zones: [], error: { kind: "unavailable", message } };
  }
}
