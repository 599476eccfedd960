import { ProviderError } from "../errors.ts";
import { type Parameter, percentEncode } from "./encode.ts";
import { requireVariables } from "./parameters.ts";
import type { DomainConnectSettings } from "./settings.ts";
import { type SigningKey, signApplyQuery } from "./sign.ts";
import type { TemplateIdentity } from "./template-support.ts";

export interface ApplyRequest {
  readonly settings: Pick<DomainConnectSettings, "urlSyncUX">;
  readonly template: TemplateIdentity;
  /** The zone's apex, as A-labels. */
  readonly domain: string;
  /** The labels left of `domain`; empty for the apex itself. */
  readonly host: string;
  /** The groups of the template to apply; none means all. */
  readonly groupIds?: readonly string[];
  readonly redirectUri: string;
  readonly state: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly key: SigningKey;
}

/** What deployed servers take; draft-ietf-dconn-domainconnect-05 sets it as the bound. */
const LONGEST_URL = 8_000;

/**
 * The signed link under which the customer consents at their DNS provider. It is text to be used as
 * it is: whoever parses and prints it again may break the signature. Throws ProviderError
 * `unsupported` when the provider has no synchronous flow or the link would be too long, RangeError
 * for what the protocol forbids.
 */
export function applyUrl(request: ApplyRequest): string {
  const { settings, template } = request;
  if (settings.urlSyncUX === null) {
    throw new ProviderError("unsupported", "The DNS provider has no synchronous consent flow.");
  }
  const query = signApplyQuery(applyParameters(request), request.key);
  const url = `${settings.urlSyncUX}/v2/domainTemplates/providers/${percentEncode(template.providerId)}/services/${percentEncode(template.serviceId)}/apply?${query}`;
  if (url.length > LONGEST_URL) {
    throw new ProviderError("unsupported", "The link to the DNS provider would be too long.");
  }
  return url;
}

function applyParameters(request: ApplyRequest): readonly Parameter[] {
  const { domain, host, groupIds, redirectUri, state } = request;
  requireHttps(redirectUri);
  const groups: Parameter[] =
    groupIds === undefined || groupIds.length === 0 ? [] : [["groupId", groupIds.join(",")]];
  return [
    ["domain", domain],
    // The apex has no host parameter: `@` is no part of the protocol.
    ...(host === "" ? [] : ([["host", host]] as const)),
    ...groups,
    ["redirect_uri", redirectUri],
    ["state", state],
    ...requireVariables(request.variables),
  ];
}

function requireHttps(url: string): void {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    throw new RangeError("the way back from a DNS provider is an https URL");
  }
}
