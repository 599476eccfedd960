import assert from "node:assert/strict";
import { printRecord } from "../../../dns/conformance/print-record.ts";
import {
  type ApplyRequest,
  applyUrl,
  createSigningKeyPair,
  type DnsRecord,
  type DomainConnectTemplate,
  keyRecords,
  parseRecord,
  recordKey,
  templateFromRecords,
} from "../../../dns/src/index.ts";
import { type DomainConnectProvider, startDomainConnectProvider } from "./start.ts";

export const zone = "acme.example";
export const back = "https://app.mooring.example/return";
export const identity = { providerId: "mooring.example", serviceId: "sub" };
export const client = {
  clientId: "mooring",
  clientSecret: "s3cret",
  redirectUris: [back],
  providerId: "mooring.example",
};

/** The provider over a zone in memory, and a service that signs with a key in its DNS. */
export interface MemoryWorld {
  readonly provider: DomainConnectProvider;
  /** Tests may change these. */
  records: readonly DnsRecord[];
  published: readonly string[];
  echoesState: boolean;
  timeMs: number;
  lines(): readonly string[];
  /** A signed link for shop.acme.example. */
  link(changes?: Partial<ApplyRequest>): string;
}

/** Made once, since that is slow; no test changes it. */
const signingKeys = createSigningKeyPair();

export async function startMemoryWorld(): Promise<MemoryWorld> {
  const { publicKey, privateKey } = await signingKeys;
  const provider = await startDomainConnectProvider({
    providerId: "dns.example",
    providerName: "Example DNS",
    templates: [ourTemplate()],
    holdsZone: (domain) => domain === zone,
    readZone: async () => world.records,
    writeZone: async (_, { add, remove }) => {
      const removed = new Set(remove.map(recordKey));
      world.records = [...world.records.filter((one) => !removed.has(recordKey(one))), ...add];
    },
    lookupTxt: async (name) => (name === "_dck1.keys.mooring.example" ? world.published : []),
    clients: [client],
    get echoesState() {
      return world.echoesState;
    },
    now: () => new Date(world.timeMs),
  });
  const world: MemoryWorld = {
    provider,
    records: [record("shop.acme.example A 192.0.2.1"), record("acme.example TXT note")],
    published: keyRecords(publicKey),
    echoesState: true,
    timeMs: Date.parse("2026-01-01T00:00:00Z"),
    lines: () => world.records.map(printRecord),
    link: (changes = {}) =>
      applyUrl({
        settings: { urlSyncUX: `${provider.url}/sync` },
        template: identity,
        domain: zone,
        host: "shop",
        redirectUri: back,
        state: "the-state",
        variables: { token: "abc" },
        key: { label: "_dck1", privateKey },
        ...changes,
      }),
  };
  return world;
}

export const untouched = ["shop.acme.example 60 A 192.0.2.1", "acme.example 60 TXT note"];

export function record(line: string): DnsRecord {
  const [name = "", type = "", ...value] = line.split(" ");
  const parsed = parseRecord({ name, type, value: value.join(" "), ttl: 60 });
  assert.ok(parsed.ok, line);
  return parsed.record;
}

export function get(url: string): Promise<Response> {
  return fetch(url, { redirect: "manual" });
}

/** Presses a button of the page, as a browser would. */
export async function press(world: MemoryWorld, page: string, decision: string): Promise<Response> {
  const action = /<form method="post" action="([^"]+)"/.exec(page)?.[1] ?? "";
  assert.match(page, new RegExp(`<button name="decision" value="${decision}"`));
  return fetch(`${world.provider.url}${action}`, {
    method: "POST",
    body: new URLSearchParams({ decision }),
    redirect: "manual",
  });
}

function ourTemplate(): DomainConnectTemplate {
  const made = templateFromRecords({
    kind: "subdomain",
    identity,
    providerName: "Mooring",
    serviceName: "Custom <domains>",
    version: 3,
    syncPubKeyDomain: "keys.mooring.example",
    syncRedirectDomain: "app.mooring.example",
    records: [],
    edge: { cname: "edge.mooring.example", ipv4: [], ipv6: [] },
    ownership: { label: "_service-challenge", prefix: "service-verify=" },
  });
  assert.ok(made.ok);
  return made.template;
}
