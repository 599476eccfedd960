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

/**
 * A handler at the edge: calls the API that its address names, and answers with what it saw. The
 * two assertions are verified at once, with keys that are fetched.
 */
export const edgeHandler = `
import { ApiError, Mooring, verifyAssertion, verifyWebhook } from "@mooring/sdk";
async function handle(request) {
  const { searchParams: given } = new URL(request.url);
  const [issuer, audience, assertion] = ["api", "audience", "assertion"].map((name) => given.get(name));
  const mooring = new Mooring({ apiKey: given.get("key"), baseUrl: issuer, retries: 0 });
  const failed = (call) => call.then(() => null, (error) => error);
  const names = [];
  for await (const one of mooring.applications.list()) names.push(one.name);
  const missing = await failed(mooring.applications.get("none"));
  const redirected = await failed(mooring.applications.get("moved"));
  const stream = await failed(mooring.events.stream().next());
  const made = await mooring.applications.create({ name: "Made" });
  const refused = await failed(verifyWebhook("{}", request.headers, "whsec_x"));
  const verified = [1, 2].map(() => verifyAssertion(assertion, { issuer, audience }));
  return Response.json({
    names,
    missing: missing instanceof ApiError && missing.code,
    redirected: [redirected.name, redirected.code],
    streamRedirected: stream.name,
    created: made.name,
    refused: refused.reason,
    hosts: (await Promise.all(verified)).map(({ hostname }) => hostname),
  });
}
`;

const useSdk = `
const { MOORING_API_KEY: apiKey, MOORING_URL: baseUrl } = process.env;
async function use({ Mooring, verifyWebhook }) {
  const names = [];
  for await (const one of new Mooring({ apiKey, baseUrl }).applications.list()) names.push(one.name);
  console.log(typeof Mooring, typeof verifyWebhook, JSON.stringify(names));
}
`;

/** CommonJS, as the README of the SDK shows it. */
export const requireScript = `${useSdk}use(require("@mooring/sdk"));`;
export const dynamicImportScript = `${useSdk}import("@mooring/sdk").then(use);`;
