import assert from "node:assert/strict";
import type { Told } from "./widget-visitor.ts";

export interface ExpectedFlow {
  readonly domain: string;
  readonly provider: string | null;
  readonly setupType: string;
  /** After the two first screens, with `success` as the last one. */
  readonly steps: readonly string[];
}

/**
 * Everything that a page is told on the way from the empty field to a live domain and a press on
 * Done: the spec's table of browser events, with every field and no other.
 */
export function expectedEvents(told: readonly Told[], flow: ExpectedFlow): readonly Told[] {
  const { domain, provider, setupType, steps } = flow;
  const jobId = jobIn(told);
  const step = (name: string, known: object): Told => ({
    name: "svc:step",
    detail: { domain: null, provider: null, jobId: null, ...known, step: name },
  });
  const result = { domain, provider, setupType, success: true, jobId };
  // The domain is live when the optional step for mail begins.
  const liveAt = steps.includes("email") ? steps.indexOf("email") : steps.indexOf("success");
  const after = steps.map((name) => step(name, { domain, provider, jobId }));
  return [
    step("enter_domain", {}),
    step("domain_analysis", { domain }),
    ...after.slice(0, liveAt + 1),
    { name: "svc:success", detail: result },
    { name: "onSuccess", detail: { id: jobId, domain } },
    ...after.slice(liveAt + 1),
    { name: "svc:close", detail: { ...result, lastStatus: "live", reason: "success" } },
    { name: "onClose", detail: { id: jobId, domain, succeeded: true } },
  ];
}

/** The connection's id, which only the service knows beforehand. */
export function jobIn(told: readonly Told[]): string {
  const ids = told.map(({ detail }) => detail["jobId"]).filter((id) => id != null);
  assert.ok(ids.length > 0 && new Set(ids).size === 1, "one connection");
  const [id] = ids;
  assert.ok(typeof id === "string" && /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id), "a UUID v7");
  return id;
}
