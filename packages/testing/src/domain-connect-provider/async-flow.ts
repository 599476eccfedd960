import { randomBytes } from "node:crypto";
import { type DnsRecord, recordKey } from "../../../dns/src/index.ts";
import { planFor, toRequest } from "./apply-request.ts";
import type { Allowed, Grants } from "./grants.ts";
import { findTemplate, type ProviderOptions } from "./options.ts";
import { type Answer, consentPage, json, refusalPage, sendBack } from "./pages.ts";

interface Pending {
  readonly allowed: Allowed;
  readonly state: string | null;
}

interface Call {
  readonly providerId: string;
  readonly serviceId: string;
  readonly query: ReadonlyMap<string, string>;
  readonly accessToken: string;
}

/** The flow in which the customer consents once and the service applies changes later. */
export interface AsyncFlow {
  ask(providerId: string, query: ReadonlyMap<string, string>): Promise<Answer>;
  decide(ticket: string, decision: string): Answer;
  token(parameters: ReadonlyMap<string, string>): Answer;
  apply(call: Call): Promise<Answer>;
  revert(call: Call): Promise<Answer>;
}

export function createAsyncFlow(options: ProviderOptions, grants: Grants): AsyncFlow {
  const pending = new Map<string, Pending>();
  /** What each applied template wrote, by zone, host and service. */
  const applied = new Map<string, readonly DnsRecord[]>();
  const refuse = (status: number, reason: string) =>
    refusalPage(options.providerName, status, reason);

  return {
    async ask(providerId, query) {
      const requested = readRequested(options, providerId, query);
      if (typeof requested === "string") return refuse(400, requested);
      if (!(await options.holdsZone(requested.domain))) {
        return refuse(404, "This domain is not in your account.");
      }
      const ticket = randomBytes(16).toString("hex");
      pending.set(ticket, { allowed: requested, state: query.get("state") ?? null });
      const names = requested.hosts.map((host) =>
        host === "" ? requested.domain : `${host}.${requested.domain}`,
      );
      return consentPage({
        providerName: options.providerName,
        service: providerId,
        name: names.join(", "),
        plan: null,
        action: `/async/decide/${ticket}`,
      });
    },
    decide(ticket, decision) {
      const found = pending.get(ticket);
      pending.delete(ticket);
      if (found === undefined) return refuse(410, "This page was answered already.");
      const { allowed, state } = found;
      if (decision === "confirm") {
        return sendBack(allowed.redirectUri, { code: grants.newCode(allowed), state });
      }
      const error_description = "user_cancel";
      return sendBack(allowed.redirectUri, { error: "access_denied", error_description, state });
    },
    token(parameters) {
      const granted = grants.exchange(parameters);
      if (!granted.ok) return json(granted.status, { error: granted.error });
      return json(200, {
        access_token: granted.accessToken,
        token_type: "bearer",
        expires_in: granted.expiresIn,
        refresh_token: granted.refreshToken,
      });
    },
    async apply(call) {
      const template = findTemplate(options, call.providerId, call.serviceId);
      const problem = callProblem(grants, call);
      if (problem !== null) return problem;
      if (template === undefined) return json(404, { message: "unknown template" });
      const request = toRequest(template, call.query);
      const plan = await planFor(options, request);
      if (!plan.ok) return json(400, { code: "bad_request", message: plan.reason });
      if (plan.remove.length > 0 && call.query.get("force") !== "1") {
        const records = plan.remove.map(({ type, name, value }) => ({
          type,
          host: name,
          data: value,
        }));
        return json(409, { code: "conflict", message: "records are in the way", records });
      }
      await options.writeZone(request.domain, plan);
      applied.set(appliedKey(call), [...plan.add, ...plan.keep]);
      return json(200, {});
    },
    async revert(call) {
      const problem = callProblem(grants, call);
      if (problem !== null) return problem;
      if (options.canRevert === false) return json(501, { message: "not implemented" });
      const written = applied.get(appliedKey(call));
      if (written === undefined) return json(410, { message: "not applied" });
      const domain = call.query.get("domain") ?? "";
      const ours = new Set(written.map(recordKey));
      const remove = (await options.readZone(domain)).filter((one) => ours.has(recordKey(one)));
      await options.writeZone(domain, { add: [], remove });
      applied.delete(appliedKey(call));
      return json(200, {});
    },
  };
}

function appliedKey({ providerId, serviceId, query }: Call): string {
  return JSON.stringify([providerId, serviceId, query.get("domain"), query.get("host") ?? ""]);
}

/** What the customer is asked to allow, or why the request is refused. */
function readRequested(
  options: ProviderOptions,
  providerId: string,
  query: ReadonlyMap<string, string>,
): Allowed | string {
  const client = options.clients?.find(({ clientId }) => clientId === query.get("client_id"));
  if (client === undefined || client.providerId !== providerId) return "The service is not known.";
  const redirectUri = query.get("redirect_uri") ?? "";
  if (!client.redirectUris.includes(redirectUri)) {
    return "The link redirects to an address that the service does not own.";
  }
  if (query.get("response_type") !== "code") return "The link cannot be read.";
  const serviceIds = (query.get("scope") ?? "").split(" ");
  if (!serviceIds.every((id) => findTemplate(options, providerId, id) !== undefined)) {
    return "The service asks for something that is not known here.";
  }
  const domain = query.get("domain") ?? "";
  const hosts = (query.get("host") ?? "").split(",");
  return { clientId: client.clientId, redirectUri, domain, hosts, serviceIds };
}

function callProblem(grants: Grants, call: Call): Answer | null {
  const allowed = grants.allowedBy(call.accessToken);
  if (allowed === null) return json(401, { message: "the token is not valid" });
  const isCovered =
    allowed.domain === call.query.get("domain") &&
    allowed.hosts.includes(call.query.get("host") ?? "") &&
    allowed.serviceIds.includes(call.serviceId);
  return isCovered ? null : json(403, { message: "the customer has not allowed this" });
}
