import { readApplyQuery } from "../../../dns/src/domain-connect/apply-link.ts";
import {
  type DomainConnectTemplate,
  readKeyRecords,
  verifyApplyQuery,
} from "../../../dns/src/index.ts";
import { findTemplate, type ProviderOptions } from "./options.ts";
import { planTemplate, type TemplatePlan } from "./template-plan.ts";

/** A checked request to apply a template, which the customer has not confirmed yet. */
export interface ApplyRequest {
  readonly template: DomainConnectTemplate;
  readonly domain: string;
  readonly host: string;
  readonly groupIds: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly redirectUri: string | null;
  readonly state: string | null;
}

export type Checked =
  | { readonly ok: true; readonly request: ApplyRequest }
  | { readonly ok: false; readonly status: number; readonly reason: string };

/** In the protocol's order: the template, its signature, the zone, then the rest of the link. */
export async function checkApply(
  options: ProviderOptions,
  path: { readonly providerId: string; readonly serviceId: string },
  rawQuery: string,
): Promise<Checked> {
  const template = findTemplate(options, path.providerId, path.serviceId);
  if (template === undefined) return refused(404, "This service is not known here.");
  if (template.syncBlock === true) return refused(403, "This service may not be set up this way.");
  const problem = await signatureProblem(options, template, rawQuery);
  if (problem !== null) return refused(403, problem);
  const parameters = parse(rawQuery);
  if (parameters === null) return refused(400, "The link cannot be read.");
  const request = toRequest(template, parameters);
  if (request.domain === "" || !(await options.holdsZone(request.domain))) {
    return refused(404, "This domain is not in your account.");
  }
  if (request.redirectUri !== null && !isAllowed(template, request.redirectUri)) {
    return refused(400, "The link redirects to an address that the service does not own.");
  }
  return { ok: true, request };
}

/**
 * Null when the link is signed with the key that DNS has for the template, or needs no signature.
 */
async function signatureProblem(
  options: ProviderOptions,
  template: DomainConnectTemplate,
  rawQuery: string,
): Promise<string | null> {
  if (template.syncPubKeyDomain === undefined) return null;
  const { keyLabel, signature } = readApplyQuery(rawQuery);
  if (keyLabel === null || signature === null) return "The link is not signed.";
  const texts = await options.lookupTxt(`${keyLabel}.${template.syncPubKeyDomain}`);
  const key = readKeyRecords(texts);
  if (!key.ok) return `The key of the link cannot be used: ${key.reason}.`;
  if (verifyApplyQuery(rawQuery, key.publicKey)) return null;
  return "The link was changed after it was signed.";
}

/** Form decoding would turn a plus sign into a space; a repeated name has no meaning. */
function parse(rawQuery: string): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  try {
    for (const pair of rawQuery.split("&")) {
      const [name = "", ...rest] = pair.split("=");
      if (found.has(decodeURIComponent(name))) return null;
      found.set(decodeURIComponent(name), decodeURIComponent(rest.join("=")));
    }
    return found;
  } catch {
    return null;
  }
}

const protocolNames: ReadonlySet<string> = new Set([
  "domain",
  "host",
  "redirect_uri",
  "state",
  "groupId",
  "providerName",
  "serviceName",
  "key",
  "sig",
  "force",
  "instanceId",
  "client_id",
  "response_type",
  "scope",
]);

export function toRequest(
  template: DomainConnectTemplate,
  parameters: ReadonlyMap<string, string>,
): ApplyRequest {
  const groups = parameters.get("groupId") ?? "";
  return {
    template,
    domain: parameters.get("domain") ?? "",
    host: parameters.get("host") ?? "",
    groupIds: groups === "" ? [] : groups.split(","),
    variables: Object.fromEntries([...parameters].filter(([name]) => !protocolNames.has(name))),
    redirectUri: parameters.get("redirect_uri") ?? null,
    state: parameters.get("state") ?? null,
  };
}

export async function planFor(
  options: ProviderOptions,
  request: ApplyRequest,
): Promise<TemplatePlan> {
  const { template, domain, host, groupIds, variables } = request;
  const zone = await options.readZone(domain);
  return planTemplate(zone, template, { domain, host, groupIds, variables });
}

function isAllowed(template: DomainConnectTemplate, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { protocol, hostname } = new URL(redirectUri);
  const allowed = template.syncRedirectDomain?.split(",") ?? [];
  return protocol === "https:" && allowed.includes(hostname);
}

function refused(status: number, reason: string): Checked {
  return { ok: false, status, reason };
}
