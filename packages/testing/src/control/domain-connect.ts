import assert from "node:assert/strict";
import {
  type AnswerRecord,
  type DnsRecord,
  type DomainConnectTemplate,
  isAtOrBelow,
  type Resolver,
  readKeyRecords,
  recordKey,
  verifyApplyQuery,
} from "@mooring/dns";
import { createGuard, type Guard } from "@mooring/egress";
import { memoryResolver } from "../dns/memory-resolver.ts";
import { planTemplate } from "../domain-connect-provider/template-plan.ts";

export const zoneName = "acme.example";
const keyDomain = "mooring.example";

/** The calls that the provider got, and how it replies; tests change it. */
interface ProviderState {
  settings: Record<string, unknown>;
  /** Status of the settings call; 200 gives `settings`. */
  settingsStatus: number;
  /** The templates that it has installed, by service id. */
  readonly templates: Map<string, DomainConnectTemplate>;
  /** The call of the asynchronous API that fails, and its status. */
  failure: { readonly call: "access_token" | "apply" | "revert"; readonly status: number } | null;
  readonly calls: { readonly host: string; readonly path: string }[];
}

/** A DNS provider with one zone and Domain Connect, as far as the control plane uses it. */
export interface TestProvider {
  readonly state: ProviderState;
  readonly resolver: Resolver;
  readonly egress: Guard;
  /** The records of the zone. */
  readonly zone: AnswerRecord[];
  /** The records below the service's own domain: its public keys. */
  readonly keys: AnswerRecord[];
  publish(name: string, texts: readonly string[]): void;
  /** The customer opens the link and agrees; returns where the browser is redirected. */
  consent(applyUrl: string): string;
  isGood(applyUrl: string): boolean;
}

export const goodSettings = {
  providerId: "dns.example",
  providerName: "DNS Example",
  urlSyncUX: "https://consent.dns.example",
  urlAPI: "https://api.dns.example",
  width: 700,
  height: 800,
};

export function createTestProvider(): TestProvider {
  const zone: AnswerRecord[] = [txt(`_domainconnect.${zoneName}`, "api.dns.example")];
  const keys: AnswerRecord[] = [];
  const state: ProviderState = {
    settings: { ...goodSettings },
    settingsStatus: 200,
    templates: new Map(),
    failure: null,
    calls: [],
  };
  const apply = (service: string, values: URLSearchParams): void =>
    applyTo(zone, requireTemplate(state, service), values);
  return {
    state,
    zone,
    keys,
    resolver: twoZones(zone, keys),
    egress: { ...createGuard(), fetch: answering(state, apply, zone) },
    publish: (name, texts) => void keys.push(...texts.map((text) => txt(name, text))),
    isGood: (url) => isSigned(url, keys),
    consent(url) {
      assert.ok(isSigned(url, keys), "the signature does not verify with the key in DNS");
      const { pathname, searchParams } = new URL(url);
      apply(/services\/([^/]+)\/apply$/.exec(pathname)?.[1] ?? "", searchParams);
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("state", searchParams.get("state") ?? "");
      return back.href;
    },
  };
}

export function txt(name: string, value: string): AnswerRecord {
  return { name, type: "TXT", value, ttl: 60, priority: null };
}

/** Two servers per zone with the same records; the recursive resolvers see both zones. */
function twoZones(zone: AnswerRecord[], keys: AnswerRecord[]): Resolver {
  const of = (name: string, records: AnswerRecord[]) =>
    memoryResolver({
      zone: name,
      servers: { [`ns1.${name}`]: records, [`ns2.${name}`]: records },
      recursive: records,
    });
  const customers = of(zoneName, zone);
  const ours = of(keyDomain, keys);
  const pick = (name: string) => (isAtOrBelow(name, keyDomain) ? ours : customers);
  return {
    findZone: (name, signal) => pick(name).findZone(name, signal),
    askServer: (server, name, type, options) => pick(name).askServer(server, name, type, options),
    resolve: (name, type, signal) => pick(name).resolve(name, type, signal),
  };
}

function isSigned(url: string, keys: readonly AnswerRecord[]): boolean {
  const query = url.slice(url.indexOf("?") + 1);
  const label = new URL(url).searchParams.get("key");
  const texts = keys.filter(({ name }) => name === `${label}.${keyDomain}`);
  const key = readKeyRecords(texts.map(({ value }) => value));
  return key.ok && verifyApplyQuery(query, key.publicKey);
}

function requireTemplate(state: ProviderState, service: string): DomainConnectTemplate {
  const template = state.templates.get(service);
  assert.ok(template, `the provider has no template ${service}`);
  return template;
}

function applyTo(
  zone: AnswerRecord[],
  template: DomainConnectTemplate,
  values: URLSearchParams,
): void {
  const { domain = "", host = "", ...variables } = Object.fromEntries(values);
  const present = zone.flatMap((record): DnsRecord[] =>
    record.type === "TXT" || record.type === "CNAME" || record.type === "A"
      ? [{ ...record, type: record.type }]
      : [],
  );
  const plan = planTemplate(present, template, { domain, host, variables });
  assert.ok(plan.ok, JSON.stringify(plan));
  const removed = new Set(plan.remove.map(recordKey));
  const remaining = present.filter((record) => !removed.has(recordKey(record)));
  zone.splice(0, zone.length, ...[...remaining, ...plan.add].map(asAnswer));
}

function asAnswer(record: DnsRecord): AnswerRecord {
  const { type } = record;
  assert.ok(type === "TXT" || type === "CNAME" || type === "A" || type === "AAAA");
  return { ...record, type };
}

type Apply = (service: string, values: URLSearchParams) => void;

/** The provider's API: settings, template query, tokens, apply, revert. */
function answering(state: ProviderState, apply: Apply, zone: AnswerRecord[]): Guard["fetch"] {
  return async (input, init) => {
    const url = new URL(String(input));
    if (url.pathname.endsWith("/settings")) return json(state.settings, state.settingsStatus);
    const service = /\/services\/([^/]+)/.exec(url.pathname)?.[1] ?? "";
    if (init?.method !== "POST") {
      return new Response(null, { status: state.templates.has(service) ? 200 : 404 });
    }
    const call = url.pathname.replace(/^.*\//, "");
    state.calls.push({ host: url.host, path: url.pathname });
    if (state.failure?.call === call) return json({ message: "no" }, state.failure.status);
    if (call === "access_token") {
      return json({ access_token: "at-secret", refresh_token: "rt-secret", expires_in: 3_600 });
    }
    if (call === "apply") apply(service, url.searchParams);
    else zone.splice(1);
    return json({});
  };
}

function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json" },
  });
}
