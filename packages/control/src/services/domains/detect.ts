import { detectProvider, type ProviderManifest } from "@mooring/dns";
import type { TemplateRecord } from "../../domain/application.ts";
import type { Environment } from "../../domain/tenancy.ts";
import { asOffered } from "../providers.ts";
import { orElse, withBudget } from "./budget.ts";
import { domainConnectOffer } from "./domain-connect-cache.ts";
import { domainConnectOf, templateKind } from "./domain-connect-offer.ts";
import { findKnownZone } from "./known-zone.ts";
import type { LookRuntime } from "./recent-facts.ts";

/** What a new connection needs to know of its domain's DNS. */
export interface DetectedSetup {
  /** The slug; null when unknown, shared between several, or not to be found out in time. */
  readonly provider: string | null;
  readonly manifest: ProviderManifest | null;
  readonly setupType: "automatic" | "manual";
  /** The zone that holds the hostname, for `desiredRecords`; null when unknown. */
  readonly zone: string | null;
}

const BUDGET_MS = 3_000;

const unknownSetup: DetectedSetup = {
  provider: null,
  manifest: null,
  setupType: "manual",
  zone: null,
};

/** Within three seconds; trouble with DNS makes the provider unknown and is never an error. */
export function detectForCreate(
  runtime: LookRuntime,
  environment: Environment,
  hostname: string,
  signal: AbortSignal,
  template: readonly TemplateRecord[] = [],
  applicationId?: string,
): Promise<DetectedSetup> {
  return withBudget(BUDGET_MS, signal, async (inner) => {
    const resolver = runtime.dns.resolverFor(environment, hostname);
    const looked = findKnownZone(runtime, resolver, hostname, inner);
    const found = await orElse(inner, looked, null);
    if (found?.outcome !== "found") return unknownSetup;
    const { provider } = detectProvider(found.servers.map(({ host }) => host));
    const manifest = asOffered(runtime.config, provider?.manifest ?? null);
    const known = { provider: provider?.slug ?? null, manifest, zone: found.zone };
    if (manifest?.adapter === true) return { ...known, setupType: "automatic" };
    const whose = domainConnectOf(template, applicationId);
    if (whose === null) return { ...known, setupType: "manual" };
    const kind = templateKind(hostname, found.zone);
    const question = { zone: found.zone, kind, signal: inner, ...whose };
    const offer = await orElse(inner, domainConnectOffer(runtime, resolver, question), null);
    return { ...known, setupType: offer?.offered === true ? "automatic" : "manual" };
  });
}
