import { type Get, get } from "./get.ts";

/** The service provider's side of a template: whose it is, and which one. Both are case-sensitive. */
export interface TemplateIdentity {
  readonly providerId: string;
  readonly serviceId: string;
}

export type TemplateSupport = "supported" | "unsupported" | "unknown";

/**
 * Whether a DNS provider has deployed the template. Any 2xx says so, whatever the body; 404 says
 * no; everything else says nothing.
 */
export async function templateSupport(
  urlAPI: string,
  template: TemplateIdentity,
  options: { readonly fetch: Get; readonly signal: AbortSignal },
): Promise<TemplateSupport> {
  const provider = encodeURIComponent(template.providerId);
  const service = encodeURIComponent(template.serviceId);
  const url = `${urlAPI}/v2/domainTemplates/providers/${provider}/services/${service}`;
  const answer = await get(options.fetch, url, options.signal);
  if (answer === null) return "unknown";
  if (answer.status >= 200 && answer.status <= 299) return "supported";
  return answer.status === 404 ? "unsupported" : "unknown";
}
