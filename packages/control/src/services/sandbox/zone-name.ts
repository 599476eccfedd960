import { parseHostname } from "@mooring/dns";
import { invalid, notFound } from "../../domain/errors.ts";
import { isSandboxZone, sandboxHome } from "../../domain/sandbox-zone.ts";
import type { ServiceContext } from "../context.ts";

/** The sandbox is of the test environment; to a live key it is not there. */
export function requireSandbox(ctx: ServiceContext): void {
  if (ctx.actor.environment !== "test") throw notFound("sandbox zone");
}

/** The zone's canonical name, or `invalid` saying what a zone is. */
export function requireZoneName(ctx: ServiceContext, text: string): string {
  requireSandbox(ctx);
  const parsed = parseHostname(text, { reserved: [sandboxHome] });
  if (!parsed.ok) throw invalid([{ path: "zone", message: parsed.message }]);
  if (!isSandboxZone(parsed.hostname)) {
    const message = "must be a name directly under .test, like acme-7f3a.test";
    throw invalid([{ path: "zone", message }]);
  }
  return parsed.hostname;
}
