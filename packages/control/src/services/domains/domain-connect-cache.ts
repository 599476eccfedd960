import type { Resolver, TemplateIdentity } from "@mooring/dns";
import { selectDomainConnectKeys } from "../../db/queries/domain-connect.ts";
import { isSandboxName } from "../../domain/sandbox.ts";
import {
  type DomainConnectOffer,
  discoverOffer,
  type NoOffer,
  ownTemplate,
} from "./domain-connect-offer.ts";
import { type LookRuntime, recentFacts } from "./recent-facts.ts";

const POSITIVE_MS = 300_000;
/** A zone may have been moved a moment ago. */
const NEGATIVE_MS = 60_000;

/** Reasons that say nothing lasting: asked again the next time. */
const passing: ReadonlySet<NoOffer> = new Set([
  "dns_failure",
  "settings_unavailable",
  "template_unknown",
]);

export interface OfferQuestion {
  readonly zone: string;
  readonly kind: "apex" | "subdomain";
  /** The application whose own records the template holds; null for the default ones. */
  readonly applicationId: string | null;
  readonly signal: AbortSignal;
}

/** The offer for a zone, as far as this installation can take it up. */
export async function domainConnectOffer(
  runtime: LookRuntime,
  resolver: Resolver,
  question: OfferQuestion,
): Promise<DomainConnectOffer> {
  const template = ownTemplate(runtime.config, question.kind, question.applicationId);
  if (template === null) return { offered: false, reason: "no_template" };
  if (!runtime.config.baseUrl.startsWith("https:")) return { offered: false, reason: "no_https" };
  const offer = await rememberedOffer(runtime, resolver, question, template);
  if (!offer.offered || offer.mode === "async" || runtime.transaction === undefined) return offer;
  const keys = await runtime.transaction(selectDomainConnectKeys);
  const hasKey = keys.some(
    ({ domain, retiredAt }) => domain === template.providerId && retiredAt === null,
  );
  return hasKey ? offer : { offered: false, reason: "no_key" };
}

/** Per process: the provider's servers are asked once in a while. */
async function rememberedOffer(
  runtime: LookRuntime,
  resolver: Resolver,
  { zone, signal }: OfferQuestion,
  template: TemplateIdentity,
): Promise<DomainConnectOffer> {
  const { fetch } = runtime.egress;
  const clients = runtime.domainConnectClients ?? [];
  const discover = () => discoverOffer(zone, template, { resolver, fetch, signal, clients });
  if (isSandboxName(zone)) return discover();
  const { offers } = recentFacts(runtime);
  const key = `${zone} ${template.serviceId}`;
  const known = offers.get(key);
  if (known !== undefined) return known;
  const offer = await discover();
  if (offer.offered) offers.set(key, offer, POSITIVE_MS);
  else if (!passing.has(offer.reason)) offers.set(key, offer, NEGATIVE_MS);
  return offer;
}
