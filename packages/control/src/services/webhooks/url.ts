import { EgressError } from "@mooring/egress";
import { invalid } from "../../domain/errors.ts";
import type { ServiceContext } from "../context.ts";

/** What can be said of a receiver's URL before its name is resolved; each delivery resolves it anew. */
export function requireReceiverUrl(ctx: ServiceContext, url: string): string {
  const schemes =
    ctx.actor.environment === "test" ? (["http", "https"] as const) : (["https"] as const);
  try {
    return ctx.runtime.webhookEgress.checkUrl(url, { schemes }).toString();
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw invalid([{ path: "url", message: error.message }]);
  }
}
