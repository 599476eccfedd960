import assert from "node:assert/strict";
import type { DomainConnectTemplate } from "@mooring/dns";
import { createDomainConnectKey } from "../../../control/src/services/domain-connect/keys.ts";
import { startTestApp, type TestApp } from "./app.ts";
import { createTestProvider, type TestProvider, zoneName } from "./domain-connect.ts";
import { type Answer, type Call, call, textOf } from "./http.ts";

const { signal } = new AbortController();

/** An API whose customers have their zone at a provider with Domain Connect. */
export interface DomainConnectApp {
  readonly app: TestApp;
  readonly provider: TestProvider;
  readonly key: string;
  readonly applicationId: string;
  /** Creates a key and publishes it, unless `publish` is false. */
  makeKey(options?: { readonly publish: boolean }): Promise<string>;
  /** Installs the application's templates at the provider. */
  deploy(applicationId?: string): Promise<void>;
  connect(hostname: string): Promise<string>;
  start(id: string, body?: unknown, options?: Call): Promise<Answer>;
  /** The link of a start that must succeed. */
  link(id: string, body?: unknown): Promise<string>;
  /** The browser opens a URL of the service; redirects are not followed. */
  visit(url: string): Promise<Answer>;
  timeline(id: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export const allowedOrigin = "https://app.shop.example";

export async function startDomainConnectApp(
  env: Readonly<Record<string, string>> = {},
): Promise<DomainConnectApp> {
  const provider = createTestProvider();
  const { resolver, egress } = provider;
  const app = await startTestApp(
    {
      BASE_URL: "https://connect.mooring.example",
      EDGE_CNAME: "edge.mooring.example",
      EDGE_IPV4: "192.0.2.10",
      RATE_LIMITS: ["general", "check", "tokens", "connection", "unauthorized"]
        .map((bucket) => `${bucket}=100000:100000`)
        .join(),
      ...env,
    },
    { resolver, egress },
  );
  const { keys } = await app.tenant("Shop");
  const key = keys.live;
  const base = app.api.url;
  const made = await call(base, "/v1/applications", {
    key,
    body: { name: "Shop", allowed_origins: [allowedOrigin] },
  });
  const applicationId = textOf(made, "id");
  const start: DomainConnectApp["start"] = (id, body = {}, options = {}) =>
    call(base, `/v1/connections/${id}/domain-connect:start`, { key, body, ...options });
  return {
    app,
    provider,
    key,
    applicationId,
    start,
    async makeKey({ publish } = { publish: true }) {
      const report = await createDomainConnectKey(app.operator, { activate: false }, signal);
      if (publish) provider.publish(report.name, report.records);
      app.clock.advance(61_000);
      return report.label;
    },
    async deploy(id = applicationId) {
      const answer = await call(base, `/v1/applications/${id}/domain-connect-template`, { key });
      assert.equal(answer.status, 200, answer.text);
      for (const template of templatesIn(answer)) {
        provider.state.templates.set(template.serviceId, template);
      }
    },
    async connect(hostname) {
      const body = { application_id: applicationId, hostname };
      return textOf(await call(base, "/v1/connections", { key, body }), "id");
    },
    async link(id, body) {
      const answer = await start(id, body);
      assert.equal(answer.status, 200, answer.text);
      return textOf(answer, "apply_url");
    },
    async visit(url) {
      const { pathname, search } = new URL(url);
      const response = await fetch(`${base}${pathname}${search}`, { redirect: "manual" });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: () => ({}) };
    },
    async timeline(id) {
      const answer = await call(base, `/v1/connections/${id}/events`, { key });
      return (answer.json()["data"] as { readonly details: Record<string, unknown> }[])
        .map(({ details }) => details)
        .filter(({ via }) => via === "domain_connect");
    },
    close: () => app.close(),
  };
}

function templatesIn(answer: Answer): readonly DomainConnectTemplate[] {
  const { templates } = answer.json() as {
    readonly templates: readonly { readonly template: DomainConnectTemplate }[];
  };
  return templates.map(({ template }) => template);
}

let names = 0;

export function freshHostname(): string {
  names += 1;
  return `shop-${names}.${zoneName}`;
}
