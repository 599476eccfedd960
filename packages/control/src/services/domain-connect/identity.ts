import type { Config } from "../../config/config.ts";
import { AppError } from "../../domain/errors.ts";
import { ownTemplate } from "../domains/domain-connect-offer.ts";

/** Who this installation is to DNS providers. */
export interface ServiceIdentity {
  /** The domain that templates and keys are published under. */
  readonly providerId: string;
  readonly providerName: string;
  readonly logoUrl: string | null;
  /** Keys stand in TXT records one label below. */
  readonly keyDomain: string;
  /** The host that customers come back to. */
  readonly redirectDomain: string;
}

type IdentityConfig = Pick<
  Config,
  "baseUrl" | "domainConnectDomain" | "domainConnectName" | "domainConnectLogoUrl"
>;

/** Null where the service has no public name. */
export function serviceIdentity(config: IdentityConfig): ServiceIdentity | null {
  const providerId = ownTemplate(config, "apex")?.providerId ?? null;
  if (providerId === null) return null;
  return {
    providerId,
    providerName: config.domainConnectName ?? providerId,
    logoUrl: config.domainConnectLogoUrl,
    keyDomain: providerId,
    redirectDomain: new URL(config.baseUrl).hostname,
  };
}

export function requireIdentity(config: IdentityConfig): ServiceIdentity {
  const identity = serviceIdentity(config);
  if (identity === null) {
    throw new AppError(
      "conflict",
      "the service has no public name to publish templates under: set BASE_URL or DOMAIN_CONNECT_DOMAIN",
      { details: { reason: "no_public_name" } },
    );
  }
  return identity;
}

/** Where the customer comes back to. The synchronous flow has the state in the path besides. */
export function returnUrl(config: Pick<Config, "baseUrl">, state?: string): string {
  const url = `${config.baseUrl}/v1/connect/domain-connect/return`;
  // Some providers do not give `state` back, and some write a second question mark after a first.
  return state === undefined ? url : `${url}/${state}`;
}
