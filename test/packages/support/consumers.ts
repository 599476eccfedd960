/** Code of a stranger's project; each file is compiled or run as it is. */

/**
 * Prints what the SDK did at the API of `MOORING_URL`, and that the modules of the widget load
 * without a page.
 */
export const serverScript = `
import { ApiError, Mooring, verifyWebhook, WebhookVerificationError } from "@mooring/sdk";
import { open } from "@mooring/widget";
import { SvcConnectElement } from "@mooring/widget/element";
const { MOORING_API_KEY: apiKey, MOORING_URL: baseUrl } = process.env;
const mooring = new Mooring({ apiKey, baseUrl, retries: 0 });
const names = [];
for await (const one of mooring.applications.list()) names.push(one.name);
const missing = await mooring.applications.get("0198c0de-0000-7000-8000-000000000002").catch((error) => error);
const refused = await verifyWebhook("{}", {}, "whsec_x").catch((error) => error);
const keyless = await verifyWebhook("{}", {}, process.env.NOT_SET).catch((error) => error);
console.log(JSON.stringify({
  names,
  missing: missing instanceof ApiError && missing.code,
  refused: refused instanceof WebhookVerificationError && refused.reason,
  keyless: keyless.message,
  widget: [typeof open, typeof SvcConnectElement],
}));
`;

/** Renders the React component on a server. */
export const serverRendering = `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { SvcConnect } from "@mooring/widget/react";
console.log(renderToString(createElement(SvcConnect, { applicationId: "a", token: "t", className: "place" })));
`;

export const sdkConsumer = `
import { type Application, ApiError, Mooring, verifyWebhook } from "@mooring/sdk";
const mooring = new Mooring({ apiKey: "sk_test_x", baseUrl: "https://api.example" });
export async function names(): Promise<string[]> {
  const all: string[] = [];
  for await (const one of mooring.applications.list({ limit: 5 })) all.push(one.name);
  const made: Application = await mooring.applications.create({ name: "x" }, { idempotencyKey: "k" });
  const counters: number = (await mooring.call("get_usage", {})).counters.connect;
  const event = await verifyWebhook("{}", new Headers(), ["whsec_x"]);
  const why = event.type === "domain.archived" ? event.data.reason : "deleted";
  const reason: "contest_lost" | "deleted" | "taken_over" = why;
  return [...all, made.environment, String(counters), event.id, reason];
}
export const isAbsent = (error: unknown) => error instanceof ApiError && error.code === "not_found";
// @ts-expect-error a name is required
void mooring.applications.create({});
// @ts-expect-error one of key and token, not both
new Mooring({ apiKey: "a", token: "b", baseUrl: "https://api.example" });
// @ts-expect-error no such operation
void mooring.call("get_nothing", {});
`;

export const widgetConsumer = `
import { open, type SvcEventMap } from "@mooring/widget";
import type { SvcConnectElement } from "@mooring/widget/element";
import { SvcConnect, useSvc } from "@mooring/widget/react";
const options = { applicationId: "a", token: "t", baseUrl: "https://api.example" };
export function Settings() {
  const svc = useSvc({ ...options, onSuccess: ({ domain }) => console.log(domain.length) });
  return <p><button onClick={() => svc.open({ email: true })}>Connect</button><SvcConnect {...options} /></p>;
}
export const close: () => void = open(options).close;
export const element: SvcConnectElement | null = document.querySelector("svc-connect");
export const state = (event: SvcEventMap["svc:close"]): "live" | null =>
  event.detail.lastStatus === "live" ? event.detail.lastStatus : null;
// @ts-expect-error the application is required
open({ token: "t" });
// @ts-expect-error no such option
export const wrong = <SvcConnect {...options} colour="red" />;
`;
