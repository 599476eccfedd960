import type { Resolver } from "@mooring/dns";
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

/** The offer for a zone, remembered per process: the provider's servers are asked once in a while. */
export async function domainConnectOffer(
  runtime: LookRuntime,
  resolver: Resolver,
  question: {
    readonly zone: string;
    readonly kind: "apex" | "subdomain";
    readonly signal: AbortSignal;
  },
): Promise<DomainConnectOffer> {
  const { zone, kind, signal } = question;
  const template = ownTemplate(runtime.config, kind);
  if (template === null) return { offered: false, reason: "no_template" };
  const { fetch } = runtime.egress;
  const discover = () => discoverOffer(zone, template, { resolver, fetch, signal });
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
