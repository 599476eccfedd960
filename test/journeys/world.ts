import assert from "node:assert/strict";
import type { WidgetWorld } from "@mooring/testing/browser/widget-world";
import type { Caller } from "@mooring/testing/clients/connecting";
import { call } from "@mooring/testing/control/http";

export type { VisitSetting, WidgetWorld } from "@mooring/testing/browser/widget-world";

/** The addresses that a provider asks for are those of the documentation (RFC 5737). */
export const journeySettings = { EGRESS_IPV4: "198.51.100.20" };

const brand = {
  name: "Harbour",
  color: "#0f766e",
  support_url: "https://harbour.example/help",
};

/** A tenant of its own for each journey, with a brand. */
export async function openBrandedCaller(world: WidgetWorld, name: string): Promise<Caller> {
  const caller = await world.caller(`Harbour ${name}`);
  await patchApplication(caller, { brand });
  return caller;
}

export async function patchApplication(
  { base, key, applicationId }: Caller,
  body: object,
): Promise<void> {
  const path = `/v1/applications/${applicationId}`;
  const answer = await call(base, path, { key, method: "PATCH", body });
  assert.equal(answer.status, 200, answer.text);
}
