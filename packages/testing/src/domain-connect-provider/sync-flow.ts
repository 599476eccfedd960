import { randomBytes } from "node:crypto";
import { type ApplyRequest, checkApply, planFor } from "./apply-request.ts";
import type { ProviderOptions } from "./options.ts";
import { type Answer, consentPage, donePage, refusalPage, sendBack } from "./pages.ts";
import type { TemplatePlan } from "./template-plan.ts";

type GoodPlan = Extract<TemplatePlan, { ok: true }>;

interface Pending {
  readonly request: ApplyRequest;
  readonly plan: GoodPlan;
}

export interface SyncFlow {
  /** The page under the signed link. */
  ask(
    path: { readonly providerId: string; readonly serviceId: string },
    rawQuery: string,
  ): Promise<Answer>;
  /** A button of that page; each page can be answered once. */
  decide(ticket: string, decision: string): Promise<Answer>;
}

export function createSyncFlow(options: ProviderOptions): SyncFlow {
  const pending = new Map<string, Pending>();
  const refuse = (status: number, reason: string) =>
    refusalPage(options.providerName, status, reason);

  const show = (request: ApplyRequest, plan: GoodPlan, note?: string): Answer => {
    const ticket = randomBytes(16).toString("hex");
    pending.set(ticket, { request, plan });
    const { template, domain, host } = request;
    return consentPage({
      providerName: options.providerName,
      service: `${template.providerName}: ${template.serviceName}`,
      name: host === "" ? domain : `${host}.${domain}`,
      plan,
      action: `/sync/decide/${ticket}`,
      ...(note === undefined ? {} : { note }),
    });
  };

  const confirm = async ({ request, plan }: Pending): Promise<Answer> => {
    const current = await planFor(options, request);
    if (!current.ok) return leave(options, request, "server_error", current.reason);
    if (!isSamePlan(plan, current)) {
      return show(request, current, "The zone has changed. Please check the changes again.");
    }
    await options.writeZone(request.domain, { add: plan.add, remove: plan.remove });
    return leave(options, request, null, null);
  };

  return {
    async ask(path, rawQuery) {
      const checked = await checkApply(options, path, rawQuery);
      if (!checked.ok) return refuse(checked.status, checked.reason);
      const plan = await planFor(options, checked.request);
      if (plan.ok) return show(checked.request, plan);
      return refuse(400, `The service's request cannot be carried out: ${plan.reason}.`);
    },
    async decide(ticket, decision) {
      const found = pending.get(ticket);
      pending.delete(ticket);
      if (found === undefined) return refuse(410, "This page was answered already.");
      if (decision === "confirm") return confirm(found);
      return leave(options, found.request, "access_denied", "user_cancel");
    },
  };
}

function isSamePlan(one: GoodPlan, other: GoodPlan): boolean {
  const changes = ({ add, remove }: GoodPlan) => JSON.stringify([add, remove]);
  return changes(one) === changes(other);
}

function leave(
  options: ProviderOptions,
  { redirectUri, state }: ApplyRequest,
  error: string | null,
  description: string | null,
): Answer {
  if (redirectUri === null) {
    return error === null
      ? donePage(options.providerName)
      : refusalPage(options.providerName, 200, description ?? error);
  }
  return sendBack(redirectUri, {
    state: options.echoesState === false ? null : state,
    error,
    error_description: description,
  });
}
