import {
  findPanel,
  findTokenGuide,
  type PanelGuide,
  type ProviderManifest,
  type TokenGuide,
} from "@mooring/dns";
import type { Config } from "../../config/config.ts";
import { isSandboxName } from "../../domain/sandbox/sandbox.ts";
import { allowedAddresses } from "../credentials/providers.ts";

/**
 * The ways to set a domain's records, by the effort that they cost its owner: consent at the
 * provider, a sign-in there, a token that is made in a minute, the records by hand, a developer's
 * credential.
 */
export const setupWays = ["domain_connect", "oauth", "token", "manual", "api"] as const;
export type SetupWay = (typeof setupWays)[number];

export interface DomainGuide {
  readonly ways: readonly SetupWay[];
  /** Null where no credential can be used. */
  readonly token: TokenGuide | null;
  /** Ours, for the provider's list of allowed ones. */
  readonly addresses: readonly string[];
  readonly panel: PanelGuide | null;
}

export interface GuideInput {
  /** As it is offered: an adapter that is switched off is none. */
  readonly manifest: ProviderManifest | null;
  readonly slug: string | null;
  readonly zone: string;
  readonly domainConnect: boolean;
  readonly oauth: boolean;
}

export function guideFor(
  config: Pick<Config, "egressIpv4" | "egressIpv6" | "demoUrl">,
  { manifest, slug, zone, domainConnect, oauth }: GuideInput,
): DomainGuide {
  const adapter = manifest?.adapter === true ? manifest : null;
  const own = sandboxPanel(config, zone);
  const found = adapter === null ? null : findTokenGuide(adapter);
  const token = found && { ...found, url: own?.url ?? found.url };
  const has: Readonly<Record<SetupWay, boolean>> = {
    domain_connect: domainConnect,
    oauth: oauth && adapter !== null,
    token: token?.effort === "minute",
    manual: true,
    api: token?.effort === "developer",
  };
  return {
    ways: setupWays.filter((way) => has[way]),
    token,
    addresses: adapter === null ? [] : allowedAddresses(config, adapter),
    panel: own ?? findPanel(slug, zone),
  };
}

/** The demo's own DNS panel, for the zones of the sandbox; null where there is no demo. */
function sandboxPanel({ demoUrl }: Pick<Config, "demoUrl">, zone: string): PanelGuide | null {
  if (demoUrl === null || !isSandboxName(zone)) return null;
  const url = new URL(`dns?zone=${encodeURIComponent(zone)}`, demoUrl).href;
  return { url, isZonePage: true, path: [], add: null, save: "Add them all", notes: [] };
}
