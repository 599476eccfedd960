import { AppError } from "../../domain/errors.ts";
import type { NoOffer } from "../domains/domain-connect-offer.ts";

/** Why a customer cannot be sent to their DNS provider. Adding the records by hand is always left. */
export type StartRefusal =
  | NoOffer
  | "not_registered"
  | "zone_delegated"
  | "template_impossible"
  | "link_too_long";

const sentences: Readonly<Record<StartRefusal, string>> = {
  no_template: "the service has no public name, so that it has no templates",
  no_https: "the service is not reached by https, so that no provider would send a customer back",
  no_key:
    "no signing key is in use; its operator makes one with `mooring domain-connect keys create`",
  not_registered: "the domain is not registered",
  zone_delegated:
    "the name lies in a zone of its own, which this application's template does not fit",
  template_impossible: "the application's records cannot be expressed in a template",
  link_too_long: "the link to the DNS provider would be too long",
  no_record: "the zone's DNS provider does not offer Domain Connect for it",
  invalid_record: "the zone's _domainconnect record names no provider",
  dns_failure: "the DNS of the domain could not be asked",
  zone_not_found: "the provider that the zone names does not hold it",
  settings_unavailable: "the DNS provider does not answer",
  settings_invalid: "the DNS provider's answer is not what the protocol promises",
  no_sync_flow: "the DNS provider offers no flow that can be used here",
  template_unsupported: "the DNS provider has not taken the service's template over",
  template_unknown: "the DNS provider did not say whether it has the service's template",
};

/** These may pass by themselves; the others are somebody's word. */
const passing: ReadonlySet<StartRefusal> = new Set([
  "dns_failure",
  "settings_unavailable",
  "template_unknown",
]);

export function refusal(
  reason: StartRefusal,
  provider: string | null,
  more: object = {},
): AppError {
  const message = `${sentences[reason]}; the records can be added by hand`;
  const details = { reason, fallback: "manual", ...more };
  if (!passing.has(reason)) return new AppError("conflict", message, { details });
  return new AppError("provider_error", message, {
    details: { provider, kind: "unavailable", ...details },
    retryAfterSeconds: 5,
  });
}
