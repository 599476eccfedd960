import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { startTestApp, type TestApp } from "./app.ts";
import { type Answer, type Call, call, textOf } from "./http.ts";

export interface WireRecord {
  readonly host: string;
  readonly type: string;
  readonly value: string;
  readonly ttl?: number;
  readonly priority?: number | null;
}

/** The steps of a mail test: zones, verified connections, and setting mail up. */
export interface MailApp {
  readonly app: TestApp;
  readonly key: string;
  /** Has a credential for the sandbox's zones. */
  readonly withCredential: string;
  readonly without: string;
  put(zone: string, records: readonly WireRecord[]): Promise<void>;
  records(zone: string): Promise<readonly WireRecord[]>;
  connect(applicationId: string, hostname: string, key?: string): Promise<string>;
  /** Connects the hostname and proves it, beside the given records of the zone. */
  proven(applicationId: string, hostname: string, records?: readonly WireRecord[]): Promise<string>;
  apply(id: string, body: unknown, options?: Call): Promise<Answer>;
  close(): Promise<void>;
}

export interface Applied {
  readonly applied: boolean;
  readonly domain: string;
  readonly provider: string;
  readonly written_records: readonly WireRecord[];
  readonly manual_records: readonly WireRecord[];
  readonly notes: readonly string[];
}

export function parseApplied(answer: Answer): Applied {
  assert.equal(answer.status, 200, answer.text);
  return JSON.parse(answer.text) as Applied;
}

/** `name TYPE value` of each record, sorted, with the zone replaced by `ZONE`. */
export function lines(records: readonly WireRecord[], zone: string): readonly string[] {
  return records
    .map(({ host, type, value, priority }) => {
      const name = host === zone ? "@" : host.replace(`.${zone}`, "");
      return [name, type, ...(priority == null ? [] : [priority]), value].join(" ");
    })
    .map((line) => line.replaceAll(zone, "ZONE"))
    .sort();
}

export function freshZone(): string {
  return `mail-${randomBytes(6).toString("hex")}.test`;
}

type Replacements = Parameters<typeof startTestApp>[1];

export async function startMailApp(
  replacements: Replacements = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<MailApp> {
  const limits = ["general", "check", "tokens", "connection", "unauthorized"];
  const app = await startTestApp(
    {
      EDGE_CNAME: "edge.mooring.example",
      EDGE_IPV4: "192.0.2.10",
      RATE_LIMITS: limits.map((one) => `${one}=100000:100000`).join(),
      ...settings,
    },
    replacements,
  );
  const { url } = app.api;
  const key = (await app.tenant("Acme")).keys.test;
  const application = async (name: string) =>
    textOf(await call(url, "/v1/applications", { key, body: { name } }), "id");
  const withCredential = await application("With");
  const credential = { provider: "sandbox", name: "zones", fields: { token: "sandbox" } };
  const path = `/v1/applications/${withCredential}/credentials`;
  assert.equal((await call(url, path, { key, body: credential })).status, 201);

  const at = (zone: string) => `/v1/sandbox/zones/${zone}/records`;
  const put = async (zone: string, records: readonly WireRecord[]) => {
    const answer = await call(url, at(zone), { key, method: "PUT", body: { records } });
    assert.equal(answer.status, 200, answer.text);
  };
  const create = async (applicationId: string, hostname: string, caller = key) => {
    const body = { application_id: applicationId, hostname };
    const made = await call(url, "/v1/connections", { key: caller, body });
    assert.equal(made.status, 201, made.text);
    return made;
  };
  return {
    app,
    key,
    withCredential,
    without: await application("Without"),
    put,
    records: async (zone) =>
      (await call(url, at(zone), { key })).json()["records"] as readonly WireRecord[],
    connect: async (applicationId, hostname, caller) =>
      textOf(await create(applicationId, hostname, caller), "id"),
    async proven(applicationId, hostname, records = []) {
      const made = await create(applicationId, hostname);
      const { name, value } = made.json()["ownership_challenge"] as { name: string; value: string };
      const zone = hostname.split(".").slice(-2).join(".");
      await put(zone, [...records, { host: name, type: "TXT", value }]);
      const id = textOf(made, "id");
      const verified = await call(url, `/v1/connections/${id}/verify`, { key, method: "POST" });
      assert.equal(verified.status, 200, verified.text);
      return id;
    },
    apply: (id, body, options = {}) =>
      call(url, `/v1/connections/${id}/email:apply`, { key, body, ...options }),
    close: () => app.close(),
  };
}
